import "../home/home.css";

import { Link } from "wouter";

import { Examples } from "../home/examples";
import { Lists } from "../home/lists";
import { PasteBox } from "../paste/paste-box";
import { Icon } from "../ui/icons";
import { Heading } from "../ui/shell";

/** What Lodestone is, what can be tried, and what was run. */
export function Home() {
  return (
    <div className="stack" style={{ gap: "var(--s5)" }}>
      <div className="hero">
        <div>
          <Heading title="Lodestone">Does it really help, and by how much?</Heading>
          <p>
            Lodestone runs a workload with and without your change, on a simulated block layer and device, and answers
            with a verdict that says how sure it is.
          </p>
        </div>
        <Link href="/new" className="button primary large">
          <Icon name="plus" />
          <span>New experiment</span>
        </Link>
      </div>
      <PasteBox />
      <div className="home">
        <Lists />
        <Examples />
      </div>
    </div>
  );
}
