/** Prints the test of the parts as Markdown: errors beside the aims, then each part, then each pair. */

import { median } from "../../statistics/quantile.ts";
import { alignedTable } from "../../tables/format.ts";
import { type Part, partNames } from "../parts.ts";
import { causeNames } from "../removed-cause.ts";
import { errorOf, isLossy, meansOf, predictedMs, type Saving } from "./savings.ts";

const aims = { calm: 0.05, lossy: 0.1 };

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
const whole = (ms: number) => ms.toFixed(0);
const ofCause = (savings: readonly Saving[], cause: string) => savings.filter((one) => one.cause === cause);

export function savingsMarkdown(savings: readonly Saving[]): string {
  return `${[
    `# Time that explain attributes to a cause, and time saved without it: ${savings.length} pairs of conditions`,
    "Error: the predicted page load time without the cause less the measured one, as a share of the measured one. Waiting for a busy connection is split into what that connection waited for.",
    errorTable(savings),
    "Mean milliseconds over the pairs. A negative number is a wait that the removed cause had hidden.",
    partTable(savings),
    pairTable(savings),
  ].join("\n\n")}\n`;
}

function errorTable(savings: readonly Saving[]): string {
  const calm = savings.filter((one) => !isLossy(one));
  const groups: [string, Saving[], string][] = [
    ...causeNames.map((cause): [string, Saving[], string] => [cause, ofCause(savings, cause), ""]),
    ["all without random loss", calm, percent(aims.calm)],
    ["all with random loss", savings.filter(isLossy), percent(aims.lossy)],
  ];
  const rows = groups
    .filter(([, some]) => some.length > 0)
    .map(([name, some, aim]) => {
      const sizes = some.map((one) => Math.abs(errorOf(one)));
      return [name, `${some.length}`, percent(median(sizes)), percent(Math.max(...sizes)), aim];
    });
  return alignedTable([["removed cause", "pairs", "median error", "largest", "aim"], ...rows], 1);
}

function partTable(savings: readonly Saving[]): string {
  const rows = causeNames.flatMap((cause) => {
    const own = ofCause(savings, cause);
    const [first] = own;
    if (!first) return [];
    const row = (name: string, parts: readonly Part[]) => {
      const { predicted, measured } = meansOf(own, parts);
      return [cause, name, whole(predicted), whole(measured)];
    };
    const others = partNames.filter((part) => !first.parts.includes(part));
    return [...first.parts.map((part) => row(part, [part])), row("all other parts", others)];
  });
  return alignedTable([["removed cause", "part", "predicted, ms", "saved, ms"], ...rows], 2);
}

const pairTable = (savings: readonly Saving[]) =>
  alignedTable(
    [
      ["condition", "removed cause", "load, ms", "predicted, ms", "saved, ms", "error"],
      ...savings.map((one) => [
        one.from.id,
        one.cause,
        whole(one.fromMs),
        whole(predictedMs(one)),
        whole(one.fromMs - one.toMs),
        percent(errorOf(one)),
      ]),
    ],
    2,
  );
