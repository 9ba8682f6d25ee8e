import type { FileChange } from "../api/types";
import { counted } from "../logic/series";

/** Lines added and deleted; what is not counted is said, never shown as zero. */
export function Counts({ files }: { files: readonly FileChange[] }) {
  const { added, deleted, uncounted } = counted(files);
  const counts = files.length > uncounted;
  return (
    <span className="diff-counts">
      {counts && (
        <>
          <span className="more">+{added}</span> <span className="less">−{deleted}</span>
        </>
      )}
      {uncounted > 0 && (
        <span className="soft">
          {counts && " and "}
          {uncounted === files.length && uncounted === 1 ? "lines not counted" : `${uncounted} not counted`}
        </span>
      )}
    </span>
  );
}
