/** Repeats chunks of a run if that is possible, and prints how their lines differ. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { removeOtherPages } from "../../sites/kept-pages.ts";
import { print, say } from "../output/output.ts";
import { isBundleTrusted } from "../record/added/trusted.ts";
import { bundleOf, labOf, type UnpackedBundle } from "../record/bundle.ts";
import { unpackRun } from "../record/pack.ts";
import type { SavedRun } from "../record/records.ts";
import { checkoutOf, type Ended, labIn, otherCommit } from "../run/recorded-commit.ts";
import { type Again, type AgainOptions, makeChunksAgain } from "./again.ts";

interface RepeatOptions extends Omit<AgainOptions, "sameVersionsOnly"> {
  /** Repeat the chunks with this checkout, even if another commit made the run, or the run's bundle contains a lab. */
  here?: true;
}

/** Thrown if a repeated chunk differs although the versions are the same. Other errors show nothing about the run. */
export class Different extends LabError {
  constructor(message: string) {
    super(ExitCode.failed, message);
  }
}

/**
 * Repeats chunks with the bundle's lab if it needs no network; else with this checkout or, if its versions differ, with the run's commit.
 * @returns `done` if this checkout repeated the chunks; otherwise how the other lab ended, which has printed its own messages
 * @throws Different @throws LabError if the versions differ, because then a difference between lines shows nothing
 */
export async function repeatChunks(run: SavedRun, { here, ...options }: RepeatOptions): Promise<Ended> {
  const bundle = here ? null : bundleOf(run.folder);
  if (bundle?.hasMachine) return repeatIn(trustedLab(bundle), run, options);
  const other = here ? null : await otherCommit(run.manifest.commit);
  const commit = other && "commit" in other ? other.commit : null;
  const differing = new Set<string>();
  let wrong = 0;
  const versions = await makeChunksAgain(run, { ...options, sameVersionsOnly: commit !== null }, (result) => {
    print(sentences(result).join("\n"));
    if (result.first && result.versions.length === 0) wrong++;
    for (const text of result.versions) differing.add(text);
  });
  if (commit && versions.length) {
    say(`This checkout has other versions: ${versions.join("; ")}. The commit that made the run repeats it instead.`);
    return repeatIn(await checkoutOf(commit), run, options);
  }
  if (wrong)
    throw new Different(
      `${run.folder}: ${counted(wrong, "repeated chunk differs", "repeated chunks differ")} from the recorded lines`,
    );
  if (differing.size)
    throw new LabError(
      ExitCode.otherVersions,
      [
        `${run.folder} cannot be repeated here byte for byte: ${[...differing].join("; ")}`,
        ...(other && "lacks" in other ? [other.lacks] : []),
        ...([...differing].some((text) => text.startsWith("versions.guestRoot ")) ? [rootAdvice] : []),
      ].join("\n"),
    );
  return { code: ExitCode.done, compared: true };
}

const rootAdvice =
  "Debian's packages have changed since the run, or the lab lists other packages now. If you kept the run's root image with ./lab root save, add --root FILE";

function trustedLab(bundle: UnpackedBundle): string {
  if (!isBundleTrusted(bundle.sha256))
    throw usageError(
      `${bundle.file} contains its own lab, kernel and programs, which would repeat the run. If you trust its author: ./lab trust ${bundle.file}; --here uses this checkout instead`,
    );
  return labOf(bundle);
}

async function repeatIn(
  lab: string,
  { folder, manifest }: SavedRun,
  { count, seed, root, calls }: RepeatOptions,
): Promise<Ended> {
  // A copy, because older commits read only unpacked runs, and some of them write an index into the run's folder.
  const copy = mkdtempSync(join(tmpdir(), "lab-run-"));
  try {
    cpSync(folder, copy, { recursive: true });
    unpackRun(copy);
    removeOtherPages(copy);
    const words = ["verify", copy, `--again=${count}`, `--seed=${seed}`];
    const given = root === undefined ? [] : [`--root=${resolve(root)}`];
    const logged = calls === undefined ? [] : [`--calls=${resolve(calls)}`];
    return await labIn(lab, [...words, ...given, ...logged], manifest.added);
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
  const inRoundTrips = lossless.loads
    ? `; those of the ${counted(lossless.loads, "load")} that lost no packet, by up to ${lossless.roundTrips.toFixed(2)} round trips`
    : "";
  const excerpt = (text: string) => text.slice(Math.max(0, at - shownCharacters / 2), at + shownCharacters / 2);
  return [
    made,
    ...versions.map((text) => `- ${text}`),
    `Page load times differ by up to ${timesPercent.toFixed(1)}%${inRoundTrips}.`,
    `The first line that differs (${startedAt ?? measuredAt} by the guest's clock):`,
    `  recorded …${excerpt(first.recorded)}…`,
    `  now      …${excerpt(first.now)}…`,
    ...alike,
  ];
}
