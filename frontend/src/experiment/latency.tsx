import { useMemo, useState } from "react";

import type { LatencyCurve, QuantileShifts } from "../api/types";
import { choices, chosen, coincide, distribution, preferred, tail, tailFloor } from "../logic/curves";
import { shareWords } from "../logic/percentiles";
import { formatTick, formatValue } from "../logic/units";
import { Plot } from "../plots/lazy";
import { variantColour } from "../ui/marks";
import { ChoiceOf } from "./choice";
import { Percentiles } from "./percentiles";

const LOOKED_FOR_FIRST = ["read.clat", "write.clat", "read.lat", "write.lat"];
const DASHES: (number[] | undefined)[] = [undefined, [8, 4], [3, 3], [10, 3, 3, 3]];
const HEIGHT = 320;

/** The latency distributions of all variants in one picture, and their percentiles in a table. */
export function Latency({
  curves,
  quantiles,
  variants,
}: {
  curves: readonly LatencyCurve[];
  quantiles: readonly QuantileShifts[];
  variants: readonly string[];
}) {
  const available = useMemo(() => choices(curves), [curves]);
  const [picked, setPicked] = useState<string | null>(null);
  const [view, setView] = useState<"distribution" | "tail">("distribution");
  const choice = available.find((entry) => entry.id === picked) ?? preferred(available, LOOKED_FOR_FIRST);
  const members = useMemo(
    () => chosen(curves, choice).sort((a, b) => variants.indexOf(a.variant) - variants.indexOf(b.variant)),
    [curves, choice, variants],
  );
  const plot = useMemo(() => plotOf(members, variants, view), [members, variants, view]);
  return (
    <section className="card" aria-labelledby="latency-title" data-testid="latency">
      <h2 id="latency-title">Latency</h2>
      <div className="plot-tools">
        <div className="segments small" role="group" aria-label="View">
          <button type="button" aria-pressed={view === "distribution"} onClick={() => setView("distribution")}>
            Distribution
          </button>
          <button type="button" aria-pressed={view === "tail"} onClick={() => setView("tail")}>
            Tail
          </button>
        </div>
        <ChoiceOf label="Latency shown" available={available} choice={choice} onPicked={setPicked} />
      </div>
      <div className="plot-and-table">
        <div>
          <Plot {...plot} />
          {coincide(members.map((curve) => curve.curve)) && (
            <p className="small soft">The curves of all variants coincide.</p>
          )}
        </div>
        <Percentiles curves={members} quantiles={quantiles} variants={variants} />
      </div>
    </section>
  );
}

function plotOf(curves: readonly LatencyCurve[], variants: readonly string[], view: "distribution" | "tail") {
  const isTail = view === "tail";
  return {
    columns: isTail ? tail(curves) : distribution(curves),
    lines: curves.map((curve) => {
      const index = variants.indexOf(curve.variant);
      return { label: curve.variant, colour: variantColour(index), dash: DASHES[index % DASHES.length], stepped: true };
    }),
    x: { label: "latency", log: true, format: (value: number) => formatTick(value, "ns") },
    y: isTail
      ? {
          label: "share of I/Os that took longer",
          log: true,
          format: shareWords,
          range: [tailFloor(curves), 1] as [number, number],
        }
      : {
          label: "share of I/Os",
          format: (value: number) => `${Number((value * 100).toPrecision(6))} %`,
          range: [0, 1] as [number, number],
        },
    height: HEIGHT,
    summary: `${isTail ? "Share of I/Os that took longer than" : "Cumulative distribution of"} the latency: ${curves.map(curveWords).join("; ")}`,
  };
}

function curveWords(curve: LatencyCurve): string {
  const [p50, p99] = ["50", "99"].map((percent) => formatValue(curve.percentiles[percent] ?? 0, "ns"));
  return `${curve.variant}: median ${p50}, 99th percentile ${p99}`;
}
