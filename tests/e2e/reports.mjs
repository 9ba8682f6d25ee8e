// A mail is pasted, kept, paired anew, shared, and made an experiment.
import { strict as assert } from "node:assert";

import { open, photograph } from "./browser.mjs";

const MAIL = `From: A Tester <tester@example.org>
Subject: [PATCH v2] queue: wake one waiter per request

Bandwidth improves by 20%.

Before this patch set:
  read: IOPS=50.0k, BW=195MiB/s (205MB/s)(1953MiB/10001msec)

After this patch set:
  read: IOPS=60.0k, BW=234MiB/s (246MB/s)(2344MiB/10001msec)

With a bigger batch:
  read: IOPS=45.0k, BW=176MiB/s (184MB/s)(1758MiB/10001msec)

[readers]
ioengine=libaio
direct=1
rw=randread
bs=4k
iodepth=32
runtime=10
time_based
filename=/dev/nvme0n1
`;

const cellOf = (page, variant) =>
  page
    .getByTestId("comparison")
    .locator("table", { hasText: `${variant} against` })
    .locator('tr[data-metric="read.iops"]');

export async function reports(page, browser, { base, claim, folder, looks }) {
  await claim("a pasted mail says what it is, and what it is not", async () => {
    await page.goto(base);
    const box = page.getByTestId("paste");
    await box.locator("textarea").fill("Dear all, nothing to report.");
    await box.getByText("was found in this text").waitFor();
    assert.equal(
      await box.getByRole("button", { name: /^Make it/ }).count(),
      0,
    );
    await box.locator("textarea").fill(MAIL);
    await box.getByText(/figures of fio/).waitFor();
    await box.getByText("inconclusive", { exact: true }).waitFor();
  });
  await claim("a mail is kept as a report with its comparison", async () => {
    await page.getByRole("button", { name: "Make it a report" }).click();
    await page.waitForURL(/\/reports\//);
    await page
      .getByRole("heading", {
        name: "[PATCH v2] queue: wake one waiter per request",
      })
      .waitFor();
    assert.match(
      await cellOf(page, "After this patch set").innerText(),
      /1\.200×/,
    );
    assert.match(
      await cellOf(page, "With a bigger batch").innerText(),
      /0\.9000×/,
    );
  });
  const address = page.url();
  await claim("a figure leads to its line", async () => {
    const row = page
      .getByTestId("figures")
      .locator("tr", { hasText: "read.iops" })
      .first();
    await row.getByRole("button").click();
    await page
      .locator(".text-lines .shown", { hasText: "IOPS=50.0k" })
      .waitFor();
  });
  looks.report = await photograph(page, folder, "report");
  await claim("its reader says which label is which side", async () => {
    const sides = page.getByTestId("sides");
    await sides.locator("summary").click();
    await sides.getByLabel("With a bigger batch is the baseline").check();
    await sides.getByLabel("Variant of Before this patch set").fill("");
    await sides.getByRole("button", { name: "Compare these" }).click();
    await cellOf(page, "After this patch set").getByText("1.333×").waitFor();
    await page.reload();
    await cellOf(page, "After this patch set").getByText("1.333×").waitFor();
  });
  await claim("a report is shared and read without scripts", async () => {
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("button", { name: "Make a link and copy it" }).click();
    const path = await page
      .getByRole("list", { name: "Links" })
      .getByRole("link")
      .first()
      .getAttribute("href");
    const reader = await open(browser, base, null, {
      javaScriptEnabled: false,
    });
    assert.equal((await reader.goto(base + path)).status(), 200);
    const text = await reader.locator("body").innerText();
    assert.match(text, /wake one waiter per request/);
    assert.match(text, /1\.333/);
    await reader.context().close();
    await page.keyboard.press("Escape");
  });
  await claim("a report becomes an experiment", async () => {
    await page.getByRole("link", { name: "Make this an experiment" }).click();
    // the text does not say in what its sides differ, and the page does not pretend to know
    await page.getByText("read this first").waitFor();
    await page
      .getByText(/declare the same/)
      .first()
      .waitFor();
    const text = await page
      .locator('.cm-content[aria-label="Definition"]')
      .innerText();
    assert.match(text, /rw=randread/);
    assert.match(text, /name: With a bigger batch/);
  });
  await claim("reports are listed beside the experiments", async () => {
    await page.goto(`${base}/?show=reports`);
    await page.getByRole("link", { name: /wake one waiter/ }).click();
    await page.waitForURL(address);
  });
}
