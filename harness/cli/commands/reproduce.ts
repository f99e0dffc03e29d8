import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { spoken } from "../../../schema/spoken-time.ts";
import { counted } from "../../../schema/words.ts";
import { verdictOn } from "../../judge/run/judged-loads.ts";
import { print, say } from "../../output/output.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun, type SavedRun } from "../../record/records.ts";
import { chunkNumbers } from "../../run/chunks-to-repeat.ts";
import { estimateSeconds } from "../../run/estimate.ts";
import { checkoutOf, type Ended, labIn, otherCommit } from "../../run/recorded-commit.ts";
import { Different, repeatChunks } from "../../verify/repeat-chunks.ts";
import { copyPlan, exitCodeOf, isReproduced, noteReproduced, type Outcome, outcomeOf } from "../../verify/reproduce.ts";
import { verdictOf } from "../../verify/verdict.ts";
import { endingOf } from "../ending.ts";
import { compare } from "./compare.ts";
import { root, seed, wholeNumber } from "./options.ts";

interface ReproduceOptions {
  chunks: number;
  seed: number;
  root?: string;
  dryRun?: true;
}

/** Each outcome in words. Reasons are printed earlier, by the lab that repeated the run, which may be the lab of another commit. */
const inWords: Readonly<Record<Outcome, string>> = {
  "the same": "the same, byte for byte",
  different: "DIFFERENT, as printed above",
  "other versions": "not repeated: it was made with versions that this machine lacks, as printed above",
  "not repeated": "not repeated: nothing was compared; the lab of the run's commit printed the reason above",
};

interface Result {
  folder: string;
  outcome: Outcome;
  words: string;
}

/** Repeats runs: on the virtual clock some chunks, whose lines must be the same; on the real clock all loads, whose results are compared. */
async function reproduce(names: string[], options: ReproduceOptions): Promise<void> {
  const named = (names.length ? names : committedRuns()).map(readRun);
  // Repeating a run on the real clock takes hours, and never gives the same bytes.
  const runs = named.filter(({ manifest }) => names.length > 0 || manifest.clock === "virtual");
  const work = runs.map((run) => ({ run, chunks: Math.min(options.chunks, chunkNumbers(run).length) }));
  for (const { run, chunks } of work) print(planned(run, chunks));
  for (const { folder } of named.filter((run) => !runs.includes(run)))
    print(`${folder}: not repeated; runs on the real clock are repeated only if the command names them`);
  if (options.dryRun) return;
  const results: Result[] = [];
  const started = Date.now();
  for (const [i, { run, chunks }] of work.entries()) {
    print(`\n${i + 1} of ${work.length}: ${run.folder}`);
    results.push(run.manifest.clock === "virtual" ? await again(run, chunks, options) : await anew(run));
    const leftMs = ((Date.now() - started) / (i + 1)) * (work.length - i - 1);
    if (leftMs) print(`About ${spoken(leftMs / 1000)} left, if the remaining runs take as long as those so far.`);
  }
  print("");
  for (const { folder, words } of results) print(`${folder}: ${words}`);
  const bad = results.filter(({ outcome }) => outcome !== "the same").length;
  if (bad)
    throw new LabError(
      exitCodeOf(results.map(({ outcome }) => outcome)),
      `${counted(bad, "run")} could not be reproduced`,
    );
}

const committedRuns = (): string[] => Object.keys(JSON.parse(readFileSync("results/digests.json", "utf8")));

function planned(run: SavedRun, chunks: number): string {
  const { clock, commit } = run.manifest;
  const what = clock === "virtual" ? counted(chunks, "chunk") : `all loads, in about ${durationOf(run)}`;
  return `${run.folder}: ${clock} clock, ${what}, made by commit ${commit}`;
}

function durationOf({ manifest: { loads, registries }, manifest }: SavedRun): string {
  const seconds = conditionsOfRun(manifest).map((condition) => estimateSeconds(condition, registries.protocols));
  return spoken(loads * seconds.reduce((sum, one) => sum + one, 0));
}

/** Repeats chunks of a run. If this checkout has other versions than the run, the lab of the run's commit repeats them. */
async function again(run: SavedRun, chunks: number, { seed, root }: ReproduceOptions): Promise<Result> {
  const { folder } = run;
  const digest = digestOf(run);
  if (isReproduced(digest, seed, chunks))
    return {
      folder,
      outcome: "the same",
      words: `${inWords["the same"]} (repeated earlier, as noted in .lab/reproduced)`,
    };
  const { outcome, why } = await endOf(async () => {
    const { exitCode, sentence } = verdictOf(verdictOn(run));
    if (exitCode !== ExitCode.done) throw new LabError(exitCode, sentence);
    return repeatChunks(run, { count: chunks, seed, ...(root !== undefined && { root }) });
  });
  if (outcome === "the same") noteReproduced(digest, seed, chunks);
  return { folder, outcome, words: why ?? inWords[outcome] };
}

/** Repeats a run in another folder. Calls the script `lab` of the run's commit, because this script decides where the harness runs. */
async function anew({ folder, manifest }: SavedRun): Promise<Result> {
  const sample = `results/again-${basename(folder)}`;
  copyPlan(folder, sample);
  const other = await otherCommit(manifest.commit);
  if (other && "lacks" in other) return { folder, outcome: "other versions", words: `not repeated: ${other.lacks}` };
  const command = ["run", "--resume", resolve(sample)];
  const { outcome, why } = await endOf(async () => {
    const { code } = await labIn(other ? await checkoutOf(other.commit) : ".", command, manifest.added);
    if (code === ExitCode.done) compare(folder, sample, { format: "md" });
    return { code, compared: false };
  });
  const words = outcome === "the same" ? `repeated in ${sample}, and compared above` : (why ?? "not repeated");
  return { folder, outcome, words };
}

/** Waits for the work on a run. A failure ends only this work, and is returned with its reason. An interruption ends the whole command. */
async function endOf(work: () => Promise<Ended>): Promise<{ outcome: Outcome; why?: string }> {
  try {
    const { code, compared } = await work();
    return { outcome: outcomeOf(code, compared) };
  } catch (error) {
    const { exitCode: code, text } = endingOf(error);
    if (code === ExitCode.interrupted) throw new LabError(code, `${text}; the same command continues with this run`);
    say(text);
    if (error instanceof Different) return { outcome: "different" };
    return { outcome: outcomeOf(code, false), why: `not repeated: ${text.split("\n", 1)[0]}` };
  }
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
    .description(
      "repeat committed or given runs, and compare the results; after an interruption, the same command continues",
    )
    .argument("[runs...]", "folders or names of runs (default: every committed run on the virtual clock)")
    .option("--chunks <n>", "virtual clock: how many chunks of each run to repeat; all: every one", chunks, 1)
    .addOption(seed("selects the chunks to repeat: another number selects other chunks").default(1))
    .option("--dry-run", "print what would be repeated, and which commit made each run")
    .addOption(root())
    .action(reproduce);
