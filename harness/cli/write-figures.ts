import { writeFileSync } from "node:fs";
import { type Figure, renderFigureCsv } from "../figures/figure.ts";
import { makeFolder } from "./folder.ts";

export async function writeFigures(
  drawn: readonly Figure[],
  folder: string,
  onWritten: (path: string) => void,
): Promise<void> {
  // Loading the library takes a second, and other commands should not wait for it.
  const { renderSvg } = await import("../figures/chart.ts");
  makeFolder(folder);
  for (const figure of drawn)
    writeFigure(`${folder}/${figure.id}`, renderSvg(figure), renderFigureCsv(figure), onWritten);
}

/** @param path the path of both files, without the ending */
export function writeFigure(path: string, svg: string, csv: string, onWritten: (path: string) => void): void {
  for (const [file, text] of [
    [`${path}.svg`, svg],
    [`${path}.csv`, csv],
  ] as const) {
    writeFileSync(file, text);
    onWritten(file);
  }
}
