import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";

import { useServerAway } from "../queries/server";
import { Icon, Logo } from "./icons";
import { Shortcuts } from "./shortcuts";
import { switchTheme, useTheme } from "./theme";

const PLACES: [string, string][] = [
  ["/", "Experiments"],
  ["/new", "New"],
  ["/patches", "Patches"],
  ["/reference", "Reference"],
];

function isAt(place: string, path: string): boolean {
  return place === "/"
    ? path === "/" || path.startsWith("/experiments") || path.startsWith("/reports")
    : path.startsWith(place);
}

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [keys, setKeys] = useState(false);
  const theme = useTheme();
  const away = useServerAway();
  return (
    <>
      <a className="skip button" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <div>
          <Link href="/" className="brand">
            <Logo />
            Lodestone
          </Link>
          <nav aria-label="Pages">
            {PLACES.map(([place, name]) => (
              <Link key={place} href={place} aria-current={isAt(place, path) ? "page" : undefined}>
                {name}
              </Link>
            ))}
            <a href="/api/docs">API</a>
          </nav>
          <div className="tools">
            <button
              type="button"
              className="icon-button"
              onClick={switchTheme}
              aria-label={theme === "dark" ? "Light theme" : "Dark theme"}
            >
              <Icon name={theme === "dark" ? "sun" : "moon"} />
            </button>
            <button
              type="button"
              className="icon-button"
              onClick={() => setKeys(true)}
              aria-label="Keys"
              aria-haspopup="dialog"
            >
              <Icon name="keyboard" />
            </button>
          </div>
        </div>
      </header>
      <div role="status">
        {away && (
          <p className="away">
            The server does not answer. What you see may be old; it is asked again every two seconds.
          </p>
        )}
      </div>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="foot">Lodestone: filesystem experiments with verdicts that can be trusted</footer>
      <Shortcuts open={keys} setOpen={setKeys} />
    </>
  );
}

/** The page's heading: names the document, and takes the focus when one has come here from another page. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    document.title = title === "Lodestone" ? title : `${title} · Lodestone`;
  }, [title]);
  useEffect(() => {
    if (navigatedOnce) heading.current?.focus({ preventScroll: true });
    navigatedOnce = true;
  }, [path]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

// the first page is where the browser has put the focus already
let navigatedOnce = false;
