import { Fragment, useMemo, useState } from "react";

import type { Comparison, MetricComparison } from "../api/types";
import { barReach, type Row, type Section, sections, type Show } from "../logic/comparison";
import { formatRatio, formatValue, significant } from "../logic/units";
import { VerdictMark } from "../ui/marks";
import { IntervalBar } from "./interval";
import { MeasuredTable } from "./measured";
import { Reasons } from "./reasons";
import { Scroll } from "../ui/scroll";

const SHOWS: [Show, string][] = [
  ["changed", "Changed"],
  ["primary", "Primary"],
  ["all", "All"],
];

/** A matrix may have two thousand groups, and nobody reads them all. */
const SECTIONS_SHOWN = 24;

/** Every metric of every candidate against the baseline, those that decide first. */
export function ComparisonTable({ comparison, start = "changed" }: { comparison: Comparison; start?: Show }) {
  if (comparison.measured.length > 0) return <MeasuredTable rows={comparison.measured} />;
  return <CandidatesTable comparison={comparison} start={start} />;
}

function CandidatesTable({ comparison, start }: { comparison: Comparison; start: Show }) {
  const [show, setShow] = useState<Show>(start);
  const [words, setWords] = useState("");
  const [most, setMost] = useState(SECTIONS_SHOWN);
  const shown = useMemo(() => sections(comparison, show, words), [comparison, show, words]);
  return (
    <section className="card" aria-labelledby="comparison-title" data-testid="comparison">
      <div className="table-tools">
        <h2 id="comparison-title">Comparison</h2>
        <div className="row">
          <div className="segments small" role="group" aria-label="Rows shown">
            {SHOWS.map(([value, name]) => (
              <button key={value} type="button" aria-pressed={show === value} onClick={() => setShow(value)}>
                {name}
              </button>
            ))}
          </div>
          <input
            className="input"
            style={{ width: "11rem" }}
            type="search"
            data-filter
            aria-label="Filter metrics"
            placeholder="Filter metrics"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      </div>
      {comparison.candidates.length === 0 && <p>No metric was measured on both sides.</p>}
      {shown.slice(0, most).map((section) => (
        <SectionTable key={section.id} section={section} comparison={comparison} />
      ))}
      {shown.length > most && (
        <p style={{ marginTop: "var(--s3)" }}>
          <button type="button" className="button" onClick={() => setMost(most + SECTIONS_SHOWN)}>
            Show more of {shown.length} groups
          </button>
        </p>
      )}
      <p className="small soft" style={{ marginTop: "var(--s3)" }}>
        Medians; the ratio is candidate / baseline with its 95 % interval, and the shaded stretch is the threshold of ±
        {significant(comparison.threshold_percent, 3)} %. Rows marked ● decide; the others are exploratory
        {comparison.deterministic ? "." : ", with a false-discovery rate."}
      </p>
    </section>
  );
}

function SectionTable({ section, comparison }: { section: Section; comparison: Comparison }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const reach = useMemo(
    () => barReach(section.rows, comparison.threshold_percent),
    [section.rows, comparison.threshold_percent],
  );
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <Scroll label={`${section.variant} against ${comparison.baseline}`}>
      <table className="data compared">
        <caption className="small" style={{ textAlign: "left", padding: "0.4rem 0.6rem" }}>
          <strong>{section.variant}</strong> against <strong>{comparison.baseline}</strong>
          {section.label && <span className="soft"> · {section.label}</span>}
          {section.hidden > 0 && <span className="soft"> · {section.hidden} rows not shown</span>}
        </caption>
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col" className="number">
              {comparison.baseline}
            </th>
            <th scope="col" className="number">
              {section.variant}
            </th>
            <th scope="col" className="number">
              ratio
            </th>
            <th scope="col" className="interval wide-only">
              <span className="row spread" style={{ flexWrap: "nowrap" }}>
                <span>{endWords(Math.exp(-reach))}</span>
                <span>1</span>
                <span>{endWords(Math.exp(reach))}</span>
              </span>
            </th>
            <th scope="col" className="wide-only">
              verdict
            </th>
            <th scope="col">
              <span className="hidden-text">reason</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {section.rows.map((row) => (
            <Fragment key={row.id}>
              <MetricRow
                row={row}
                reach={reach}
                thresholdPercent={comparison.threshold_percent}
                open={open.has(row.id)}
                onToggle={() => toggle(row.id)}
              />
              {open.has(row.id) && (
                <tr className="reasons" id={`reasons-${row.id}`}>
                  <td colSpan={7}>
                    <Reasons
                      metric={row.metric}
                      baseline={comparison.baseline}
                      candidate={section.variant}
                      order={comparison.order}
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
          {section.rows.length === 0 && (
            <tr>
              <td colSpan={7} className="soft">
                No row matches; {section.hidden} are hidden.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Scroll>
  );
}

function endWords(ratio: number): string {
  return `${Number(ratio.toPrecision(3))}×`;
}

interface RowProperties {
  row: Row;
  reach: number;
  thresholdPercent: number;
  open: boolean;
  onToggle: () => void;
}

function MetricRow({ row: { id, metric }, reach, thresholdPercent, open, onToggle }: RowProperties) {
  return (
    <tr className={metric.primary ? "primary" : ""} data-metric={metric.name}>
      <th scope="row" className="nowrap">
        {metric.primary && (
          <span title="primary: it decides" style={{ color: "var(--accent)" }}>
            ●<span className="hidden-text"> primary </span>{" "}
          </span>
        )}
        {metric.name}
        <div className="narrow-only">
          <VerdictMark verdict={metric.verdict} />
        </div>
      </th>
      <td className="number">{median(metric, "baseline")}</td>
      <td className="number">{median(metric, "candidate")}</td>
      <td className="number">
        {metric.ratio === null ? (
          <span className="soft">–</span>
        ) : (
          <>
            <strong>{formatRatio(metric.ratio)}</strong>
            <div className="soft">
              {metric.ci95
                ? `${significant(metric.ci95[0])} – ${significant(metric.ci95[1])}`
                : metric.exact
                  ? "exact"
                  : ""}
            </div>
          </>
        )}
      </td>
      <td className="interval wide-only">
        <IntervalBar metric={metric} reach={reach} thresholdPercent={thresholdPercent} />
      </td>
      <td className="wide-only">
        <VerdictMark verdict={metric.verdict} />
      </td>
      <td className="open-row">
        <button
          type="button"
          className="icon-button"
          aria-expanded={open}
          aria-controls={`reasons-${id}`}
          aria-label={`Why ${metric.name} is ${metric.verdict}`}
          onClick={onToggle}
        >
          {open ? "−" : "+"}
        </button>
      </td>
    </tr>
  );
}

function median(metric: MetricComparison, side: "baseline" | "candidate"): string {
  const value = metric[side].median ?? metric[side].mean;
  return value === null || value === undefined ? "–" : formatValue(value, metric.unit);
}
