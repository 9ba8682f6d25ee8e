// Drives a real browser through Lodestone and prints, as JSON, what was seen of each claim.
// node journey.mjs BASE CHROMIUM FOLDER
import { strict as assert } from "node:assert";

import { launch, open, pasteOver, photograph, WAIT_MS } from "./browser.mjs";
import * as beside from "./beside.mjs";
import { patches } from "./patches.mjs";
import { matrix } from "./matrix.mjs";
import { reports } from "./reports.mjs";

const [, , base, executable, folder] = process.argv;
const heard = { console: [], foreign: [] };
const claims = {};
/** Of each page: how far it reaches beyond 360 pixels, and what axe finds. */
const looks = {};

/** Try one claim; what it finds wrong is its result, and the journey goes on. */
export async function claim(name, work) {
  try {
    await work();
    claims[name] = "";
  } catch (error) {
    claims[name] = String(error?.stack ?? error);
  }
  console.error(
    `${performance.now().toFixed(0).padStart(7)} ms  ${claims[name] ? "NOT " : ""}${name}`,
  );
}

const JOB = `[global]
ioengine=libaio
direct=1
bs=4k
thread
group_reporting
directory=/mnt/sda1/
filename=testfile
filesize=10g
size=10g
runtime=120
iodepth=16

[fio]
rw=randrw
numjobs=4
`;

const get = async (path) => (await fetch(base + path)).json();
const idOf = (page) => new URL(page.url()).pathname.split("/").at(-1);

async function home(page) {
  await claim("an empty server says what to do", async () => {
    await page.goto(base);
    await page.getByText("Nothing has been run here yet.").waitFor();
    await page.getByRole("heading", { name: "Examples" }).waitFor();
    await page
      .getByRole("button", { name: /^Run: / })
      .first()
      .waitFor();
  });
  await claim(
    "the first page needs at most 250 kB of script, compressed",
    async () => {
      const { gzipSync } = await import("node:zlib");
      const addresses = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map((entry) => entry.name)
          .filter((name) => name.endsWith(".js")),
      );
      assert.ok(addresses.length > 0);
      let bytes = 0;
      for (const address of addresses)
        bytes += gzipSync(
          Buffer.from(await (await fetch(address)).arrayBuffer()),
        ).length;
      assert.ok(bytes <= 250_000, `${bytes} bytes`);
    },
  );
  looks.home = await photograph(page, folder, "home-empty");
}

async function define(page) {
  await page.getByRole("link", { name: "New experiment" }).click();
  await page.getByLabel("Title").fill("64 outstanding on a device that stalls");
  await page.getByLabel("Device profile").selectOption("stalling");
  await claim(
    "an unknown option is told at its line, before anything is run",
    async () => {
      await pasteOver(page, "fio job", JOB.replace("iodepth=16", "iodpeth=16"));
      await page
        .getByTestId("job-finding")
        .filter({ hasText: "Line 12:" })
        .waitFor();
      assert.match(
        await page.getByTestId("job-finding").innerText(),
        /iodpeth/,
      );
      const marked = page.locator(
        '.editor:has([aria-label="fio job"]) .cm-lint-marker-error',
      );
      await marked.waitFor();
      const line = page
        .locator(
          '.editor:has([aria-label="fio job"]) .cm-lineNumbers .cm-gutterElement',
        )
        .filter({ hasText: /^12$/ });
      const [a, b] = [await marked.boundingBox(), await line.boundingBox()];
      assert.ok(
        Math.abs(a.y + a.height / 2 - (b.y + b.height / 2)) < b.height / 2,
        "the mark stands beside line 12",
      );
      // the same finding stands in the text of the whole definition
      await page.locator(".findings").getByText("iodpeth").first().waitFor();
    },
  );
  await pasteOver(page, "fio job", JOB);
  await claim("the number of runs is said before Run", async () => {
    await page.getByText("20 runs", { exact: true }).waitFor();
    await page.getByText("nothing stands against it").waitFor();
  });
  await claim("form and text are the same definition", async () => {
    const text = page.locator('.cm-content[aria-label="Definition"]');
    assert.match(await text.innerText(), /profile: stalling/);
    await page.getByLabel("Repetitions of each variant").fill("8");
    await page.getByText("16 runs", { exact: true }).waitFor();
    assert.match(await text.innerText(), /repeat: 8/);
    await pasteOver(
      page,
      "Definition",
      (await editorText(page, "Definition")).replace(
        "repeat: 8",
        "repeat: 10 # as always",
      ),
    );
    await page.getByText("20 runs", { exact: true }).waitFor();
    assert.equal(
      await page.getByLabel("Repetitions of each variant").inputValue(),
      "10",
    );
    await page.getByLabel("Seed").fill("3");
    assert.match(await text.innerText(), /repeat: 10 # as always/);
  });
  await claim("a draft outlives a reload", async () => {
    await page.reload();
    await page.getByText("20 runs", { exact: true }).waitFor();
    assert.equal(
      await page.getByLabel("Title").inputValue(),
      "64 outstanding on a device that stalls",
    );
  });
  looks.new = await photograph(page, folder, "new");
}

const editorText = (page, label) =>
  page.evaluate(async (name) => {
    const lines = document.querySelectorAll(
      `.cm-content[aria-label="${name}"] .cm-line`,
    );
    return [...lines].map((line) => line.textContent).join("\n");
  }, label);

async function follow(page) {
  const before = (await get("/api/v1/experiments")).items.length;
  await page.getByTestId("run").dblclick();
  await page.waitForURL(/\/experiments\//);
  const id = idOf(page);
  await claim("one double click makes one experiment", async () => {
    assert.equal((await get("/api/v1/experiments")).items.length, before + 1);
  });
  await claim("the job arrives to the letter", async () => {
    assert.equal(
      (await get(`/api/v1/experiments/${id}`)).definition.workload.fio,
      JOB,
    );
  });
  await page.getByTestId("comparison").waitFor({ timeout: 60_000 });
  return id;
}

async function read(page, id) {
  const comparison = await get(`/api/v1/experiments/${id}/comparison`);
  const text = await (
    await fetch(`${base}/api/v1/experiments/${id}/comparison.txt`)
  ).text();
  await claim("the verdict and the headline are the server's", async () => {
    const { headline } = await get(`/api/v1/experiments/${id}`);
    const answer = await page.getByTestId("answer").innerText();
    assert.ok(answer.includes(comparison.verdict), answer);
    assert.ok(
      answer.replace(/\s+/g, " ").includes(headline.replace(/\s+/g, " ")),
      answer,
    );
  });
  await claim("the table says the figures of the server's text", async () => {
    await page.getByRole("button", { name: "All", exact: true }).click();
    const rows = await page
      .locator(".compared tr[data-metric]")
      .evaluateAll((found) =>
        found.map((row) => [
          row.dataset.metric,
          ...[...row.querySelectorAll("td.number")].map((cell) =>
            cell.innerText.split("\n")[0].trim(),
          ),
        ]),
      );
    assert.deepEqual(
      rows.map(([name]) => name).sort(),
      comparison.candidates[0].metrics.map(({ name }) => name).sort(),
    );
    assert.equal(rows[0][0], "total.iops", "what decides comes first");
    const said = text.replaceAll(" us", " µs");
    const listed = rows.filter(([name]) => said.includes(` ${name} `));
    assert.ok(listed.length > 0);
    for (const [, before, after] of listed)
      assert.ok(
        said.includes(`${before} -> ${after}`),
        `${before} -> ${after} is not in the text`,
      );
  });
  await claim("why a verdict is what it is can be asked", async () => {
    await page.getByRole("button", { name: /^Why total.iops is / }).click();
    const reason = comparison.candidates[0].metrics.find(
      (metric) => metric.name === "total.iops",
    ).reason;
    assert.ok((await page.locator(".reasons").innerText()).includes(reason));
  });
  await claim(
    "the latency curves of both variants are drawn, and their tail",
    async () => {
      const card = page.getByTestId("latency");
      await card.locator("canvas").waitFor();
      assert.deepEqual(
        (await card.locator("th.number").allInnerTexts()).slice(0, 2),
        ["none", "mq-deadline"],
      );
      const ink = () =>
        card.locator("canvas").evaluate((canvas) => {
          const { data } = canvas
            .getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height);
          const colours = new Set();
          for (let at = 0; at < data.length; at += 4)
            if (data[at + 3] > 200)
              colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
          return colours.size;
        });
      assert.ok((await ink()) > 3, "the canvas has lines");
      await card.getByRole("button", { name: "Tail" }).click();
      await card.getByRole("img", { name: /took longer/ }).waitFor();
      assert.ok((await ink()) > 3, "the tail has lines");
    },
  );
  await claim(
    "time series, stages, runs and remarks at their lines are shown",
    async () => {
      await page.getByTestId("series").locator("canvas").waitFor();
      assert.match(await page.getByTestId("stages").innerText(), /d2c/);
      assert.match(await page.getByTestId("why").innerText(), /a read takes/);
      assert.equal(
        await page.getByTestId("runs").locator("tbody tr").count(),
        20,
      );
      const remarks = await page.locator(".job li").allInnerTexts();
      const at = remarks.findIndex((line) =>
        line.includes("directory=/mnt/sda1/"),
      );
      assert.match(remarks[at + 1], /mapped/);
    },
  );
  await claim("the text table goes to the clipboard", async () => {
    await page.getByRole("button", { name: "Copy text table" }).click();
    await page.getByText("Copied").first().waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      text,
    );
  });
  // as it is first seen: without the rows that did not change
  await page.getByRole("button", { name: "Changed", exact: true }).click();
  looks.experiment = await photograph(page, folder, "experiment");
}

async function share(page, browser) {
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Make a link and copy it" }).click();
  const link = page.locator(".shares a");
  await link.waitFor();
  const address = await link.getAttribute("href");
  const reader = await open(browser, base, null, { javaScriptEnabled: false });
  await claim(
    "a share is read in a fresh browser without scripts",
    async () => {
      await page.waitForFunction(
        async (path) => (await navigator.clipboard.readText()).endsWith(path),
        address,
      );
      const response = await reader.goto(base + address);
      assert.equal(response.status(), 200);
      assert.match(
        await reader.locator("body").innerText(),
        /64 outstanding on a device that stalls/,
      );
      await reader.screenshot({
        path: `${folder}/share-1400-light.png`,
        fullPage: true,
      });
    },
  );
  await claim("a revoked share is gone", async () => {
    await page.getByRole("button", { name: /^Revoke / }).click();
    await page.getByText("There is no link yet.").waitFor();
    assert.equal((await reader.goto(base + address)).status(), 404);
  });
  await reader.context().close();
  await page.keyboard.press("Escape");
}

async function main() {
  const browser = await launch(executable);
  try {
    const page = await open(browser, base, heard);
    await home(page);
    await define(page);
    const id = await follow(page);
    await read(page, id);
    await share(page, browser);
    await beside.keyboard(page, { base, claim });
    await beside.again(page, { base, claim, folder, id });
    await beside.refused(browser, { base, claim });
    await beside.reference(page, { base, claim, folder, looks });
    await beside.still(browser, { base, claim, id });
    await beside.theme(page, { base, claim });
    await beside.untrusted(page, { base, claim });
    await beside.list(page, { base, claim, folder, looks });
    await reports(page, browser, { base, claim, folder, looks });
    await patches(page, browser, { base, claim, folder, looks });
    await matrix(page, { base, claim, folder, looks });
    await beside.cutOff(browser, { base, claim });
    await claim("no page reaches beyond a width of 360 pixels", async () => {
      assert.deepEqual(Object.keys(looks), [
        "home",
        "new",
        "experiment",
        "reference",
        "nowhere",
        "list",
        "report",
        "series",
        "patches",
        "matrix",
      ]);
      assert.deepEqual(
        Object.entries(looks).filter(([, { beyond }]) => beyond > 0),
        [],
      );
    });
    await claim(
      "axe finds nothing against WCAG 2.2 A and AA, at either width and in either theme",
      async () => {
        const found = Object.entries(looks).flatMap(([page, { faults }]) =>
          faults.map((fault) => `${page} ${fault}`),
        );
        assert.equal(found.join("\n"), "");
      },
    );
    await claim("nothing is complained about on the console", async () =>
      assert.deepEqual(heard.console, []),
    );
    await claim("no other host is asked for anything", async () =>
      assert.deepEqual(heard.foreign, []),
    );
  } catch (error) {
    claims["the journey comes to its end"] = String(error?.stack ?? error);
  } finally {
    claims["the journey comes to its end"] ??= "";
    await browser.close();
  }
}

const limit = setTimeout(() => {
  console.log(
    JSON.stringify({
      ...claims,
      "the journey comes to its end": "it took longer than four minutes",
    }),
  );
  process.exit(1);
}, 16 * WAIT_MS);
await main();
clearTimeout(limit);
console.log(JSON.stringify(claims));
