/** Footnotes for numbers that rest on less than was planned. */
import type { GridTable } from "./grid.ts";
import { averageKey } from "./grid.ts";
import { type Basis, isComplete } from "./statistics.ts";
import type { SummaryTable } from "./summary.ts";

/** Not an asterisk: Markdown would take it for emphasis or a list. */
export const incompleteMark = "†";

/** One paragraph for each amount that is missing, with the cells it is missing in; none if all is there. */
export function markedFootnotes(table: GridTable | SummaryTable): string[] {
  const parts = table.kind === "grid" ? cellBases(table) : caseBases(table);
  const incomplete = parts.filter(({ basis }) => !isComplete(basis));
  return [...new Set(incomplete.map(({ basis }) => basisText(basis)))].map((text) => {
    const group = incomplete.filter(({ basis }) => basisText(basis) === text);
    const all = group.length === parts.length && parts.length > 1;
    const every = table.kind === "grid" ? "every cell" : "every case";
    return `${incompleteMark} ${text}: ${all ? every : group.map(({ where }) => where).join("; ")}`;
  });
}

interface Part {
  where: string;
  basis: Basis;
}

/** The inner cells: an average is as incomplete as what it is made of. */
function cellBases({ rows, columns }: GridTable): Part[] {
  const inner = rows.filter(({ key }) => key !== averageKey);
  return inner.flatMap(({ label, cells }) => cells.flatMap((basis, index) =>
    basis.column === averageKey ? [] : [{ where: `${label}, ${columns[index]!.label}`, basis }]));
}

const caseBases = ({ cases }: SummaryTable): Part[] =>
  cases.map((basis) => ({ where: `Case ${basis.case} ${basis.title}`, basis }));

function basisText({ settings, plannedSettings, loads, plannedLoads }: Basis): string {
  const missing = plannedSettings - settings;
  const without = missing === 0 ? "" : `, ${missing} of ${plannedSettings} settings without a gain`;
  return `${loads} of ${plannedLoads} loads${without}`;
}
