// A matrix is seen at a glance, and each of its cells in words.
import { strict as assert } from "node:assert";

import { photograph } from "./browser.mjs";

const DEFINITION = {
  title: "a matrix",
  runner: "noop",
  device: { profile: "constant" },
  workload: { fio: "[a]\nrw=read\nsize=1m\n" },
  variants: [
    { name: "before" },
    { name: "after", device: { noop_iops: 1100 } },
  ],
  matrix: { "device.noop_ms": [0, 1, 2], "environment.X": ["a", "b"] },
  repeat: 6,
};

export async function matrix(page, { base, claim, folder, looks }) {
  await claim("a matrix is seen at a glance", async () => {
    const response = await fetch(`${base}/api/v1/experiments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(DEFINITION),
    });
    assert.equal(response.status, 202, await response.clone().text());
    await page.goto(`${base}/experiments/${(await response.json()).id}`);
    const map = page.getByTestId("matrix");
    await map.waitFor();
    assert.equal(await map.locator("td.improved").count(), 6);
    assert.match(await map.locator("td.improved").first().innerText(), /1\.10/);
    assert.match(
      await map.locator("td.improved").first().getAttribute("title"),
      /^improved: /,
    );
    looks.matrix = await photograph(page, folder, "matrix");
  });
}
