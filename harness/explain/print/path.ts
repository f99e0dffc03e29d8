/** Prints one load's critical path in words. */

import { inMarkdown } from "../../../schema/foreign-words.ts";
import { alignedTable } from "../../tables/format.ts";
import { whyUnexplained } from "../account.ts";
import type { Step } from "../critical-path.ts";
import type { ExplainedLoad } from "../explained.ts";
import { partNames } from "../parts.ts";

/** Shorter steps are merged with the step before them, and parts that take less time in all are not named. */
const leastMs = 1;

export function pathMarkdown({ condition, load, account, trace }: ExplainedLoad): string {
  if (!account)
    return `${inMarkdown(condition.id)}: this load's time cannot be explained, because ${whyUnexplained(load, trace)}.\n`;
  const { parts } = account;
  const ms = (us: number) => (us / 1000).toFixed(1);
  const rows = stretches(account.steps).map(({ part, fromUs, toUs, what, steps }) => [
    `${part}${steps > 1 ? `, ${steps} steps` : ""}`,
    what,
    ms(fromUs),
    ms(toUs),
    ms(toUs - fromUs),
  ]);
  const sums = partNames.filter((part) => parts[part] >= leastMs).map((part) => `${part} ${parts[part].toFixed(1)}`);
  return `${[
    `# ${inMarkdown(condition.id)}, block ${load.block}: ${load.pageLoadMs.toFixed(1)} ms`,
    `${sums.join(", ")}. The critical path, from the start of the navigation to the load event:`,
    alignedTable([["what the time went to", "until", "from, ms", "to, ms", "took, ms"], ...rows], 2),
  ].join("\n\n")}\n`;
}

interface Stretch extends Step {
  steps: number;
}

/** Joins consecutive steps of the same part, and adds each short step to the step before it. */
function stretches(steps: readonly Step[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const step of steps) {
    const before = merged.at(-1);
    const isShort = step.toUs - step.fromUs < 1000 * leastMs;
    if (before && (before.part === step.part || isShort))
      Object.assign(before, {
        toUs: step.toUs,
        what: step.what,
        steps: before.steps + (before.part === step.part ? 1 : 0),
      });
    else merged.push({ ...step, steps: 1 });
  }
  return merged;
}
