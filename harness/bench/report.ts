import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { browserProgram } from "../../clients/chromium/browser.ts";
import { findProgram } from "../../hosts/command.ts";
import { openRun } from "../record/run-folder.ts";
import { buildReport } from "../web/build.ts";
import { makeRun } from "./read.ts";

/** The paper's whole matrix. */
const defaultLoads = 5760;

/** How long a report of a long run takes to be made, and to open, measured in the browser. */
export async function benchReport({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const parent = mkdtempSync(`${tmpdir()}/lab-bench-`);
  try {
    const made = await makeRun(`${parent}/run`, loads);
    const began = performance.now();
    const files = await buildReport([openRun(`${parent}/run`)], { guessFirst: false });
    const seconds = (performance.now() - began) / 1000;
    let bytes = 0;
    for (const [file, content] of files) {
      bytes += Buffer.byteLength(content);
      mkdirSync(dirname(join(parent, "report", file)), { recursive: true });
      writeFileSync(join(parent, "report", file), content);
    }
    console.log(
      `${made} loads: made in ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB in ${files.size} files\n`,
    );
    await measure(`file://${parent}/report/index.html`);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** What a reader does, one after the other, and what is on the page when it is done and was not before. */
const steps = [
  { what: "a filter", hash: "#/?page=A", until: ".filters [aria-pressed=true]" },
  { what: "two conditions compared", hash: "#/compare?a=0.0&b=0.2", until: ".plot svg path" },
  { what: "a load", hash: "#/load?c=0.0&l=0", until: "svg[aria-label='Requests by connection over time'] rect" },
  { what: "the lab", hash: "#/lab", until: "code, .facts" },
];

async function measure(address: string): Promise<void> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await puppeteer.launch({ executablePath: findProgram(browserProgram), args, pipe: true });
  try {
    const page = await browser.newPage();
    console.log("| step | ms |\n| :-- | --: |");
    await page.goto(address);
    await page.waitForSelector(".heat");
    await page.evaluate("globalThis.__name = (named) => named"); // tsx calls it in every function that has functions
    console.log(`| opening, to the overview painted | ${(await paintedMs(page)).toFixed(0)} |`);
    for (const { what, hash, until } of steps)
      console.log(`| ${what} | ${(await stepMs(page, hash, until)).toFixed(0)} |`);
  } finally {
    await browser.close();
  }
}

/** Since navigation start, by the page's own clock. */
const paintedMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName("report-painted")[0]?.startTime ?? Number.NaN);

/** From the address's change to the frame after what it asks for is there. */
const stepMs = (page: Page, hash: string, until: string): Promise<number> =>
  page.evaluate(
    (to, selector) =>
      new Promise<number>((resolve) => {
        const began = performance.now();

        const look = () =>
          requestAnimationFrame(() => (document.querySelector(selector) ? resolve(performance.now() - began) : look()));
        location.hash = to;
        look();
      }),
    hash,
    until,
  );
