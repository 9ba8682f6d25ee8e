// A series is brought, read patch by patch, compared with its older version, and found again in the list.
import { strict as assert } from "node:assert";
import { gzipSync } from "node:zlib";

import { open, photograph } from "./browser.mjs";

const change = (version, number) => `From: A Tester <tester@example.org>
Subject: [PATCH v${version} ${number}/2] slate: step ${number} <img src=x>
Message-Id: <${version}.${number}@example.org>
Date: Tue, 5 Mar 2024 10:20:30 +0100

Random writes are 30% faster.

Signed-off-by: A Tester <tester@example.org>
---
diff --git a/fs/slate/step${number}.c b/fs/slate/step${number}.c
--- a/fs/slate/step${number}.c
+++ b/fs/slate/step${number}.c
@@ -1,6 +1,8 @@ static int slate_step(void)
 one
 two
 three
+step ${number} <b>
+version ${version}
 four
 five
-six
diff --git a/include/slate.h b/include/slate.h
--- a/include/slate.h
+++ b/include/slate.h
@@ -1 +1 @@
-old${number}
+new${number}
`;

const series = (version) =>
  [1, 2]
    .map(
      (number) =>
        `From m@x Tue Mar  5 10:20:30 2024\n${change(version, number)}`,
    )
    .join("\n");

async function bring(page, text) {
  await page.getByLabel("A mail, an mbox, a diff, or where it is").fill(text);
  await page.getByRole("button", { name: "Read it" }).click();
}

export async function patches(page, browser, { base, claim, folder, looks }) {
  await claim("what is no patch is said to be none", async () => {
    // on a page of its own, because a browser's console tells of every refusal
    const other = await open(browser, base);
    await other.goto(`${base}/patches`);
    await bring(other, "Dear all, nothing to report.");
    await other.getByText("No patch was found in this text").waitFor();
    await bring(other, "https://example.org/1@x");
    await other.getByText("Patches are brought from").waitFor();
    await other.context().close();
  });
  await claim("a series is read with its warnings", async () => {
    await page.goto(base);
    await page.getByTestId("paste").locator("textarea").fill(series(1));
    await page.getByRole("button", { name: "Keep the patches" }).click();
    await page.waitForURL(/\/patches\/[0-9a-f]{64}$/);
    await page.getByText("version 1 · 2 patches · 3 files").waitFor();
    await page
      .getByText(/this hunk is cut short/)
      .first()
      .waitFor();
    await page.getByText("Random writes are 30% faster").first().waitFor();
  });
  await claim("a patch opens by keyboard and shows its diff", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const diff = page.getByTestId("diff").first();
    await diff.locator("tr.added", { hasText: "step 1 <b>" }).waitFor();
    assert.equal(await diff.locator("b, img").count(), 0);
    await diff.getByRole("button", { name: "slate.h" }).click();
    const focused = page.locator("summary:focus");
    assert.match(await focused.innerText(), /include\/slate\.h/);
    await page.keyboard.press("j");
    assert.match(await focused.innerText(), /2\/2/);
  });
  await claim("two versions are compared", async () => {
    await page.goto(`${base}/patches`);
    // as lore gives a thread: a compressed file
    await page.getByLabel("A file with patches").setInputFiles({
      name: "t.mbox.gz",
      mimeType: "application/gzip",
      buffer: gzipSync(series(2)),
    });
    await page.getByText("version 2 · 2 patches").waitFor();
    await page.getByLabel("The older version").selectOption({ index: 1 });
    const compared = page.getByTestId("range-diff");
    await compared.getByText("1 ! 1 slate: step 1").click();
    await compared.getByText("-+version 1").first().waitFor();
  });
  await page.locator("[data-patch] > summary").first().click();
  await page.getByTestId("diff").first().waitFor();
  looks.series = await photograph(page, folder, "series");
  await claim("series are listed and found by their words", async () => {
    await page.goto(`${base}/patches`);
    const list = page.getByRole("region", { name: "Series" });
    await list.getByRole("link").nth(1).waitFor();
    assert.equal(await list.getByRole("link").count(), 2);
    await list.getByLabel("Words in the title").fill("nothing like it");
    await list.getByText("No series matches.").waitFor();
    await list.getByLabel("Words in the title").fill("STEP 1");
    await list.getByText("v2", { exact: true }).waitFor();
  });
  looks.patches = await photograph(page, folder, "patches");
}
