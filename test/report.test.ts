/** The report in a real browser: opened from disk, clicked, filtered, in both themes. */
import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import jpeg from "jpeg-js";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { browserProgram } from "../clients/chromium/start-chromium.ts";
import { writeCapture } from "../harness/record/captures.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { loadsIn } from "../harness/record/records.ts";
import { openRun, virtualBlockRun } from "../harness/record/run-folder.ts";
import { buildReport } from "../harness/web/build.ts";
import { loopback, serveReport } from "../harness/web/serve.ts";
import { writeReport } from "../harness/web/write.ts";
import { findProgram } from "../hosts/command.ts";
import { lowContrasts } from "./contrast.ts";

const folder = mkdtempSync(`${tmpdir()}/report-test-`);
const recordedRun = copyOf("test/recorded-run"); // reports leave an index beside a run
let browser: Browser;
before(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  browser = await puppeteer.launch({ executablePath: findProgram(browserProgram), args, pipe: true });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const made = new Map<string, Promise<string>>();

/** @returns the address of its page */
function reportOf(...runs: string[]): Promise<string> {
  const address = made.get(runs.join()) ?? makeReport(runs);
  made.set(runs.join(), address);
  return address;
}

async function makeReport(runs: string[]): Promise<string> {
  const out = mkdtempSync(`${folder}/out-`);
  writeReport(out, await buildReport(runs.map(openRun)));
  return `file://${out}/index.html`;
}

/** A copy of a run, to alter. */
function copyOf(run: string): string {
  const copy = mkdtempSync(`${folder}/run-`);
  cpSync(run, copy, { recursive: true });
  return copy;
}

/** What a page may not do: complain, or ask for anything that is not its own. */
async function withPage(address: string, use: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const home = new URL(".", address).href;
  const wrong: string[] = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(home))
      wrong.push(`asks for ${request.url()}`);
  });
  try {
    await page.goto(address);
    await page.waitForSelector("h1");
    await use(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");
const countOf = (page: Page, selector: string) => page.$$eval(selector, (all) => all.length);

test("clicks and keys lead from the overview to the evidence of one load", async () => {
  const address = await reportOf(virtualBlockRun);
  await withPage(address, async (page) => {
    assert.equal(await countOf(page, ".heat"), 3, "a heat map a case");
    assert.equal(await countOf(page, ".heat:first-of-type tbody td a"), 3 * 72, "a cell a setting");
    assert.match(await textOf(page, ".verdict"), /Valid: 288 of 288 loads/);
    assert.match(await textOf(page, ".heat tr:last-child td:last-child"), /\(1\.2\)/, "the published average");

    const under = await page.$$eval("h2 + p.quiet", (all) => all.map((line) => line.textContent));
    assert.deepEqual(under, ["SPDY; with initcwnd 3 on both sides", "with HTTPS/1.1 on both sides", "SPDY+initcwnd"]);
    const lossyC = await textOf(page, ".findings tbody tr:nth-child(3) td:nth-of-type(2)");
    assert.match(lossyC, /^slower: 0\.\d\d× as fast in \d+ of 12 scenarios\+\d+% window after loss/);
    assert.match(lossyC, /2 connections in place of 10$/);
    assert.match(
      await textOf(page, ".glossary"),
      /window after lossthe sender waits for an acknowledgment, because a loss has reduced/,
    );

    await (await page.waitForSelector('::-p-xpath(//button[text()="Page C"])'))!.click();
    await page.waitForFunction(() => document.querySelectorAll(".heat tbody td a").length === 3 * 24);
    await page.focus(".heat tbody tr:nth-child(2) td:nth-of-type(2) a");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".plot svg circle");
    assert.match(await textOf(page, ".headline"), /HTTP\/2 against HTTPS\/1\.1.*Page C, 2 servers/);
    await page.click(".plot svg a");
    await page.waitForSelector("svg[aria-label='Requests by connection over time'] rect");
    assert.match(await textOf(page, "h1"), /Page C, 2 servers.*ms$/);
    const [drawn, named] = await page.$eval("svg[aria-label='What the load event waited for']", (svg) => [
      [...new Set([...svg.querySelectorAll("rect")].map((bar) => bar.getAttribute("fill")))].sort(),
      [...svg.closest("figure")!.querySelectorAll("i")]
        .map((swatch) => swatch.style.getPropertyValue("--swatch"))
        .sort(),
    ]);
    assert.deepEqual(drawn, named, "steps have the colours that the legend says");
    assert.ok((await countOf(page, "td .good")) > 15, "axes that the run's lab had");
    assert.match(await textOf(page, "td .quiet"), /not observable/, "an axis that came later");
    assert.equal(await countOf(page, "td .bad"), 0);
    assert.doesNotMatch(await textOf(page, "main"), /inconclusive/);
  });
});

test("a run without comparisons lists its conditions, which link to their loads", async () => {
  await withPage(await reportOf(recordedRun), async (page) => {
    assert.equal(await countOf(page, ".list tbody tr"), 4);
    assert.match(await textOf(page, ".list tbody tr"), /^loss 0%, HTTPS\/1\.1[\d,]+ ms2$/);
    await page.click(".list tbody tr:nth-child(2) a");
    await page.waitForSelector(".headline");
  });
});

test("the page about the lab shows the run's digest, measured links and versions", async () => {
  await withPage(`${await reportOf(recordedRun)}#/lab`, async (page) => {
    await page.waitForSelector("code");
    assert.match(await textOf(page, "code"), /^[0-9a-f]{64}$/);
    assert.match(await textOf(page, "main"), /20x2-100ms-1%/);
    assert.match(await textOf(page, "main"), /nginx\/1/);
  });
});

test("in a run with one free axis, each cell is in the column of its value", async () => {
  await withPage(await reportOf(copyOf("results/papers/latency-rtt")), async (page) => {
    const centres = await page.$$eval(".heat tr", (rows) =>
      rows.slice(0, 2).map((row) =>
        [...row.children].map((cell) => {
          const { left, width } = cell.getBoundingClientRect();
          return Math.round(left + width / 2);
        }),
      ),
    );
    assert.equal(centres[0]!.length, 10); // a corner, eight RTTs, their mean
    assert.deepEqual(centres[1], centres[0]);
  });
});

test("there is a view of figures if, and only if, the experiment has figures", async () => {
  const address = await reportOf(copyOf("results/papers/latency-rtt"));
  await withPage(`${address}#/figures`, async (page) => {
    await page.waitForSelector(".plots img");
    const widths = await page.$$eval(".plots img", (all) =>
      Promise.all(
        all.map((img) => (img as HTMLImageElement).decode().then(() => (img as HTMLImageElement).naturalWidth)),
      ),
    );
    assert.equal(widths.length, 2);
    assert.ok(widths.every((width) => width > 300));
    const csv = await page.$eval("a[href$='latency.csv']", (link) => (link as HTMLAnchorElement).href);
    assert.match(readFileSync(new URL(csv), "utf8"), /^source,model,panel,series,x,y/);
  });
  await withPage(await reportOf(copyOf("results/interventions")), async (page) =>
    assert.doesNotMatch(await textOf(page, "nav"), /Figures/),
  );
});

test("a load links to the captured load of its condition, whose files are part of the report", async () => {
  const run = copyOf(recordedRun);
  const [load] = loadsIn(run);
  const picture = jpeg.encode({ width: 8, height: 6, data: Buffer.alloc(8 * 6 * 4, 200) }, 60).data.toString("base64");
  const files = { "packets.pcapng": Buffer.from("frames").toString("base64"), "frame-000012.0ms.jpg": picture };
  writeCapture(run, { load: load!, files });
  const address = await reportOf(run);
  const place = conditionsOfRun(openRun(run).manifest).findIndex(({ id }) => id === load!.condition);
  await withPage(`${address}#/load?c=0.${place}&l=0`, async (page) => {
    const links = await page.waitForSelector("a[download][href$='packets.pcapng']");
    const file = await links!.evaluate((link) => (link as HTMLAnchorElement).href);
    assert.equal(readFileSync(new URL(file), "utf8"), "frames");
    assert.match(await textOf(page, "main"), /It is no sample and in no number of this report/);
    const shown = await page.$eval(".film img", (img) =>
      (img as HTMLImageElement).decode().then(() => img.naturalWidth),
    );
    assert.equal(shown, 8);
  });
});

test("a condition of one run is compared with the same one of another", async () => {
  await withPage(`${await reportOf(recordedRun, virtualBlockRun)}#/compare`, async (page) => {
    await page.waitForSelector(".headline");
    assert.equal(await countOf(page, ".picker label:first-child option"), 4, "each side chooses between two runs");
  });
});

test("published numbers are beside a run of the whole experiment, and not beside one of some scenarios", async () => {
  await withPage(`${await reportOf(recordedRun, virtualBlockRun)}#/published`, async (page) => {
    await page.waitForSelector("main .list");
    const titles = await page.$$eval("main section h2", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(titles, [virtualBlockRun]);
    assert.ok((await countOf(page, "main .list tbody tr")) > 400);
    await page.setViewport({ width: 360, height: 700 });
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "it is too wide for a phone",
    );
  });
});

test("text has enough contrast in both themes, and no view is wider than a phone", async () => {
  const address = await reportOf(recordedRun);
  for (const theme of ["light", "dark"])
    await withPage(address, async (page) => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.setViewport({ width: 360, height: 700 });
      await page.evaluate("globalThis.__name = (named) => named"); // tsx calls it in every function that has functions
      for (const view of ["", "compare", "load?c=0.0&l=0", "lab"]) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/${view}`);
        await page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".reading"));
        assert.deepEqual(await page.evaluate(lowContrasts), [], `${theme}, ${view}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} is too wide`);
      }
    });
});

test("names that contain HTML are shown as text", async () => {
  const run = copyOf(recordedRun);
  const evil = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">`;
  const manifest = JSON.parse(readFileSync(`${run}/run.json`, "utf8"));
  manifest.experiment.title = evil;
  manifest.experiment.comparisons[1].title = evil;
  writeFileSync(`${run}/run.json`, JSON.stringify(manifest));
  await withPage(await reportOf(run), async (page) => {
    assert.equal(await textOf(page, "h1"), evil);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
  });
});

test("a run without loads, and one whose last line is cut off, can be opened", async () => {
  const [empty, torn] = [copyOf(recordedRun), copyOf(recordedRun)];
  writeFileSync(`${empty}/loads.jsonl`, "");
  const lines = readFileSync(`${torn}/loads.jsonl`, "utf8");
  writeFileSync(`${torn}/loads.jsonl`, lines.slice(0, -1000));
  await withPage(await reportOf(empty), async (page) => assert.match(await textOf(page, ".status"), /0 of \d+ loads/));
  await withPage(await reportOf(torn), async (page) => {
    assert.match(await textOf(page, ".status"), new RegExp(`${lines.trim().split("\n").length - 1} of`));
  });
});

test("served pages are updated while the run goes on, and only requests for this machine's own names are answered", async () => {
  const run = copyOf(recordedRun);
  const lines = readFileSync(`${run}/loads.jsonl`, "utf8").trim().split("\n");
  writeFileSync(`${run}/loads.jsonl`, `${lines.slice(0, -3).join("\n")}\n`);
  const served = await serveReport([openRun(run)], { address: loopback, port: 0 });
  try {
    await withPage(served.url, async (page) => {
      assert.match(
        await textOf(page, ".status"),
        new RegExp(`${lines.length - 3} of.*Running: time left not known yet`),
      );
      appendFileSync(`${run}/loads.jsonl`, `${lines.slice(-3, -1).join("\n")}\n`);
      const grown = `${lines.length - 1} of`;
      await page.waitForFunction((text) => document.querySelector(".status")?.textContent?.includes(text), {}, grown);
      assert.match(await textOf(page, ".status"), /Running: about \d+ s left/);
    });
    const { status } = await fetch(served.url, { method: "POST" });
    assert.equal(status, 405);
  } finally {
    served.close();
  }
});
