import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import puppeteer, { type Page } from "puppeteer-core";
import { median } from "simple-statistics";
import { browserProgram } from "../../clients/chromium/start-chromium.ts";
import { findProgram } from "../../hosts/command.ts";
import { openRun } from "../record/run-folder.ts";
import { buildReport } from "../web/build.ts";
import { writeReport } from "../web/write.ts";
import { makeRun } from "./long-run.ts";

/** The paper's whole matrix. */
const defaultLoads = 5760;

/** The aims: the report's folder is smaller than this, and it opens in less than this, by its number of loads. */
const mostBytes = 10e6;
const openingMs = (loads: number) => (loads <= defaultLoads ? 1000 : 3000);
/** The report is opened so often, because other programs delay some openings. */
const openings = 5;

/** How long the report of a long run takes to make, and to open in a browser. */
export async function benchReport({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const parent = mkdtempSync(`${tmpdir()}/lab-bench-`);
  try {
    const made = await makeRun(`${parent}/run`, loads);
    const before = process.cpuUsage();
    const files = await buildReport([openRun(`${parent}/run`)]);
    const { user, system } = process.cpuUsage(before);
    writeReport(`${parent}/report`, files);
    const bytes = [...files.keys()].reduce((sum, file) => sum + statSync(`${parent}/report/${file}`).size, 0);
    const memoryMiB = process.resourceUsage().maxRSS / 1024;
    console.log(
      `${made} loads: made in ${((user + system) / 1e6).toFixed(1)} s of the processor with at most ${memoryMiB.toFixed(0)} MiB\n`,
    );
    console.log(
      `the folder has ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB: ${against(bytes, mostBytes, "MB", 1e6)}`,
    );
    await measure(`file://${parent}/report/index.html`, openingMs(made));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** In words: the aim, and by how much it is missed. */
function against(measured: number, aim: number, unit: string, scale = 1): string {
  const over = measured > aim ? `, missed by ${((measured - aim) / scale).toFixed(1)} ${unit}` : ", met";
  return `the aim is less than ${aim / scale} ${unit}${over}`;
}

/** What a reader does, step by step, and a selector that matches nothing on the page before that is done. */
const steps = [
  { what: "a filter", hash: "#/?page=A", until: ".filters [aria-pressed=true]" },
  { what: "two conditions compared", hash: "#/compare?a=0.0&b=0.2", until: ".plot svg path" },
  { what: "a load", hash: "#/load?c=0.0&l=0", until: "svg[aria-label='Requests by connection over time'] rect" },
  { what: "the lab", hash: "#/lab", until: "code, .facts" },
];

async function measure(address: string, aimMs: number): Promise<void> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await puppeteer.launch({ executablePath: findProgram(browserProgram), args, pipe: true });
  try {
    const opened: { ms: number; busyMs: number }[] = [];
    for (let n = 0; n < openings; n++) opened.push(await openingOf(await browser.newPage(), address));
    const ms = median(opened.map((one) => one.ms));
    const busyMs = median(opened.map((one) => one.busyMs));
    console.log(`it opens in ${ms.toFixed(0)} ms, median of ${openings}: ${against(ms, aimMs, "ms")}`);
    console.log(
      `(${opened.map((one) => one.ms.toFixed(0)).join(", ")}; the page itself computes for ${busyMs.toFixed(0)} ms)\n`,
    );
    console.log("| a reader's next step | ms |\n| :-- | --: |");
    const page = (await browser.pages()).at(-1)!;
    await page.evaluate("globalThis.__name = (named) => named"); // tsx calls it in every function that has functions
    for (const { what, hash, until } of steps)
      console.log(`| ${what} | ${(await stepMs(page, hash, until)).toFixed(0)} |`);
  } finally {
    await browser.close();
  }
}

/** Time until the overview is painted, and how much of it the page's main thread worked. */
async function openingOf(page: Page, address: string): Promise<{ ms: number; busyMs: number }> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("report-painted").length > 0);
  const { TaskDuration = Number.NaN } = await page.metrics();
  return { ms: await paintedMs(page), busyMs: 1000 * TaskDuration };
}

/** Since navigation start, by the page's own clock. */
const paintedMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName("report-painted")[0]?.startTime ?? Number.NaN);

/** Time from the change of the address to the frame in which its content is there. */
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
