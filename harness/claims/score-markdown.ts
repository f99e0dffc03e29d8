/** The score as Markdown: a row for each place of a document, or for each number. */
import { markdownTable } from "markdown-table";
import { type ScoreRow, tally } from "./score.ts";
import { verdicts } from "./verdict.ts";

const table = (rows: string[][]) => markdownTable(rows, { alignDelimiters: false });

export function scoreSummary(rows: readonly ScoreRow[]): string {
  const placeOf = ({ document, at, clock }: ScoreRow) => [document, at, clock];
  const places = new Map(rows.map((row) => [placeOf(row).join(), placeOf(row)]));
  const lines = [...places].map(([key, place]) => [
    ...place,
    ...countsOf(rows.filter((row) => placeOf(row).join() === key)),
  ]);
  return table([
    ["document", "where", "clock", ...verdicts, ...verdicts.map((verdict) => `${verdict}, corrected`)],
    ...lines,
    ["all", "", "", ...countsOf(rows)],
  ]);
}

function countsOf(rows: readonly ScoreRow[]): string[] {
  const [plain, corrected] = [tally(rows, "verdict"), tally(rows, "corrected")];
  return [...verdicts.map((verdict) => plain[verdict]), ...verdicts.map((verdict) => corrected[verdict])].map(String);
}

export const scoreRows = (rows: readonly ScoreRow[]): string =>
  table([
    ["document", "where", "what", "clock", "published", "here (95% interval)", "verdict", "corrected"],
    ...rows.map(({ document, at, says, clock, published, number, here, verdict, corrected }) => [
      document,
      at,
      number.label ? `${says} (${number.label})` : says,
      clock,
      published === null ? "" : String(published),
      here,
      verdict,
      corrected,
    ]),
  ]);
