import { type ReactNode, useEffect, useRef, useState } from "react";

/** Holds what may be wider than the page; a stop of the Tab key only while there is something to scroll. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  const holder = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const measure = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth));
    measure.observe(element);
    if (element.firstElementChild) measure.observe(element.firstElementChild);
    return () => measure.disconnect();
  }, []);
  return (
    <div ref={holder} className="scroll" {...(wide ? { tabIndex: 0, role: "region", "aria-label": label } : {})}>
      {children}
    </div>
  );
}
