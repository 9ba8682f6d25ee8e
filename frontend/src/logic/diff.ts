/** One line of a hunk; the numbers are those of the old and the new file, null where the line is not in it. */
export interface DiffLine {
  kind: "context" | "added" | "deleted" | "note";
  old: number | null;
  new: number | null;
  text: string;
}

export interface Hunk {
  /** What stands behind the second `@@`: mostly the function. */
  section: string;
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

export interface FileDiff {
  path: string;
  oldPath: string | null;
  /** Modes, renames and the like, as git writes them. */
  headers: string[];
  binary: boolean;
  hunks: Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS: Record<string, DiffLine["kind"]> = { "+": "added", "-": "deleted", " ": "context", "\\": "note" };

/** Read a diff in git's form, as the server writes it. */
export function readDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  let hunk: Hunk | undefined;
  let old = 0;
  let now = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const begun = line.startsWith("diff --git ") ? names(line.slice(11)) : undefined;
    if (begun) {
      file = { path: begun[1], oldPath: null, headers: [], binary: false, hunks: [] };
      files.push(file);
      hunk = undefined;
      continue;
    }
    if (!file) continue;
    const found = HUNK.exec(line);
    if (found) {
      old = Number(found[1]);
      now = Number(found[2]);
      hunk = { section: found[3] ?? "", oldStart: old, newStart: now, lines: [] };
      file.hunks.push(hunk);
    } else if (hunk) {
      const kind = KINDS[line.charAt(0)] ?? "context";
      const isOld = kind === "context" || kind === "deleted";
      const isNew = kind === "context" || kind === "added";
      hunk.lines.push({ kind, old: isOld ? old++ : null, new: isNew ? now++ : null, text: line.slice(1) });
    } else {
      header(file, line);
    }
  }
  return files;
}

function header(file: FileDiff, line: string) {
  if (line === "GIT binary patch" || line.startsWith("Binary files ")) file.binary = true;
  else if (line.startsWith("rename from ") || line.startsWith("copy from ")) {
    file.oldPath = line.slice(line.indexOf(" from ") + 6);
    file.headers.push(line);
  } else if (/^(?:old mode|new mode|new file|deleted file|similarity|rename|copy) /.test(line)) file.headers.push(line);
}

/** Both names of a `diff --git` line; they are the same but for renames, whose names stand in lines of their own. */
function names(rest: string): [string, string] {
  if (rest.startsWith('"')) {
    const quoted = [...rest.matchAll(/"(?:[^"\\]|\\.)*"/g)].map((found) => bare(found[0].slice(1, -1)));
    return [quoted[0] ?? rest, quoted[1] ?? quoted[0] ?? rest];
  }
  const middle = rest.indexOf(" b/", rest.length % 2 === 1 ? (rest.length - 1) / 2 : 0);
  const at = middle >= 0 ? middle : rest.lastIndexOf(" b/");
  return at < 0 ? [rest, rest] : [bare(rest.slice(0, at)), bare(rest.slice(at + 1))];
}

function bare(name: string): string {
  return name.replace(/^[ab]\//, "").replace(/\\(["\\])/g, "$1");
}

/** The beginning of some hunks, as many lines as are asked for. */
export function firstLines(hunks: readonly Hunk[], count: number): Hunk[] {
  const first: Hunk[] = [];
  let left = count;
  for (const hunk of hunks) {
    if (left <= 0) break;
    first.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return first;
}

/** A folder or a file of the tree beside a diff. */
export interface TreeNode {
  /** Folders that hold one folder alone are drawn as one. */
  name: string;
  path: string;
  /** The file's place in the list, null for a folder. */
  index: number | null;
  children: TreeNode[];
}

/** The files of a change as a tree, folders before files, each in the order of the alphabet. */
export function fileTree(paths: readonly string[]): TreeNode[] {
  const root: TreeNode = { name: "", path: "", index: null, children: [] };
  paths.forEach((path, index) => {
    const parts = path.split("/");
    let node = root;
    parts.forEach((name, depth) => {
      const isFile = depth === parts.length - 1;
      const known = isFile ? undefined : node.children.find((child) => child.index === null && child.name === name);
      const next = known ?? {
        name,
        path: parts.slice(0, depth + 1).join("/"),
        index: isFile ? index : null,
        children: [],
      };
      if (!known) node.children.push(next);
      node = next;
    });
  });
  return sorted(root.children.map(folded));
}

function folded(node: TreeNode): TreeNode {
  let current = node;
  for (;;) {
    const only = current.children[0];
    if (current.index !== null || current.children.length !== 1 || !only || only.index !== null) break;
    current = { ...only, name: `${current.name}/${only.name}` };
  }
  return { ...current, children: sorted(current.children.map(folded)) };
}

function sorted(nodes: TreeNode[]): TreeNode[] {
  return nodes.sort(
    (a, b) => Number(a.index !== null) - Number(b.index !== null) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}
