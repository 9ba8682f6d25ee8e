import type { Finding } from "../editor/editor";

const FINDINGS_SHOWN = 4;

/** What is said of the job, errors first; the others stand at their lines in the editor. */
export function JobFindings({ findings }: { findings: readonly Finding[] }) {
  const sorted = [...findings].sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const more = sorted.length - FINDINGS_SHOWN;
  return (
    <div className="small soft" style={{ minHeight: "1.25rem" }} data-testid="job-finding">
      {sorted.length === 0 && "Paste a whole job file; it is kept to the letter."}
      {sorted.slice(0, FINDINGS_SHOWN).map((finding) => (
        <p key={`${finding.line} ${finding.message}`} className={finding.severity === "error" ? "fault" : ""}>
          Line {finding.line}: {finding.message}
        </p>
      ))}
      {more > 0 && <p>{more} more at their lines</p>}
    </div>
  );
}
