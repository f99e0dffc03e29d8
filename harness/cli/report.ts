import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRun } from "../record/run-folder.ts";
import { buildReport } from "../web/build.ts";

export interface ReportOptions {
  out?: string;
  beside?: string;
  guessFirst?: true;
}

/** A folder that opens from a disk: of one run, or of two beside each other. */
export async function report(name: string | undefined, { out, beside, guessFirst }: ReportOptions): Promise<void> {
  const runs = [openRun(name), ...(beside === undefined ? [] : [openRun(beside)])];
  const folder = out ?? `${runs[0]!.folder}/report`;
  const files = await buildReport(runs, { guessFirst: guessFirst ?? false });
  rmSync(join(folder, "data"), { recursive: true, force: true });
  for (const [file, content] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  console.log(`${folder}/index.html`);
}
