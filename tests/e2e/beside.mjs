// What lies beside the straight way: the keyboard, running again, text from outside, a server that is away.
import { strict as assert } from "node:assert";

import { open, photograph, proxy } from "./browser.mjs";

const SLOW = (title, ms) => ({
  title,
  runner: "noop",
  device: { profile: "constant", noop_ms: ms },
  workload: { fio: "[a]\nrw=read\nsize=1m\n" },
  variants: [
    { name: "before" },
    { name: "after", device: { noop_iops: 1100 } },
  ],
  repeat: 6,
});

/** Many minutes of simulation on any machine. */
const LONG = {
  title: "slow",
  runner: "simulator",
  device: { profile: "stalling" },
  workload: {
    fio: "[a]\ndirect=1\nioengine=libaio\niodepth=64\nrw=randread\nsize=1g\ntime_based\nruntime=600000\n",
  },
  variants: [
    { name: "before" },
    { name: "after", device: { scheduler: "mq-deadline" } },
  ],
  repeat: 6,
};

async function submit(base, definition) {
  const response = await fetch(`${base}/api/v1/experiments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(definition),
  });
  assert.equal(response.status, 202, await response.clone().text());
  return (await response.json()).id;
}

export async function keyboard(page, { base, claim }) {
  await claim(
    "an experiment is defined and run by keyboard alone",
    async () => {
      await page.goto(base);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Tab");
      assert.equal(
        await page.evaluate(() => document.activeElement?.textContent),
        "Skip to the content",
      );
      await page.keyboard.press("n");
      await page.waitForURL(/\/new$/);
      const label = () =>
        page.evaluate(
          () =>
            document.activeElement?.labels?.[0]?.textContent ??
            document.activeElement?.textContent,
        );
      const tabTo = async (name, most) => {
        for (let presses = 0; presses < most; presses += 1) {
          if ((await label())?.trim() === name) return;
          await page.keyboard.press("Tab");
        }
        assert.fail(`${name} is not reached in ${most} presses of Tab`);
      };
      await page.getByLabel("Title").waitFor();
      await tabTo("Title", 30);
      await page.keyboard.type("by keyboard");
      await tabTo("Runner", 3);
      await page.keyboard.type("No op");
      assert.equal(await page.getByLabel("Runner").inputValue(), "noop");
      await page.getByText("nothing stands against it").waitFor();
      await tabTo("Run", 60);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/experiments\//);
      await page.getByRole("heading", { name: "by keyboard" }).waitFor();
      assert.equal(
        await page.evaluate(() => document.activeElement?.tagName),
        "H1",
      );
    },
  );
  await claim("the sheet of keys opens and closes by keyboard", async () => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });
}

export async function again(page, { base, claim, folder, id }) {
  await claim("an experiment begins another one with its text", async () => {
    await page.goto(`${base}/experiments/${id}`);
    await page.getByRole("link", { name: "New from this" }).click();
    await page.getByText("20 runs", { exact: true }).waitFor();
    assert.equal(
      await page.getByLabel("Title").inputValue(),
      "64 outstanding on a device that stalls",
    );
    assert.equal(await page.getByLabel("Seed").inputValue(), "3");
  });
  await claim("progress is seen while it runs", async () => {
    const slow = await submit(base, LONG);
    await page.goto(`${base}/experiments/${slow}`);
    await page.getByTestId("live").waitFor();
    await page.waitForFunction(() => {
      const live = document.querySelector('[data-testid="live"]');
      const bar = live?.querySelector('[role="progressbar"] i');
      const width = Number.parseFloat(bar?.style.width ?? "0");
      return (
        width > 0 && width < 100 && live?.querySelector(".cell.running") != null
      );
    });
    await page.locator(".live-plot canvas").waitFor();
    await page.screenshot({
      path: `${folder}/running-1400-light.png`,
      fullPage: true,
    });
  });
  await claim("a running experiment is cancelled", async () => {
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByTestId("answer").waitFor();
    await page.locator("header .mark.cancelled").waitFor();
  });
  await claim("an experiment is run again", async () => {
    const before = page.url();
    await page.getByRole("button", { name: "Rerun" }).click();
    await page.waitForURL(
      (url) => url.href !== before && url.pathname.startsWith("/experiments/"),
    );
    await page.getByRole("link", { name: "an earlier experiment" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByTestId("answer").waitFor();
  });
}

export async function refused(browser, { base, claim }) {
  // the browser itself notes every refused request on the console, so this page is not listened to
  const page = await open(browser, base, null);
  await claim(
    "what the server refuses is told at its field and line",
    async () => {
      await page.goto(`${base}/new`);
      await page.getByLabel("Repetitions of each variant").fill("5000000");
      await page.locator(".findings").getByText("repeat").first().waitFor();
      await page.getByTestId("run").click();
      await page.locator(".findings").getByText("repeat").first().waitFor();
      assert.equal(
        await page
          .getByLabel("Repetitions of each variant")
          .getAttribute("aria-invalid"),
        "true",
      );
      await page
        .getByRole("button", { name: /^line \d+$/ })
        .first()
        .click();
      assert.equal(
        await page.evaluate(() =>
          document.activeElement?.getAttribute("aria-label"),
        ),
        "Definition",
      );
    },
  );
  await page.context().close();
}

export async function reference(page, { base, claim, folder, looks }) {
  await claim("the reference names every device with its sources", async () => {
    const devices = await (await fetch(`${base}/api/v1/devices`)).json();
    await page.goto(`${base}/reference`);
    for (const device of devices) {
      const card = page.locator(`#device-${device.name}`);
      await card.waitFor();
      assert.equal(
        await card.locator("table").first().locator("tbody tr").count(),
        device.parameters.length,
      );
      assert.ok(
        (await card.innerText()).includes(device.sources[0].slice(0, 40)),
      );
    }
    looks.reference = await photograph(page, folder, "reference");
  });
  await claim("an address that leads nowhere says so", async () => {
    await page.goto(`${base}/nowhere`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    looks.nowhere = await photograph(page, folder, "not-found");
  });
}

export async function still(browser, { base, claim, id }) {
  await claim("nothing moves while a page fills", async () => {
    for (const [path, filled] of [
      ["/", ".list .title"],
      ["/new", ".cm-content"],
      [`/experiments/${id}`, "[data-testid=stages]"],
      ["/reference", "#device-constant"],
    ]) {
      const page = await open(browser, base, null);
      await page.addInitScript(() => {
        window.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.moved += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(base + path);
      await page.locator(filled).first().waitFor();
      await page.evaluate(
        () =>
          new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(done)),
          ),
      );
      const moved = await page.evaluate(() => window.moved);
      // 0.1 is where the web's own measure begins to call a page restless
      assert.ok(moved < 0.01, `${path} moved by ${moved}`);
      await page.context().close();
    }
  });
}

export async function theme(page, { base, claim }) {
  await claim("the theme that was chosen outlives a reload", async () => {
    await page.goto(base);
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Dark theme" }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
    assert.equal(await ground(), dark);
    await page.getByRole("button", { name: "Light theme" }).click();
    assert.equal(await ground(), light);
  });
}

export async function untrusted(page, { base, claim }) {
  await claim("text from outside is only ever text", async () => {
    const evil = '<img src=x onerror="document.title=1"><b>bold</b>';
    const definition = {
      ...SLOW(evil, 0),
      variants: [
        { name: evil.slice(0, 90) },
        { name: "</script><i>after</i>" },
      ],
    };
    definition.workload = {
      fio: `# ${evil}\n[${"a".repeat(80)}]\nrw=read\nsize=1m\n`,
    };
    const id = await submit(base, definition);
    await page.goto(`${base}/experiments/${id}`);
    await page.getByTestId("comparison").waitFor();
    await page.getByRole("heading", { level: 1, name: evil }).waitFor();
    assert.equal(
      await page.locator("main img, main b, main script").count(),
      0,
    );
    assert.notEqual(await page.title(), "1");
  });
}

export async function list(page, { base, claim, folder, looks }) {
  await claim("the list is filtered by the address", async () => {
    await page.goto(base);
    await page
      .getByRole("link", { name: "64 outstanding on a device that stalls" })
      .waitFor();
    looks.list = await photograph(page, folder, "home");
    await page.getByLabel("State").selectOption("cancelled");
    await page.waitForURL(/state=cancelled/);
    await page
      .getByRole("link", { name: "64 outstanding on a device that stalls" })
      .waitFor({ state: "detached" });
    await page.waitForFunction(
      () => document.querySelectorAll(".list .title").length === 2,
    );
    await page.getByLabel("Words in the title").fill("outstanding");
    await page.waitForURL(/q=outstanding/);
    await page.getByText("No experiment matches.").waitFor();
    await page.reload();
    assert.equal(
      await page.getByLabel("Words in the title").inputValue(),
      "outstanding",
    );
    await page.getByRole("link", { name: "Show all experiments" }).click();
    await page
      .getByRole("link", { name: "64 outstanding on a device that stalls" })
      .waitFor();
  });
  await claim(
    "a page is shown from its top, and the one before as it was left",
    async () => {
      const last = page.locator(".list .title").last();
      const size = page.viewportSize();
      await page.setViewportSize({ width: 1400, height: 400 });
      await last.scrollIntoViewIfNeeded();
      const left = await page.evaluate(() => window.scrollY);
      assert.ok(left > 0, "the list is longer than the window");
      await last.click();
      await page.waitForURL(/\/experiments\//);
      await page.waitForFunction(() => window.scrollY === 0);
      await page.goBack();
      await page.waitForFunction((y) => window.scrollY === y, left);
      await page.setViewportSize(size);
    },
  );
}

export async function cutOff(browser, { base, claim }) {
  const line = await proxy(base);
  // what a browser says of a line that is cut is no complaint of the page
  const page = await open(browser, line.base, null);
  try {
    await claim("a broken stream is mended by itself", async () => {
      const id = await submit(base, SLOW("cut off", 700));
      await page.goto(`${line.base}/experiments/${id}`);
      await page.locator(".cell.running").first().waitFor();
      line.cut();
      await page.getByText("Reconnecting…").waitFor();
      line.mend();
      await page.getByTestId("answer").waitFor({ timeout: 40_000 });
    });
    await claim(
      "a server that is away is said to be, until it answers again",
      async () => {
        await page.goto(line.base);
        await page.getByRole("link", { name: "cut off" }).waitFor();
        line.cut();
        await page.getByLabel("State").selectOption("done");
        await page
          .getByText("The server does not answer. What you see may be old")
          .waitFor();
        line.mend();
        await page
          .getByText("The server does not answer. What you see may be old")
          .waitFor({ state: "detached" });
        await page.getByRole("link", { name: "cut off" }).waitFor();
      },
    );
  } finally {
    line.close();
    await page.context().close();
  }
}
