/** Reads a gate's verdict from its run's folder, prints it, writes it to files, and reports it by the exit code. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { forTerminal } from "../../schema/foreign-words.ts";
import { print, say } from "../output/output.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { recordedBudgets, thresholdOf } from "./budgets.ts";
import type { GateRules, Result } from "./demands.ts";
import { gateJson, gateMarkdown, linesOf } from "./gate-markdown.ts";
import { type GateReport, gateReport } from "./gate-report.ts";

export interface VerdictOptions {
  json?: true;
  /** Paths of files to write. */
  markdown?: string;
  junit?: string;
}

const exitCodes: Record<Result, ExitCode> = {
  passed: ExitCode.done,
  failed: ExitCode.failed,
  undecided: ExitCode.undecided,
};

/** Reads the demands from the run's manifest. @throws LabError (usage) for a run without demands */
function rulesOf({ demands, ...manifest }: Manifest, folder: string): GateRules {
  if (!demands)
    throw usageError(`${folder} has no demands: it is not a run of ./lab gate, or an older version of the lab made it`);
  const links = conditionsOfRun(manifest).map(({ values }) => String(values.link));
  return {
    threshold: thresholdOf(demands.threshold),
    budgets: recordedBudgets(demands.budgets, links),
  };
}

/** @throws LabError if the run is not a gate's, or not valid and complete */
export function reportOn(folder: string): GateReport {
  const run = readRun(folder);
  return gateReport(run, rulesOf(run.manifest, folder));
}

/** Like `reportOn`, but returns null for a run that lacks loads. */
export function reportIfWhole(folder: string): GateReport | null {
  try {
    return reportOn(folder);
  } catch (error) {
    if (error instanceof LabError && error.exitCode === ExitCode.loadsMissing) return null;
    throw error;
  }
}

export async function giveVerdict(report: GateReport, { json, markdown, junit }: VerdictOptions = {}): Promise<void> {
  const text = forTerminal(gateMarkdown(report));
  print(json ? gateJson(report) : text);
  const write = (path: string | undefined, content: string) => {
    if (path === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  write(markdown, text);
  if (junit !== undefined) write(junit, (await import("./junit.ts")).gateJUnit(report)); // imported here, so its XML library is loaded only if needed
  if (json)
    for (const result of ["failed", "undecided"] as const)
      for (const line of linesOf(report, result)) say(`${result}: ${line}`);
  process.exitCode = exitCodes[report.result];
}
