import "uplot/dist/uPlot.min.css";
import "./plot.css";

import { useEffect, useRef } from "react";
import uPlot from "uplot";

import type { Columns } from "../logic/curves";
import { logTicks } from "../logic/ticks";
import { useTheme } from "../ui/theme";

/** One line of a plot. */
export interface Line {
  label: string;
  /** A CSS colour; custom properties are resolved when drawn. */
  colour: string;
  dash?: number[];
  width?: number;
  stepped?: boolean;
  /** Mark each value: for lines of so few that a stroke alone may not be seen. */
  marked?: boolean;
  /** Drawn as the edge of a band: no line of its own, none in the legend. */
  edge?: boolean;
}

export interface Axis {
  label: string;
  log?: boolean;
  format: (value: number) => string;
  /** The ends of the axis; by the data where they are left out. */
  range?: [number, number];
  /** The lower end alone. */
  from?: number;
}

export interface PlotProperties {
  columns: Columns;
  lines: readonly Line[];
  /** Pairs of columns (from 1) between which a band is filled. */
  bands?: readonly { upper: number; lower: number; colour: string }[];
  x: Axis;
  y: Axis;
  height: number;
  /** What the picture shows, for those who do not see it. */
  summary: string;
}

/** The one owner of the plot library: draws columns as lines, follows the theme and the width. */
export default function Plot(properties: PlotProperties) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const theme = useTheme();
  const { columns, height, summary } = properties;

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const made = new uPlot(options(properties, element), columns as uPlot.AlignedData, element);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: Math.max(240, element.clientWidth), height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
    };
    // a plot is cheap to make (a millisecond or so), so any change makes a new one
  }, [properties, columns, height, theme]);

  return (
    <figure>
      <div ref={holder} className="plot" style={{ minHeight: height + LEGEND_PX }} role="img" aria-label={summary} />
    </figure>
  );
}

const LEGEND_PX = 34;
const AXIS_PX = 58;

function options({ lines, bands, x, y, height }: PlotProperties, element: HTMLElement): uPlot.Options {
  const ink = resolved(element, "var(--ink-soft)");
  const grid = { stroke: resolved(element, "var(--line)"), width: 1 };
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const axis = (of: Axis, size: number): uPlot.Axis => ({
    stroke: ink,
    grid: of.log ? { ...grid, filter: ofLogScale } : grid,
    ticks: of.log ? { ...grid, filter: ofLogScale } : grid,
    font,
    labelFont: font,
    label: of.label,
    labelSize: 20,
    size,
    values: (_, splits) => splits.map((value) => (value === null ? "" : of.format(value))),
    ...(of.log ? { filter: ofLogScale } : {}),
  });
  const scale = (of: Axis): uPlot.Scale => ({
    time: false,
    ...(of.log ? { distr: 3 as const, log: 10 as const } : {}),
    ...(of.range ? { range: of.range } : {}),
    ...(of.from === undefined
      ? {}
      : { range: (_: uPlot, _low: number, high: number): uPlot.Range.MinMax => [of.from ?? 0, high * 1.05 || 1] }),
  });
  return {
    width: Math.max(240, element.clientWidth),
    height,
    scales: { x: scale(x), y: scale(y) },
    axes: [axis(x, 34), axis(y, AXIS_PX)],
    legend: { live: true },
    cursor: { points: { size: 6 }, drag: { x: true, y: false } },
    series: [{ label: x.label, value: (_, value) => said(value, x) }, ...lines.map((line) => series(line, y, element))],
    bands: bands?.map(({ upper, lower, colour }) => ({
      series: [upper, lower],
      fill: resolved(element, `color-mix(in srgb, ${colour} 18%, transparent)`),
    })),
  };
}

function series(line: Line, y: Axis, element: HTMLElement): uPlot.Series {
  return {
    label: line.label,
    class: line.edge ? "edge" : undefined,
    stroke: line.edge ? "transparent" : resolved(element, line.colour),
    width: line.edge ? 0 : (line.width ?? 2),
    dash: line.dash,
    points: { show: line.marked ?? false, size: 5 },
    value: (_, value) => said(value, y),
    paths: line.stepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined,
  };
}

function said(value: number | null, axis: Axis): string {
  return value === null ? "–" : axis.format(value);
}

const ofLogScale: uPlot.Axis.Filter = (plot, splits, axis) => {
  const scale = plot.scales[plot.axes[axis]?.scale ?? "x"];
  return logTicks(splits, scale?.min ?? 1, scale?.max ?? 10);
};

// a canvas knows no custom properties and no light-dark()
function resolved(element: HTMLElement, colour: string): string {
  const probe = document.createElement("span");
  probe.style.color = colour;
  element.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return computed;
}
