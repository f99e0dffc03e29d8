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
import { readRun, type SavedRun } from "../../record/records.ts";
import { labAt, otherCommit } from "../../run/recorded-commit.ts";
import { chunksOf, planAnew, Reproduced } from "../../run/reproduce.ts";
import { root, seed, wholeNumber } from "./options.ts";

interface ReproduceOptions {
  chunks: number;
  seed: number;
  root?: string;
  dryRun?: true;
}

/** The result of making a run again, by the exit code of the command that did it. */
const outcomes: Record<number, string> = {
  [ExitCode.done]: "the same, byte for byte",
  [ExitCode.failed]: "DIFFERENT",
  [ExitCode.otherVersions]: "not repeated: its versions are not here",
  [ExitCode.loadsMissing]: "not repeated: loads are missing",
};

/** Makes runs again: on the virtual clock chunks of each, whose lines must be the same; on the real clock all, to be compared. */
async function reproduce(names: string[], options: ReproduceOptions): Promise<void> {
  const runs = (names.length ? names : committedRuns()).map(readRun);
  const work = runs.map((run) => ({ run, chunks: Math.min(options.chunks, chunksOf(run)) }));
  for (const { run, chunks } of work) console.log(planned(run, chunks));
  if (options.dryRun) return;
  const results: { folder: string; code: number }[] = [];
  const started = Date.now();
  for (const [i, { run, chunks }] of work.entries()) {
    console.log(`\n${i + 1} of ${work.length}: ${run.folder}`);
    const code = run.manifest.clock === "virtual" ? await again(run, chunks, options) : await anew(run);
    if (code === ExitCode.interrupted)
      throw new LabError(code, "interrupted; the same command continues after the last run that came out the same");
    results.push({ folder: run.folder, code });
    const leftMs = ((Date.now() - started) / (i + 1)) * (work.length - i - 1);
    if (leftMs) console.log(`About ${spoken(leftMs / 1000)} left, if the others take as long.`);
  }
  console.log("");
  for (const { folder, code } of results) console.log(`${folder}: ${outcomes[code] ?? `failed (exit code ${code})`}`);
  const worst = results.find(({ code }) => code !== ExitCode.done)?.code as ExitCode | undefined;
  if (worst !== undefined)
    throw new LabError(
      worst,
      `${counted(results.filter(({ code }) => code !== ExitCode.done).length, "run")} could not be reproduced`,
    );
}

const committedRuns = (): string[] => Object.keys(JSON.parse(readFileSync("results/digests.json", "utf8")));

function planned({ folder, manifest }: SavedRun, chunks: number): string {
  const what = manifest.clock === "virtual" ? counted(chunks, "chunk") : "all loads, to be compared";
  return `${folder}: ${manifest.clock} clock, ${what}, made by commit ${manifest.commit}`;
}

/** @returns the exit code of `verify --again`, which goes to the commit that made the run */
async function again(run: SavedRun, chunks: number, { seed, root }: ReproduceOptions): Promise<number> {
  const done = new Reproduced();
  const part = { digest: digestOf(run), chunks, seed };
  if (done.has(part)) {
    console.log("It came out the same before (.lab/reproduced.jsonl).");
    return ExitCode.done;
  }
  const given = root === undefined ? [] : [`--root=${resolve(root)}`];
  const words = ["verify", resolve(run.folder), `--again=${chunks}`, `--seed=${seed}`, ...given];
  const code = await lab(words, /^Chunk /);
  if (code === ExitCode.done) done.add(part);
  return code;
}

/** @returns the exit code of `./lab run --resume`, by the commit that made the run */
async function anew({ folder, manifest }: SavedRun): Promise<number> {
  const sample = `results/again-${basename(folder)}`;
  planAnew(manifest, sample);
  const words = ["run", "--resume", resolve(sample)];
  const other = await otherCommit(manifest.commit);
  const code = other && "commit" in other ? await labAt(other.commit, words) : await lab(words);
  if (code === ExitCode.done) await lab(["compare", folder, sample]);
  return code ?? ExitCode.interrupted;
}

/** @param from a pattern of the first line to print; else all are printed */
async function lab(words: string[], from = /^/): Promise<number> {
  const child = spawn("./lab", words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let shown = false;
  for await (const line of createInterface({ input: child.stdout })) {
    shown ||= from.test(line);
    if (shown) console.log(line);
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
    .argument("[runs...]", "folders or names of runs (default: every committed run)")
    .option("--chunks <n>", "virtual clock: how many chunks of each run to repeat; all: every one", chunks, 1)
    .addOption(seed().default(1))
    .option("--dry-run", "print what it would make, and by which commit")
    .addOption(root())
    .action(reproduce);
