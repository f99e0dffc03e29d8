import { writeFileSync } from "node:fs";
import type { Figure } from "../figures/figure.ts";
import { renderFigureCsv } from "../figures/figure.ts";
import { makeFolder } from "./folder.ts";

/** @param onWritten called with the path of each file */
export async function writeFigures(
  drawn: readonly Figure[],
  folder: string,
  onWritten: (path: string) => void,
): Promise<void> {
  // Loading the library takes a second, and other commands should not wait for it.
  const { renderSvg } = await import("../figures/chart.ts");
  makeFolder(folder);
  for (const figure of drawn)
    for (const [ending, text] of [
      ["svg", renderSvg(figure)],
      ["csv", renderFigureCsv(figure)],
    ] as const) {
      const path = `${folder}/${figure.id}.${ending}`;
      writeFileSync(path, text);
      onWritten(path);
    }
}
