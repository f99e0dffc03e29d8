import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { makePrograms } from "../../servers/made.ts";
import { chooseSubstrate } from "../../substrate/choose.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { type Again, makeAgain, recordedChunks } from "../run/again.ts";
import { lockLab } from "../run/lock.ts";

/**
 * Some chunks of a run on the virtual clock, made again as they were recorded, against their lines.
 * @param count how many @param seed which
 * @throws LabError when a line that should be the same is not
 */
export async function again(name: string | undefined, count: number, seed: number): Promise<void> {
  const { folder, manifest } = openRun(name);
  if (manifest.clock !== "virtual")
    throw usageError(
      `${folder} is on the real clock: --again is for the virtual one, on which loads can be made again`,
    );
  if (manifest.recordedVersion === 2)
    throw usageError(
      `${folder} is of version 2, whose lanes depended on where the checkout lay; it cannot be made again`,
    );
  const { processingMs } = manifest;
  const substrate = await chooseSubstrate({
    clock: "virtual",
    lanes: 1,
    ...(processingMs === undefined ? {} : { processingMs }),
  });
  await makePrograms(Object.keys(manifest.registries.servers));
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new LabError(ExitCode.interrupted, `stopped by ${signal}`)));
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  try {
    let wrong = 0;
    for (const recorded of recordedChunks(readSavedRun(folder, manifest), count, seed)) {
      const result = await makeAgain(recorded, substrate, manifest.seed, stop.signal);
      stop.signal.throwIfAborted();
      console.log(sentences(result).join("\n"));
      if (result.first && result.versions.length === 0) wrong++;
    }
    if (wrong)
      throw new LabError(
        ExitCode.failed,
        `${folder}: ${counted(wrong, "chunk is not what comes when it is", "chunks are not what comes when they are")} made again`,
      );
  } finally {
    letGo();
    release();
  }
}

const shownCharacters = 300;

function sentences({ chunk, lines, same, first, versions, timesPercent, lossless }: Again): string[] {
  const made = `Chunk ${chunk}, made again: ${same} of ${lines} lines are the same, byte for byte.`;
  if (!first) return [made];
  const at = [...first.recorded].findIndex((letter, i) => letter !== first.now[i]);
  const excerpt = (text: string) => text.slice(Math.max(0, at - shownCharacters / 2), at + shownCharacters / 2);
  return [
    made,
    ...versions.map((text) => `- ${text}`),
    `Page load times differ by up to ${timesPercent.toFixed(1)}%; those of the ${counted(lossless.loads, "load")} that lost no packet, by up to ${lossless.roundTrips.toFixed(2)} round trips.`,
    "The first line that is not the same:",
    `  recorded …${excerpt(first.recorded)}…`,
    `  now      …${excerpt(first.now)}…`,
  ];
}
