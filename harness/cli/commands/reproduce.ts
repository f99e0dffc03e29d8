// ./lab reproduce: writes

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Command, InvalidArgumentError } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { spoken } from "../../../schema/spoken-time.ts";
import { counted } from "../../../schema/words.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun, type SavedRun } from "../../record/records.ts";
import { estimateSeconds } from "../../run/estimate.ts";
import { chunkNumbers } from "../../run/recorded-chunk.ts";
import { labAt, otherCommit } from "../../run/recorded-commit.ts";
import { copyPlan, isReproduced, noteReproduced } from "../../verify/reproduce.ts";
import { print } from "../output.ts";
import { root, seed, wholeNumber } from "./options.ts";

interface ReproduceOptions {
  chunks: number;
  seed: number;
  root?: string;
  dryRun?: true;
}

/** The result of repeating a run on the virtual clock, by the exit code of `verify --again`. */
const repeated: Record<number, string> = {
  [ExitCode.done]: "the same, byte for byte",
  [ExitCode.failed]: "DIFFERENT",
  [ExitCode.otherVersions]: "not repeated: its versions are not here",
  [ExitCode.loadsMissing]: "not repeated: loads are missing",
};

interface Result {
  folder: string;
  code: number;
  words: string;
}

/** Makes runs again: on the virtual clock chunks of each, whose lines must be the same; on the real clock all, to be compared. */
async function reproduce(names: string[], options: ReproduceOptions): Promise<void> {
  const named = (names.length ? names : committedRuns()).map(readRun);
  // A run on the real clock takes hours, and is never the same.
  const runs = named.filter(({ manifest }) => names.length > 0 || manifest.clock === "virtual");
  const work = runs.map((run) => ({ run, chunks: Math.min(options.chunks, chunkNumbers(run).length) }));
  for (const { run, chunks } of work) print(planned(run, chunks));
  for (const { folder } of named.filter((run) => !runs.includes(run)))
    print(`${folder}: real clock, made anew only if it is named`);
  if (options.dryRun) return;
  process.on("SIGINT", () => {}); // it reaches the commands that this one starts, which end in their own way
  const results: Result[] = [];
  const started = Date.now();
  for (const [i, { run, chunks }] of work.entries()) {
    print(`\n${i + 1} of ${work.length}: ${run.folder}`);
    const result = run.manifest.clock === "virtual" ? await again(run, chunks, options) : await anew(run);
    if (result.code === ExitCode.interrupted)
      throw new LabError(result.code, "interrupted; the same command continues with this run");
    results.push(result);
    const leftMs = ((Date.now() - started) / (i + 1)) * (work.length - i - 1);
    if (leftMs) print(`About ${spoken(leftMs / 1000)} left, if the others take as long.`);
  }
  print("");
  for (const { folder, words } of results) print(`${folder}: ${words}`);
  const bad = results.filter(({ code }) => code !== ExitCode.done);
  const worst = bad.find(({ code }) => code === ExitCode.failed) ?? bad[0];
  if (worst) throw new LabError(worst.code as ExitCode, `${counted(bad.length, "run")} could not be reproduced`);
}

const committedRuns = (): string[] => Object.keys(JSON.parse(readFileSync("results/digests.json", "utf8")));

function planned({ folder, manifest }: SavedRun, chunks: number): string {
  const { clock, commit, loads } = manifest;
  const seconds =
    loads *
    conditionsOfRun(manifest).reduce(
      (sum, condition) => sum + estimateSeconds(condition, manifest.registries.protocols),
      0,
    );
  const what = clock === "virtual" ? counted(chunks, "chunk") : `all loads, to be compared, about ${spoken(seconds)}`;
  return `${folder}: ${clock} clock, ${what}, made by commit ${commit}`;
}

/** By `verify --again`, which goes to the commit that made the run. */
async function again(run: SavedRun, chunks: number, { seed, root }: ReproduceOptions): Promise<Result> {
  const { folder } = run;
  const digest = digestOf(run);
  if (isReproduced(digest, seed, chunks))
    return { folder, code: ExitCode.done, words: `${repeated[ExitCode.done]} (before, as .lab/reproduced tells)` };
  const given = root === undefined ? [] : [`--root=${resolve(root)}`];
  const code = await lab(["verify", resolve(folder), `--again=${chunks}`, `--seed=${seed}`, ...given], /^Chunk /);
  if (code === ExitCode.done) noteReproduced(digest, seed, chunks);
  return { folder, code, words: repeated[code] ?? `failed (exit code ${code})` };
}

/** By `./lab run --resume` of another sample, at the commit that made the run. */
async function anew({ folder, manifest }: SavedRun): Promise<Result> {
  const sample = `results/again-${basename(folder)}`;
  copyPlan(folder, sample);
  const other = await otherCommit(manifest.commit);
  if (other && "lacks" in other)
    return { folder, code: ExitCode.otherVersions, words: `not made anew: ${other.lacks}` };
  const command = ["run", "--resume", resolve(sample)];
  const code = (other ? await labAt(other.commit, command) : await lab(command)) ?? ExitCode.interrupted;
  if (code !== ExitCode.done) return { folder, code, words: `not made anew (exit code ${code})` };
  await lab(["compare", folder, sample]);
  return { folder, code, words: `made anew in ${sample}, and compared above` };
}

/** @param from a pattern of the first line to print; else all are printed */
async function lab(words: string[], from = /^/): Promise<number> {
  const child = spawn("./lab", words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let shown = false;
  for await (const line of createInterface({ input: child.stdout })) {
    shown ||= from.test(line);
    if (shown) print(line);
  }
  const [code] = await ended;
  return (code as number | null) ?? ExitCode.interrupted;
}

function digestOf(run: SavedRun): string {
  const digest = run.digest();
  for (const line of run.loads()) if ("load" in line) digest.add(line.load.lane, line.hash);
  return digest.toString();
}

const chunks = (text: string): number => {
  if (text === "all") return Number.POSITIVE_INFINITY;
  try {
    return wholeNumber(1, 10_000)(text);
  } catch {
    throw new InvalidArgumentError("A whole number from 1 to 10000, or all, is allowed.");
  }
};

export const addTo = (lab: Command) =>
  lab
    .command("reproduce")
    .description("make committed runs again, or these, and compare them; it continues where it was stopped")
    .argument("[runs...]", "folders or names of runs (default: every committed run on the virtual clock)")
    .option("--chunks <n>", "virtual clock: how many chunks of each run to repeat; all: every one", chunks, 1)
    .addOption(seed("which chunks to repeat: another number, other chunks").default(1))
    .option("--dry-run", "print what it would make, and by which commit")
    .addOption(root())
    .action(reproduce);
