/** Installs browsertime, another tool that measures page loads in a browser, and makes one load with it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { findProgram, run } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { makeOwner, unprivileged } from "../hosts/rights.ts";
import { ExitCode, LabError } from "../schema/errors.ts";
import type { WebHost } from "../schema/registries.ts";
import { folderOfTool, installTool } from "./npm-tool.ts";

export const browsertimeVersion = "26.3.2";
const tool = { name: "browsertime", version: browsertimeVersion };
const script = `${folderOfTool(tool)}/bin/browsertime.js`;
/** Debian's browser and driver, which have the same version. The npm package has no browser, and would download drivers of other versions. */
const programs = { binaryPath: "chromium", chromedriverPath: "chromedriver" };

/** The options of two ways to run browsertime, in addition to the options that both ways need to reach the lab's servers. */
export const ways: Record<string, string[]> = {
  "browsertime as it comes": [],
  // Stops waiting as soon as the page has loaded, and skips all measurements other than the page load time.
  "browsertime tuned": [
    "--pageLoadStrategy=none",
    "--pageCompleteCheckStartWait=1",
    "--pageCompleteCheckPollTimeout=20",
    '--pageCompleteCheck=return location.protocol !== "data:" && performance.timing.loadEventEnd > 0',
    "--chrome.cdp.performance=false",
    "--skipHar",
  ],
};

/** Installs browsertime if it is missing. @throws LabError if this machine lacks what browsertime needs */
export async function installBrowsertime(signal: AbortSignal): Promise<void> {
  try {
    for (const program of Object.values(programs)) findProgram(program);
  } catch (error) {
    throw new LabError(
      ExitCode.machineCannot,
      `browsertime: ${(error as Error).message}; install Debian's packages chromium and chromium-driver`,
    );
  }
  await installTool(tool, signal);
  await run([...unprivileged("browser"), "test", "-r", script]).catch(() => {
    throw new LabError(
      ExitCode.machineCannot,
      `browsertime runs as an unprivileged user, who cannot read ${script}; use a checkout that all users can read`,
    );
  });
}

const report = z
  .tuple([
    z.object({
      browserScripts: z.tuple([
        z.object({ timings: z.object({ pageTimings: z.object({ pageLoadTime: z.number().positive() }) }) }),
      ]),
    }),
  ])
  .transform(([{ browserScripts }]) => browserScripts[0].timings.pageTimings.pageLoadTime);

/** Loads a page once, in a newly started browser. @returns the page load time in ms @throws Error with browsertime's last output */
export async function loadBy(options: string[], { name, address }: WebHost, url: string): Promise<number> {
  const scratch = mkdtempSync(`${environment.temporary}/browsertime-`);
  makeOwner(scratch, "browser");
  const ownEnvironment = ["env", `HOME=${scratch}`, `TMPDIR=${scratch}`, `--chdir=${scratch}`];
  const chrome = ["--no-sandbox", "--ignore-certificate-errors", `--host-resolver-rules=MAP ${name} ${address}`];
  const command = [
    ...unprivileged("browser"),
    ...ownEnvironment,
    process.execPath,
    script,
    "--browser=chrome",
    "--headless",
    "--iterations=1",
    `--resultDir=${scratch}/result`,
    ...Object.entries(programs).map(([option, program]) => `--chrome.${option}=${findProgram(program)}`),
    ...chrome.map((word) => `--chrome.args=${word}`),
    ...options,
    url,
  ];
  try {
    await run(command);
    return report.parse(JSON.parse(readFileSync(`${scratch}/result/browsertime.json`, "utf8")));
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
