import { describe, expect, it } from "vitest";

import { fileTree, firstLines, readDiff } from "./diff";

const DIFF = `diff --git a/fs/slate/inode.c b/fs/slate/inode.c
index 1111111..2222222 100644
--- a/fs/slate/inode.c
+++ b/fs/slate/inode.c
@@ -10,4 +10,5 @@ static int slate_write(void)
 one
-two
+2
+2.5
 three
\\ No newline at end of file
diff --git a/old name.c b/new name.c
similarity index 90%
rename from old name.c
rename to new name.c
diff --git a/image.bin b/image.bin
new file mode 100644
GIT binary patch
literal 3
Kcmx
diff --git "a/t\\"x.c" "b/t\\"x.c"
--- "a/t\\"x.c"
+++ "b/t\\"x.c"
@@ -1 +1 @@
--- a line that begins like a header
+++ another
`;

describe("a diff", () => {
  const files = readDiff(DIFF);

  it("has its files, by their new names", () => {
    expect(files.map((file) => file.path)).toEqual(["fs/slate/inode.c", "new name.c", "image.bin", 't"x.c']);
    expect(files.map((file) => file.oldPath)).toEqual([null, "old name.c", null, null]);
    expect(files.map((file) => file.binary)).toEqual([false, false, true, false]);
  });

  it("numbers the lines of both sides", () => {
    const hunk = files[0]?.hunks[0];
    expect(hunk?.section).toBe("static int slate_write(void)");
    expect(hunk?.lines.map((line) => [line.kind, line.old, line.new, line.text])).toEqual([
      ["context", 10, 10, "one"],
      ["deleted", 11, null, "two"],
      ["added", null, 11, "2"],
      ["added", null, 12, "2.5"],
      ["context", 12, 13, "three"],
      ["note", null, null, " No newline at end of file"],
    ]);
  });

  it("takes lines that look like headers for what they are inside a hunk", () => {
    expect(files[3]?.hunks[0]?.lines.map((line) => line.text)).toEqual([
      "-- a line that begins like a header",
      "++ another",
    ]);
  });

  it("is cut after a number of lines", () => {
    const hunks = [...(files[0]?.hunks ?? []), ...(files[3]?.hunks ?? [])];
    expect(firstLines(hunks, 7).map((hunk) => hunk.lines.length)).toEqual([6, 1]);
    expect(firstLines(hunks, 6).map((hunk) => hunk.lines.length)).toEqual([6]);
  });

  it("of nothing is nothing", () => {
    expect(readDiff("")).toEqual([]);
  });
});

describe("the tree of files", () => {
  it("draws folders first and lone folders as one", () => {
    const tree = fileTree(["fs/ext4/inode.c", "fs/ext4/ext4.h", "Makefile", "include/trace/events/ext4.h"]);
    expect(tree.map((node) => node.name)).toEqual(["fs/ext4", "include/trace/events", "Makefile"]);
    expect(tree[0]?.children.map((node) => [node.name, node.index])).toEqual([
      ["ext4.h", 1],
      ["inode.c", 0],
    ]);
  });

  it("keeps a folder and a file of one name apart", () => {
    expect(fileTree(["a", "a/b"]).map((node) => [node.name, node.index])).toEqual([
      ["a", null],
      ["a", 0],
    ]);
  });
});
