/** The report's pages in a real browser: opened from disk, clicked, filtered, in both themes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { blockRun } from "../harness/record/find-run.ts";
import { lowContrasts } from "./contrast.ts";
import { copyOf, countOf, recordedRun, reportOf, textOf, withPage } from "./report-page.ts";

test("clicks and keys lead a reader from the overview to the evidence of one load", async () => {
  const address = await reportOf(blockRun);
  await withPage(address, async (page) => {
    assert.equal(await countOf(page, ".heat"), 3, "each comparison has a heat map");
    assert.equal(await countOf(page, ".heat:first-of-type tbody td a"), 3 * 72, "each scenario has a cell");
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
    // A click could miss the link, because the plot moves when waterfalls are added. Puppeteer's focus() supports only HTML elements.
    await page.$eval(".plot svg a", (link) => link.focus());
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.title.startsWith("A load") && document.querySelector("h1"));
    assert.match(await textOf(page, "h1"), /Page C, 2 servers.*ms$/);
    await page.waitForSelector("svg[aria-label='Requests by connection over time'] rect");
    const [drawn, named] = await page.$eval("svg[aria-label='What the load event waited for']", (svg) => [
      [...new Set([...svg.querySelectorAll("rect")].map((bar) => bar.getAttribute("fill")))].sort(),
      [...svg.closest("figure")!.querySelectorAll("i")]
        .map((swatch) => swatch.style.getPropertyValue("--swatch"))
        .sort(),
    ]);
    assert.deepEqual(drawn, named, "steps have the colours of the legend");
    assert.ok((await countOf(page, "td .good")) > 15, "axes that existed when the run was made");
    assert.match(await textOf(page, "td .quiet"), /not observable/, "an axis that was added later");
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

test("in the heat map of a run with one varying axis, each cell is centred below its column's heading", async () => {
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

test("the report has a view of figures if, and only if, the experiment has figures", async () => {
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
  await withPage(`${await reportOf(copyOf("results/why/c-two-servers"))}#/figures`, async (page) => {
    await page.waitForSelector(".plots img");
    const csv = await page.$eval("a[href$='why.csv']", (link) => (link as HTMLAnchorElement).href);
    assert.match(readFileSync(new URL(csv), "utf8"), /^label,fromMs,toMs,low95Ms,high95Ms\nh1,0,/);
  });
  await withPage(await reportOf(copyOf("results/today/jitter")), async (page) =>
    assert.doesNotMatch(await textOf(page, "nav"), /Figures/),
  );
});

test("a condition of one run is compared with the same condition of another run", async () => {
  await withPage(`${await reportOf(recordedRun, blockRun)}#/compare`, async (page) => {
    await page.waitForSelector(".headline");
    assert.equal(await countOf(page, ".picker label:first-child option"), 4, "each side chooses between two runs");
    const waterfalls = "svg[aria-label='Requests by connection over time']";
    await page.waitForSelector(`div + div > p ~ * ${waterfalls}`);
    const axes = await page.$$eval(waterfalls, (all) =>
      all.map((one) =>
        [...one.querySelectorAll("[aria-label='x-axis tick label'] text")].map((tick) => tick.textContent),
      ),
    );
    assert.equal(axes.length, 2);
    assert.deepEqual(axes[0], axes[1], "both waterfalls have the same time axis");
  });
});

test("published numbers are shown for a run of the whole experiment, but not for a run of some scenarios", async () => {
  await withPage(`${await reportOf(recordedRun, blockRun)}#/published`, async (page) => {
    await page.waitForSelector("main .list");
    const titles = await page.$$eval("main section h2", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(titles, [blockRun]);
    assert.ok((await countOf(page, "main .list tbody tr")) > 400);
    await page.setViewport({ width: 360, height: 700 });
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "the published numbers are wider than a phone",
    );
  });
});

test("text has enough contrast in both themes, and no view is wider than a phone", async () => {
  const address = await reportOf(recordedRun);
  for (const theme of ["light", "dark"])
    await withPage(address, async (page) => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.setViewport({ width: 360, height: 700 });
      await page.evaluate("globalThis.__name = (named) => named"); // code from tsx calls __name in functions that contain functions
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
