/** For tests: opens reports of runs in a real browser that can load nothing except the report. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before } from "node:test";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { browserProgram } from "../clients/chromium/start-chromium.ts";
import { openRun } from "../harness/record/run-folder.ts";
import { buildReport } from "../harness/web/build.ts";
import { writeReport } from "../harness/web/write.ts";
import { findProgram } from "../hosts/command.ts";

const folder = mkdtempSync(`${tmpdir()}/report-test-`);
let browser: Browser;
before(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  browser = await puppeteer.launch({ executablePath: findProgram(browserProgram), args, pipe: true });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const written = new Map<string, Promise<string>>();

/** Writes the report of one or two runs, each report only once. @returns the address of the report's page */
export function reportOf(...runs: string[]): Promise<string> {
  const address = written.get(runs.join()) ?? writeReportOf(runs);
  written.set(runs.join(), address);
  return address;
}

async function writeReportOf(runs: string[]): Promise<string> {
  const out = mkdtempSync(`${folder}/out-`);
  writeReport(out, await buildReport(runs.map(openRun)));
  return `file://${out}/index.html`;
}

/** Copies a run, so that a test may alter the copy. */
export function copyOf(run: string): string {
  const copy = mkdtempSync(`${folder}/run-`);
  cpSync(run, copy, { recursive: true });
  return copy;
}

/** A copy, so that no test can change the committed run. */
export const recordedRun = copyOf("test/recorded-run");

/** Opens a page for `use`. Fails if the page logs an error, or requests anything that is not part of the report. */
export async function withPage(address: string, use: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const home = new URL(".", address).href;
  const wrong: string[] = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(home))
      wrong.push(`requests ${request.url()}`);
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

export const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");
export const countOf = (page: Page, selector: string) => page.$$eval(selector, (all) => all.length);
