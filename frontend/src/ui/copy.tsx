import { useEffect, useState } from "react";

/** Put text on the clipboard; false where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// the clipboard API exists in secure contexts only, and a lab's server is often plain HTTP
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  let copied: boolean;
  try {
    copied = document.execCommand("copy");
  } catch {
    copied = false;
  }
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

const SHOWN_MS = 2_500;

export function CopyButton({
  text,
  children,
  className = "button",
}: {
  text: string | undefined;
  children: string;
  className?: string;
}) {
  const [said, setSaid] = useState<"" | "Copied" | "Not copied: select it by hand">("");
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      className={className}
      disabled={text === undefined}
      onClick={() => {
        void copyText(text ?? "").then((done) => setSaid(done ? "Copied" : "Not copied: select it by hand"));
      }}
    >
      <span style={{ display: "grid" }}>
        <span style={{ gridArea: "1 / 1", visibility: said ? "hidden" : "visible" }}>{children}</span>
        <span style={{ gridArea: "1 / 1" }} role="status">
          {said}
        </span>
      </span>
    </button>
  );
}
