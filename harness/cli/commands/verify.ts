// ./lab verify: container=alone

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { counted } from "../../../schema/words.ts";
import { removeOtherPages } from "../../../sites/kept-pages.ts";
import { verdictOn } from "../../judge/run/judged-loads.ts";
import { unpackRun } from "../../record/pack.ts";
import { readRun, type SavedRun } from "../../record/records.ts";
import { labAt, otherCommit } from "../../run/recorded-commit.ts";
import { type Again, makeChunksAgain } from "../../verify/again.ts";
import { Refusals } from "../../verify/refused.ts";
import { verdictOf } from "../../verify/verdict.ts";
import { renderVerification } from "../../verify/verification.ts";
import { print, say } from "../output.ts";
import { aRun, root, wholeNumber } from "./options.ts";

interface VerifyOptions {
  json?: true;
  again?: number;
  seed: number;
  root?: string;
  calls?: string;
  here?: true;
}

/** From a run's files alone: whether its loads are what their rows say. The exit code says it too. */
async function verify(name: string | undefined, { json, again: count, ...options }: VerifyOptions): Promise<void> {
  const run = readRun(name);
  const refusals = new Refusals(run.manifest);
  const found = verdictOn(run, (load) => refusals.add(load));
  const refused = refusals.effects();
  const { exitCode, sentence } = verdictOf(found);
  const report = () => JSON.stringify({ verdict: sentence, exitCode, ...found, refused }, null, 2);
  print(json ? report() : renderVerification(found, refused));
  if (exitCode !== ExitCode.done) throw new LabError(exitCode, `${run.folder}: ${sentence}`);
  if (count === undefined) return;
  if (options.calls !== undefined) mkdirSync(options.calls, { recursive: true });
  await again(run, { count, ...options });
}

interface AgainWords extends Omit<VerifyOptions, "again" | "json"> {
  count: number;
}

/**
 * Repeats chunks with this checkout, or with the commit that made the run if this checkout has other versions.
 * @throws LabError if a line differs; with another exit code if the versions differ, too, because then the difference shows nothing
 */
async function again(run: SavedRun, { here, ...options }: AgainWords): Promise<void> {
  const other = here ? null : await otherCommit(run.manifest.commit);
  const commit = other && "commit" in other ? other.commit : null;
  const differing = new Set<string>();
  let wrong = 0;
  const versions = await makeChunksAgain(run, { ...options, sameVersionsOnly: commit !== null }, (result) => {
    print(sentences(result).join("\n"));
    if (result.first && result.versions.length === 0) wrong++;
    for (const text of result.versions) differing.add(text);
  });
  if (commit && versions.length) return againAt(commit, run, options, versions);
  if (wrong)
    throw new LabError(
      ExitCode.failed,
      `${run.folder}: ${counted(wrong, "chunk came out differently", "chunks came out differently")}, made again`,
    );
  if (differing.size)
    throw new LabError(
      ExitCode.otherVersions,
      [
        `${run.folder} cannot be repeated here byte for byte: ${[...differing].join("; ")}`,
        ...(other && "lacks" in other ? [other.lacks] : []),
        ...([...differing].some((text) => text.startsWith("guestRoot")) ? [rootAdvice] : []),
      ].join("\n"),
    );
}

const rootAdvice =
  "Debian's packages have moved on, or others are named: --root FILE takes the root that the run was made with, if ./lab root save has kept it";

async function againAt(
  commit: string,
  { folder }: SavedRun,
  { count, seed, root, calls }: AgainWords,
  versions: string[],
): Promise<void> {
  say(`This checkout has other versions: ${versions.join("; ")}. So the commit that made the run makes it again.`);
  // A copy, because commits from before runs were packed read plain files alone, and each leaves an index of its own beside a run.
  const copy = mkdtempSync(join(tmpdir(), "lab-run-"));
  try {
    cpSync(folder, copy, { recursive: true });
    unpackRun(copy);
    removeOtherPages(copy);
    const words = ["verify", copy, `--again=${count}`, `--seed=${seed}`];
    const given = root === undefined ? [] : [`--root=${resolve(root)}`];
    const logged = calls === undefined ? [] : [`--calls=${resolve(calls)}`];
    process.exitCode = (await labAt(commit, [...words, ...given, ...logged])) ?? ExitCode.interrupted;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const shownCharacters = 300;

function sentences({ chunk, lines, same, first, versions, timesPercent, lossless, calls }: Again): string[] {
  const made = `Chunk ${chunk}, made again: ${same} of ${lines} lines are the same, byte for byte.`;
  const alike = calls === null ? [] : [calls];
  if (!first) return [made, ...alike];
  const at = [...first.recorded].findIndex((letter, i) => letter !== first.now[i]);
  const { startedAt, measuredAt } = JSON.parse(first.recorded) as { startedAt?: string; measuredAt?: string };
  const excerpt = (text: string) => text.slice(Math.max(0, at - shownCharacters / 2), at + shownCharacters / 2);
  return [
    made,
    ...versions.map((text) => `- ${text}`),
    `Page load times differ by up to ${timesPercent.toFixed(1)}%; those of the ${counted(lossless.loads, "load")} that lost no packet, by up to ${lossless.roundTrips.toFixed(2)} round trips.`,
    `The first line that differs, of what began at ${startedAt ?? measuredAt} by the guest's clock:`,
    `  recorded …${excerpt(first.recorded)}…`,
    `  now      …${excerpt(first.now)}…`,
    ...alike,
  ];
}

export const addTo = (lab: Command) =>
  lab
    .command("verify")
    .description("check from a run's files that every load is what its record says")
    .argument(...aRun)
    .option("--json", "print JSON, with every load that is invalid or marked")
    .option(
      "--again <n>",
      "virtual clock: also repeat this many chunks of the run, and compare their lines",
      wholeNumber(1, 10_000),
    )
    .addOption(new Option("--seed <n>", "which chunks --again takes").argParser(wholeNumber(0, 2 ** 32 - 1)).default(1))
    .option("--here", "--again by this checkout, also where the run's own commit could make the same bytes")
    .option(
      "--calls <folder>",
      "--again keeps a log of each chunk's system calls there, and says where it parts from that of the first making",
    )
    .addOption(root())
    .action(verify);
