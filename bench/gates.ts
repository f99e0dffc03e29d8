import { readRun } from "../harness/record/records.ts";
import { usageError } from "../schema/errors.ts";
import { costsNothing, type Drawn, drawnFrom, edits, type Outcomes, simulateGates } from "./simulated-gates.ts";

/** How often are gates red, green or undecided? Simulated gates draw their loads from committed runs, and apply an edit to the page. */
export function benchGates(names: string[], { gates }: { gates: number }): void {
  const all = names.flatMap((name) => drawnFrom(readRun(name)));
  const isLossy = ({ condition }: Drawn) => condition.settings.link.lossPercent > 0;
  const kinds = {
    "without random loss": all.filter((one) => !isLossy(one)),
    "with random loss": all.filter(isLossy),
  };
  if (all.length === 0) throw usageError(`${names.join(", ")}: no condition has enough loads for both sides of a gate`);
  console.log("| links | pairs | edit | gates | red | green | undecided | invalid |");
  console.log("| :-- | :-- | :-- | --: | --: | --: | --: | --: |");
  for (const [links, conditions] of Object.entries(kinds))
    for (const edit of conditions.length ? edits : [])
      for (const pairing of costsNothing.has(edit) ? [false] : [false, true]) {
        const outcomes = cells(simulateGates(conditions, { edit, gates, pairing }));
        console.log(`| ${links} | ${pairing ? "one load" : "two loads"} | ${edit} | ${gates} | ${outcomes} |`);
      }
}

const cells = ({ failed, passed, undecided, invalid }: Outcomes) => [failed, passed, undecided, invalid].join(" | ");
