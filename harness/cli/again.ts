import { ExitCode, LabError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { openRun } from "../record/run-folder.ts";
import { type Again, makeChunksAgain } from "../run/again.ts";

/** @throws LabError if a line differs although nothing that the lane ran on does */
export async function again(name: string | undefined, count: number, seed: number): Promise<void> {
  const run = openRun(name);
  let wrong = 0;
  await makeChunksAgain(run, { count, seed }, (result) => {
    console.log(sentences(result).join("\n"));
    if (result.first && result.versions.length === 0) wrong++;
  });
  if (wrong)
    throw new LabError(
      ExitCode.failed,
      `${run.folder}: ${counted(wrong, "chunk came out differently", "chunks came out differently")}, made again`,
    );
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
    "The first line that differs:",
    `  recorded …${excerpt(first.recorded)}…`,
    `  now      …${excerpt(first.now)}…`,
  ];
}
