import type { FileChange, Patch, PatchDetail } from "../api/types";
import { plural } from "./paste";

/** Where a patch stands: `2/4`, `cover`, or nothing where the text does not say. */
export function place(patch: Patch): string {
  if (patch.position === 0) return "cover";
  if (patch.position === null) return "–";
  return patch.total === null ? `${patch.position}` : `${patch.position}/${patch.total}`;
}

/** The message without the trailers at its end, which are listed apart. */
export function prose(patch: Patch): string {
  const lines = patch.message.split("\n");
  for (;;) {
    const last = lines.at(-1);
    if (last === undefined) return "";
    if (last.trim() && !patch.trailers.some((trailer) => last.startsWith(`${trailer.key}:`))) return lines.join("\n");
    lines.pop();
  }
}

/** Lines added and deleted by some files; binary and combined files have none to count. */
export function counted(files: readonly FileChange[]): { added: number; deleted: number; uncounted: number } {
  let added = 0;
  let deleted = 0;
  let uncounted = 0;
  for (const file of files) {
    if (file.added === null || file.deleted === null) uncounted += 1;
    else {
      added += file.added;
      deleted += file.deleted;
    }
  }
  return { added, deleted, uncounted };
}

/** What one file's change is, in a few words beside its counts. */
export function inFewWords(file: FileChange): string {
  const parts: string[] = [];
  if (file.status !== "modified" && file.status !== "mode") parts.push(file.status);
  if (file.old_path !== null) parts.push(`from ${file.old_path}`);
  if (file.binary) parts.push("binary");
  if (file.old_mode !== null && file.new_mode !== null) parts.push(`mode ${file.old_mode} → ${file.new_mode}`);
  if (!file.whole) parts.push("not whole");
  return parts.join(", ");
}

/** The series in one line: version, patches, files, lines. */
export function summary(detail: PatchDetail): string {
  const applied = detail.series.order.flatMap((index) => detail.patches[index] ?? []);
  const files = applied.flatMap((patch) => patch.files);
  const { added, deleted } = counted(files);
  const total = detail.series.total;
  const patches =
    total !== null && total !== applied.length
      ? `${applied.length} of ${total} patches`
      : plural(applied.length, "patch", "patches");
  const paths = new Set(files.map((file) => file.path)).size;
  const changed = paths > 0 ? ` · ${plural(paths, "file", "files")}, +${added} −${deleted}` : "";
  return `version ${detail.series.version} · ${patches}${changed}`;
}

/** The signs of a range-diff, in words. */
export const SIGNS: Record<string, string> = { "=": "the same", "!": "changed", "<": "dropped", ">": "new" };
