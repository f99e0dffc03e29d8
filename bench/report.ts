import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import puppeteer from "puppeteer-core";
import { browserProgram } from "../clients/chromium/start-chromium.ts";
import { withLifetime } from "../harness/run/lifetime.ts";
import { median } from "../harness/statistics/quantile.ts";
import { findProgram } from "../hosts/command.ts";
import { nodeCommand } from "../substrate/substrate.ts";
import { makeLongRun } from "./long-run.ts";

const openings = 5; // several, because other programs delay some of them

/** Measures how long writing a long run's report takes, without and with an index of judged loads, and how long a browser takes to open it. */
export const benchReport = ({ loads = 5760 }: { loads?: number }): Promise<void> =>
  withLifetime(async ({ signal, onEnd }) => {
    const parent = mkdtempSync(`${tmpdir()}/lab-bench-`);
    onEnd(() => rmSync(parent, { recursive: true }));
    const [folder, report] = [`${parent}/run`, `${parent}/report`];
    const made = await makeLongRun(folder, loads, signal);
    console.log(`${made} loads, ${(statSync(`${folder}/loads.jsonl`).size / 1e9).toFixed(2)} GB\n`);
    const timed = timedIn(parent, signal);
    console.log("| | seconds | memory, MiB |\n| :-- | --: | --: |");
    await timed("tables, every load judged", "tables", folder);
    await timed("tables, from the index", "tables", folder);
    await timed("report, from the index", "report", folder, "--out", report);
    const openedMs = await openingsMs(`file://${report}/index.html`);
    console.log(`\nIn a browser the report opens in ${median(openedMs).toFixed(0)} ms (median of ${openings}).`);
  });

/** Runs a lab command, and prints its wall time and peak memory. @param cache replaces the user's cache folder, which may contain judged loads */
const timedIn =
  (cache: string, signal: AbortSignal) =>
  async (what: string, ...words: string[]): Promise<void> => {
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const startMs = performance.now();
    const [program = "", ...args] = nodeCommand("harness/cli/main.ts", ...words);
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"], signal, killSignal: "SIGKILL" });
    let mostKiB = 0;
    const look = setInterval(() => {
      mostKiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? mostKiB);
    }, 100);
    const [code] = (await once(child, "exit").finally(() => clearInterval(look))) as [number | null];
    if (code !== 0) throw new Error(`./lab ${words[0]} failed (${code})`);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(`| ${what} | ${seconds} | ${Math.round(mostKiB / 1024)} |`);
  };

/** Returns the times from navigation start until the overview is shown. */
async function openingsMs(address: string): Promise<number[]> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await puppeteer.launch({ executablePath: findProgram(browserProgram), args, pipe: true });
  try {
    const times: number[] = [];
    for (let n = 0; n < openings; n++) {
      const page = await browser.newPage();
      await page.goto(address);
      await page.waitForSelector("main .verdict");
      times.push(await page.evaluate(() => performance.now()));
    }
    return times;
  } finally {
    await browser.close();
  }
}
