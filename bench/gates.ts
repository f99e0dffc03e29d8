import { readRun } from "../harness/record/records.ts";
import { usageError } from "../schema/errors.ts";
import { type Drawn, drawnFrom } from "./drawn.ts";
import { costsNothing, type Edit, edits, enoughPairs, type Outcomes, simulateGates } from "./simulated-gates.ts";

/** Simulates gates from recorded loads, for each edit of a page. Prints how often the gates are red, green, undecided or invalid. */
export function benchGates(names: string[], { gates }: { gates: number }): void {
  const all = names.flatMap((name) => drawnFrom(readRun(name), enoughPairs));
  const areAsMade = all.some((one) => one.areAsMade);
  if (areAsMade && !all.every((one) => one.areAsMade)) throw usageError("gate runs cannot be mixed with other runs");
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
      for (const pairing of pairingsOf(edit, areAsMade)) {
        const outcomes = cells(simulateGates(conditions, { edit, gates, pairing }));
        const pairs = areAsMade ? "as made" : "one load";
        console.log(`| ${links} | ${pairing ? pairs : "two loads"} | ${edit} | ${gates} | ${outcomes} |`);
      }
}

/** If both loads of a pair are the same load, an edit that costs nothing leaves them equal, so simulating paired gates would show nothing. */
const pairingsOf = (edit: Edit, areAsMade: boolean) => (costsNothing.has(edit) && !areAsMade ? [false] : [false, true]);

const cells = ({ failed, passed, undecided, invalid }: Outcomes) => [failed, passed, undecided, invalid].join(" | ");
