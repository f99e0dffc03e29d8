/** Footnotes for numbers with fewer loads or scenarios than planned, with flagged loads, or with loads that never ended. */

import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import type { DifferencesTable } from "./differences.ts";
import type { FactorsTable } from "./factors.ts";
import type { GridTable } from "./grid.ts";
import { averageKey } from "./grid.ts";
import type { MediansTable } from "./medians.ts";
import type { AnyTable } from "./report.ts";
import { type Basis, isComplete } from "./statistics.ts";
import type { SummaryTable } from "./summary.ts";

/** The mark of numbers that lack loads. It is not an asterisk, because Markdown would read an asterisk as emphasis or a list. */
export const incompleteMark = "†";
export const flaggedMark = "‡";
export const endlessMark = "§";

export const marksOf = (basis: Basis): string =>
  (isComplete(basis) ? "" : incompleteMark) +
  (basis.flaggedLoads > 0 ? flaggedMark : "") +
  (basis.endlessScenarios > 0 ? endlessMark : "");

/** Prints a paragraph for each different footnote text, with the cells that it applies to. */
export function markedFootnotes(table: AnyTable): string[] {
  const parts = partsOf(table);
  const every =
    table.kind === "grid" || table.kind === "factors"
      ? "every cell"
      : table.kind === "summary"
        ? "every comparison"
        : "every speedup";
  const grouped = (mark: string, some: Part[], textOf: (basis: Basis) => string) =>
    [...new Set(some.map(({ basis }) => textOf(basis)))].map((text) => {
      const group = some.filter(({ basis }) => textOf(basis) === text);
      const all = group.length === parts.length && parts.length > 1;
      return `${mark} ${text}: ${all ? every : group.map(({ where }) => inMarkdown(where)).join("; ")}`;
    });
  return [
    ...grouped(
      incompleteMark,
      parts.filter(({ basis }) => !isComplete(basis)),
      basisText,
    ),
    ...grouped(
      flaggedMark,
      parts.filter(({ basis }) => basis.flaggedLoads > 0),
      ({ flaggedLoads }) =>
        `${flaggedLoads} of the loads are invalid or flagged, or their condition was never confirmed (./lab verify names them)`,
    ),
    ...grouped(
      endlessMark,
      parts.filter(({ basis }) => basis.endlessScenarios > 0),
      ({ endlessScenarios, scenarios }) =>
        `in ${endlessScenarios} of ${counted(scenarios, "scenario")} at least half of a side's loads never ended, so numbers computed from this side's median are bounds or unknown`,
    ),
  ];
}

interface Part {
  where: string;
  basis: Basis;
}

function partsOf(table: AnyTable): Part[] {
  if (table.kind === "summary") return comparisonBases(table);
  if (table.kind === "factors") return factorBases(table);
  return table.kind === "grid" ? cellBases(table) : speedupBases(table);
}

const speedupBases = ({ rows, columns }: MediansTable | DifferencesTable): Part[] =>
  rows.flatMap(({ labels, cells }) =>
    cells.map((basis, i) => ({ where: [...labels, columns[i]!.title].join(", "), basis })),
  );

/** Returns the cells without the averages, because an average is as incomplete as its cells. */
function cellBases({ rows, columns }: GridTable): Part[] {
  const inner = rows.filter(({ key }) => key !== averageKey);
  return inner.flatMap(({ label, cells }) =>
    cells.flatMap((basis, index) =>
      basis.column === averageKey ? [] : [{ where: `${label}, ${columns[index]!.label}`, basis }],
    ),
  );
}

const factorBases = ({ rows, columns }: FactorsTable): Part[] =>
  rows.flatMap(({ label, cells }) =>
    cells.flatMap((basis, i) =>
      basis.plannedScenarios === 0 ? [] : [{ where: `${label}, ${columns[i]!.label}`, basis }],
    ),
  );

const comparisonBases = ({ comparisons }: SummaryTable): Part[] =>
  comparisons.map((basis) => ({ where: `Comparison ${basis.comparison} ${basis.title}`, basis }));

function basisText({ scenarios, plannedScenarios, loads, plannedLoads }: Basis): string {
  const missing = plannedScenarios - scenarios;
  const without = missing === 0 ? "" : `, ${missing} of ${plannedScenarios} scenarios lack loads of a side`;
  return `${loads} of ${counted(plannedLoads, "load")}${without}`;
}
