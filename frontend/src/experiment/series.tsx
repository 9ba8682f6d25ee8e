import { useMemo, useState } from "react";

import type { SeriesBand } from "../api/types";
import { choices, chosen, coincide, overTime, preferred } from "../logic/curves";
import { formatTick, formatValue } from "../logic/units";
import { Plot } from "../plots/lazy";
import { variantColour } from "../ui/marks";
import { ChoiceOf } from "./choice";

const LOOKED_FOR_FIRST = ["total.iops", "read.iops", "write.iops"];
const COLUMNS_A_BAND = 3;
const HEIGHT = 280;

/** A quantity over time: the mean of each variant's runs, with a band from the lowest run to the highest. */
export function SeriesOverTime({ bands, variants }: { bands: readonly SeriesBand[]; variants: readonly string[] }) {
  const available = useMemo(() => choices(bands), [bands]);
  const [picked, setPicked] = useState<string | null>(null);
  const choice = available.find((entry) => entry.id === picked) ?? preferred(available, LOOKED_FOR_FIRST);
  const members = useMemo(() => chosen(bands, choice), [bands, choice]);
  const plot = useMemo(() => plotOf(members, variants), [members, variants]);
  const first = members[0];
  return (
    <section className="card" aria-labelledby="series-title" data-testid="series">
      <h2 id="series-title">Over time</h2>
      <div className="plot-tools">
        <ChoiceOf label="Quantity shown" available={available} choice={choice} onPicked={setPicked} />
        {first && (
          <span className="small soft">
            a value every {formatValue(first.interval_ns, "ns")}; the band spans the {first.runs} runs
          </span>
        )}
      </div>
      <Plot {...plot} />
      <p className="small soft">
        {coincide(members.map((band) => band.mean)) && "The lines of all variants coincide. "}Drag over a stretch to
        look closer; double-click to see all of it.
      </p>
    </section>
  );
}

function plotOf(bands: readonly SeriesBand[], variants: readonly string[]) {
  const unit = bands[0]?.unit ?? "";
  const colour = (band: SeriesBand) => variantColour(variants.indexOf(band.variant));
  return {
    columns: overTime(bands),
    lines: bands.flatMap((band) => [
      { label: band.variant, colour: colour(band), width: 1.5 },
      { label: `${band.variant} lowest`, colour: colour(band), edge: true },
      { label: `${band.variant} highest`, colour: colour(band), edge: true },
    ]),
    bands: bands.map((band, index) => ({
      upper: index * COLUMNS_A_BAND + 3,
      lower: index * COLUMNS_A_BAND + 2,
      colour: colour(band),
    })),
    x: { label: "time (s)", format: (value: number) => formatTick(value, "") },
    y: {
      label: unit === "ns" ? "latency" : unit,
      format: (value: number) => (value === 0 ? "0" : formatTick(value, unit)),
    },
    height: HEIGHT,
    summary: `${bands[0]?.name ?? "nothing"} over time for ${bands.map((band) => band.variant).join(" and ")}`,
  };
}
