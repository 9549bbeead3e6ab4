// The report in a real browser: `./x browser`. Opens the pages of a hunt in C, of a hunt in a whole program, of a covering array and of
// a debugger campaign, as files and (for the first hunt) live; clicks through, searches, folds, switches the theme; looks for console errors,
// controls without a name and sideways scrolling; and takes the pictures of the book.
//
// Environment: TWINRUN (the binary), CHROMIUM, PLAYWRIGHT (the folder of playwright-core), PICTURES (where screenshots go, if anywhere).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");
const twinrun = process.env.TWINRUN ?? join(root, "target/debug/twinrun");
const { chromium } = createRequire(join(process.env.PLAYWRIGHT ?? join(root, ".deps/node"), "/"))("playwright-core");
const scratch = mkdtempSync(join(tmpdir(), "twinrun-browser-"));
const run = (folder, ...words) => {
  try {
    execFileSync(twinrun, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, TWINRUN_DEPS: join(root, ".deps") } });
  } catch (error) {
    // 1 is a finding, 4 an open question: both make a page.
    if (![1, 4].includes(error.status)) throw error;
  }
};
const example = (name) => { const folder = join(scratch, name); cpSync(join(root, "examples", name), folder, { recursive: true, filter: (path) => !path.includes(".twinrun") }); return folder; };

const pages = [];
const maxsub = example("maxsub");
run(maxsub, "hunt", "faulty", "-q", "--page", "report.html", "--output", "report.txt");
pages.push(["hunt", join(maxsub, "report.html")]);
const advisor = example("advisor");
run(advisor, "hunt", "faulty", "-q", "--page", "report.html", "--output", "report.txt");
pages.push(["program", join(advisor, "report.html")]);
writeFileSync(join(scratch, "model.pict"), "Size: small, middle, large\nColour: red, green, blue\nShape: round, square\nEdge: a&b, c\n");
run(scratch, "combine", "model.pict", "--html", join(scratch, "array.html"), "-q", "--output", join(scratch, "array.txt"));
pages.push(["combine", join(scratch, "array.html")]);
// An old Node has more to show; the study of debuggers fetches it.
const old = join(root, ".deps/node/11.15.0/bin/node");
const binary = existsSync(old) ? ["--binary", old] : [];
run(scratch, "debugger", join(root, "subjects/javascript"), ...binary, "--tests", "1", "--time", "20s", "--reduce", "20", "--html", join(scratch, "debugger.html"), "-q", "--output", join(scratch, "debugger.txt"));
pages.push(["debugger", join(scratch, "debugger.html")]);

// Ten findings with a hundred thousand rows each.
const big = () => {
  const page = readFileSync(join(maxsub, "report.html"), "utf8");
  const rows = Array.from({ length: 200_000 }, (_, index) => (index % 20_000 === 7 ? 1 : 0));
  const data = JSON.stringify({ left: "run 1", right: "run 2", steps: [["1:1", "a", "→ 0"], ["2:1", "b", "→ 1"]], rows });
  const part = (n) => `<article id="big-${n}" tabindex="-1"><h2>Big ${n}</h2><div class="trace" data-trace="data-${n}"><div class="bar"><button type="button" data-fold aria-pressed="false">Fold equal rows</button></div><div class="rows" tabindex="0" role="region" aria-label="Trace ${n}"></div></div><script type="application/json" id="data-${n}">${data}</script></article>`;
  const path = join(scratch, "big.html");
  writeFileSync(path, page.replace("</main>", Array.from({ length: 10 }, (_, n) => part(n)).join("\n") + "</main>"));
  return path;
};

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const open = async (url, width) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: "light" });
  const errors = [];
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!/^(file:|data:|http:\/\/127\.0\.0\.1)/.test(request.url())) errors.push("asks for " + request.url()); });
  await page.goto(url);
  return { page, errors };
};

/// Every control has a name in the accessibility tree.
const named = async (page) => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const roles = new Set(["button", "link", "textbox", "searchbox", "region", "article", "navigation", "image", "DisclosureTriangle"]);
  const controls = nodes.filter((node) => !node.ignored && roles.has(node.role?.value));
  const nameless = controls.filter((node) => !node.name?.value?.trim());
  assert.deepEqual(nameless.map((node) => node.role.value), [], "controls without a name");
  assert.ok(controls.length > 3);
};

const visit = async (name, url) => {
  for (const width of [1280, 390]) {
    const { page, errors } = await open(url, width);
    await named(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} scrolls sideways at ${width}`);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}.png`), fullPage: true, clip: { x: 0, y: 0, width, height: name === "hunt" ? 2300 : 900 } });
    // The theme switches and is kept.
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    // The search hides what does not match, and Escape brings it back.
    await page.keyboard.press("/");
    await page.keyboard.type("no such words here");
    assert.equal(await page.locator("main > article:visible").count(), 0, `${name}: the search hides nothing`);
    await page.keyboard.press("Escape");
    // Every link inside leads somewhere.
    const dead = await page.$$eval('a[href^="#"]', (links) => links.filter((link) => !document.getElementById(link.hash.slice(1))).map((link) => link.hash));
    assert.deepEqual(dead, [], "dead links");
    for (const summary of await page.locator("main summary:visible").all()) await summary.click();
    assert.deepEqual(errors, [], `${name} at ${width}`);
    await page.close();
  }
};

const traces = async (url) => {
  const { page, errors } = await open(url, 1280);
  const box = page.locator("[data-trace]").first();
  await box.scrollIntoViewIfNeeded();
  await box.locator(".row").first().waitFor();
  assert.ok((await box.locator(".row.differs").count()) > 0, "the runs of a violated case differ somewhere");
  await box.locator("[data-fold]").click();
  assert.equal(await box.locator("[data-fold]").getAttribute("aria-pressed"), "false");
  await box.locator('[data-step="1"]').click();
  assert.ok((await page.locator(".region svg").count()) > 0, "a picture of the failing region");
  assert.ok((await page.locator("tr.critical").count()) > 0, "the critical branch is marked in the source");
  assert.deepEqual(errors, []);
  await page.close();
};

const large = async () => {
  const began = Date.now();
  const { page, errors } = await open(pathToFileURL(big()).href, 1280);
  const loaded = Date.now() - began;
  const rows = page.locator("#big-9 .rows");
  await rows.scrollIntoViewIfNeeded();
  await rows.locator(".row").first().waitFor();
  // Scrolling through draws a screenful, not everything.
  const worst = await rows.evaluate(async (box) => {
    let worst = 0;
    for (let step = 1; step <= 20; step += 1) {
      const before = performance.now();
      box.scrollTop = (box.scrollHeight * step) / 20;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      worst = Math.max(worst, performance.now() - before);
    }
    return worst;
  });
  assert.ok((await rows.locator(".row").count()) < 200, "only rows in view are drawn");
  console.log(`ten traces of 100,000 rows: loaded in ${loaded} ms, the slowest of 20 jumps took ${Math.round(worst)} ms`);
  assert.deepEqual(errors, []);
  await page.close();
};

try {
  for (const [name, path] of pages) { await visit(name, pathToFileURL(path).href); console.log(`${name}: as a file`); }
  await traces(pathToFileURL(pages[0][1]).href);
  await large();
  const server = spawn(twinrun, ["serve", "--port", "0"], { cwd: maxsub });
  try {
    const address = await new Promise((found) => server.stdout.on("data", (text) => { const match = /http:\S+/.exec(String(text)); if (match) found(match[0]); }));
    await visit("live", address);
    await traces(address);
    console.log("hunt: live");
  } finally { server.kill(); }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
console.log("the browser finds nothing to complain about");
