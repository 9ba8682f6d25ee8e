import { Component, type ReactNode } from "react";

import { Fault } from "./feedback";

/** Shows a fault of the page itself in place of a blank one. */
export class Crash extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="stack">
        <h1>This page broke</h1>
        <Fault error={this.state.error} again={() => globalThis.location.reload()} />
        <p>
          <a href="/">Back to the experiments</a>
        </p>
      </div>
    );
  }
}
