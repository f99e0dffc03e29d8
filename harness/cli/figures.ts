import { writeFileSync } from "node:fs";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { renderFigureCsv } from "../report/figures/csv.ts";
import type { Figure } from "../report/figures/figure.ts";
import { figuresOf } from "../report/run-figures.ts";
import { makeFolder } from "./folder.ts";

/** From saved loads alone, each figure as a picture and as numbers; their paths are printed. */
export async function figures(name: string | undefined, { out }: { out?: string }): Promise<void> {
  const { folder, manifest } = openRun(name);
  const drawn = figuresOf(readSavedRun(folder, manifest));
  await writeFigures(drawn, out ?? `${folder}/figures`, console.log);
  if (drawn.every(({ points }) => points.every(({ source, y }) => source !== "measured" || y === null)))
    console.error(`${folder} has no load that counts yet: its figures show nothing measured`);
}

/** @param tell told of each file, by its path */
export async function writeFigures(
  drawn: readonly Figure[],
  folder: string,
  tell: (path: string) => void,
): Promise<void> {
  // The library takes a second to load, which no other command should wait for.
  const { renderSvg } = await import("../report/figures/svg.ts");
  makeFolder(folder);
  for (const figure of drawn)
    for (const [ending, text] of [
      ["svg", await renderSvg(figure)],
      ["csv", renderFigureCsv(figure)],
    ] as const) {
      const path = `${folder}/${figure.id}.${ending}`;
      writeFileSync(path, text);
      tell(path);
    }
}
