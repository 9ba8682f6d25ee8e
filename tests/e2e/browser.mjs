// A real browser, what it said and asked for, and a proxy through which the server can be cut off.
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(
  new URL("../../frontend/package.json", import.meta.url),
);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];
const MORE_FLAGS = ["--disable-component-update", "--disable-sync"];
export const WAIT_MS = 15_000;

export async function launch(executable) {
  // root cannot use the sandbox
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({
    executablePath: executable,
    args: [...FLAGS, ...MORE_FLAGS, ...sandbox],
  });
}

/** Note what a page complains about and which hosts it asks. */
export function watch(page, base, heard) {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      heard.console.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) =>
    heard.console.push(`${page.url()}: ${error.message}`),
  );
  page.on("request", (request) => {
    const url = request.url();
    if (
      !url.startsWith(base) &&
      !url.startsWith("data:") &&
      !url.startsWith("blob:")
    )
      heard.foreign.push(url);
  });
}

export async function open(browser, base, heard, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  if (options.javaScriptEnabled !== false) {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], {
      origin: base,
    });
  }
  const page = await context.newPage();
  if (heard) watch(page, base, heard);
  return page;
}

/** Put text on the clipboard and paste it over everything in an editor, as a person does. */
export async function pasteOver(page, label, text) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.locator(`.cm-content[aria-label="${label}"]`).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

/** What axe-core finds against WCAG 2.2 A and AA on a page as it stands. */
async function accessibilityFaults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (tags) => window.axe.run(document, { runOnly: tags }),
    RULES,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map((node) => node.target).join(", ")}`,
  );
}

/** Photograph a page in both themes and at two widths; return how far it reaches beyond the narrow one, and axe's finds. */
export async function photograph(page, folder, name) {
  mkdirSync(folder, { recursive: true });
  const faults = [];
  let beyond = 0;
  for (const [width, height] of [
    [1400, 900],
    [360, 800],
  ]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
      // each width once and each theme once: axe takes a second or two on the long pages
      if ((width === 1400) !== (colorScheme === "light")) continue;
      for (const fault of await accessibilityFaults(page))
        faults.push(`${width} ${colorScheme} ${fault}`);
    }
    beyond = Math.max(
      beyond,
      await page.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      ),
    );
  }
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  return { beyond, faults };
}

/** A line to the server that can be cut and mended. */
export async function proxy(base) {
  const target = new URL(base);
  const sockets = new Set();
  let cut = false;
  const server = createServer((socket) => {
    if (cut) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => {
        sockets.delete(end);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    base: `http://127.0.0.1:${server.address().port}`,
    cut() {
      cut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      cut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}
