import { useState } from "react";

import type { FileChange } from "../api/types";
import { type DiffLine, type FileDiff, firstLines } from "../logic/diff";
import { inFewWords } from "../logic/series";
import { Scroll } from "../ui/scroll";
import { Counts } from "./counts";

/** Lines of one file that are drawn at once. */
const SHOWN = 600;

const SIGNS: Record<DiffLine["kind"], string> = { added: "+", deleted: "−", context: " ", note: "\\" };

/** One file of a change, to be opened and closed. */
export function DiffFile({ file, diff, id }: { file: FileChange; diff: FileDiff | undefined; id: string }) {
  const lines = diff?.hunks.reduce((count, hunk) => count + hunk.lines.length, 0) ?? 0;
  const words = inFewWords(file);
  return (
    <details className="diff-file" id={id} open={lines > 0 && lines <= SHOWN}>
      <summary>
        <span className="path">{file.path}</span>
        {words && <span className="soft small">{words}</span>}
        <Counts files={[file]} />
      </summary>
      {diff && lines > 0 ? (
        <Lines diff={diff} path={file.path} total={lines} />
      ) : (
        <p className="soft small" style={{ padding: "var(--s2) var(--s3)" }}>
          {file.binary
            ? "A binary file."
            : file.whole
              ? "No lines are changed."
              : "Its lines are not in the text, or cannot be told apart."}
        </p>
      )}
    </details>
  );
}

function Lines({ diff, path, total }: { diff: FileDiff; path: string; total: number }) {
  const [all, setAll] = useState(total <= SHOWN);
  const hunks = all ? diff.hunks : firstLines(diff.hunks, SHOWN);
  return (
    <>
      <Scroll label={`Changes of ${path}`}>
        <table className="diff">
          <tbody>
            {hunks.flatMap((hunk, index) => [
              <tr key={`${index}`} className="section">
                <td colSpan={4}>
                  line {hunk.newStart}
                  {hunk.section && `, in ${hunk.section}`}
                </td>
              </tr>,
              ...hunk.lines.map((line, at) => <Line key={`${index} ${at}`} line={line} />),
            ])}
          </tbody>
        </table>
      </Scroll>
      {!all && (
        <button type="button" className="button link" onClick={() => setAll(true)}>
          Show all {total} lines
        </button>
      )}
    </>
  );
}

function Line({ line }: { line: DiffLine }) {
  return (
    <tr className={line.kind}>
      <td className="place">{line.old}</td>
      <td className="place">{line.new}</td>
      <td className="sign">{SIGNS[line.kind]}</td>
      <td>{line.text}</td>
    </tr>
  );
}
