/** How far what was foretold is from what came, by what was changed. */
import { median } from "simple-statistics";
import type { Condition } from "../../../schema/plan.ts";
import { kindNames } from "../../explain/interventions.ts";
import { interval95, redrawBlocks, resampledMedians } from "../../statistics/resample.ts";
import { alignedTable } from "../tables/format.ts";
import type { Foretold } from "./foretold.ts";
import type { TestedError } from "./tested.ts";

const errorOf = ({ foretoldMs, measuredMs }: Foretold) => foretoldMs / measuredMs - 1;
const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** Of the median, by the bootstrap over pairs of conditions. */
function intervalOf(sizes: readonly number[]): string {
  const byPair = new Map(sizes.map((size, pair) => [pair, size]));
  const interval = interval95(resampledMedians(byPair, redrawBlocks(byPair.keys())), sizes.length);
  return interval ? `${percent(interval.low)} to ${percent(interval.high)}` : "too few";
}

/** What no foretelling can know, and whether its draws scatter as loads do. */
function chanceOf(some: readonly Foretold[]): string[] {
  const drawn = some.filter(({ middleMs }) => middleMs !== null);
  if (drawn.length === 0) return ["", ""];
  const inside = drawn.filter(
    ({ measuredMs, middleMs }) => measuredMs >= middleMs!.low && measuredMs <= middleMs!.high,
  );
  return [percent(median(drawn.map(({ chance }) => chance!))), `${inside.length} of ${drawn.length}`];
}

const isLossy = ({ settings }: Condition) => settings.link.lossPercent > 0;

const isSerial = ({ settings }: Condition) => settings.page.protocol.startsWith("h1");

/** What was changed, by groups whose errors are of one kind. */
function groupsOf(all: readonly Foretold[]): [string, Foretold[]][] {
  const changed = all.filter(({ intervention }) => intervention);
  const own = all.filter(({ intervention }) => !intervention);
  const names = [...new Set(changed.map(({ intervention }) => intervention!.name))];
  const calm = changed.filter(({ from, to }) => !isLossy(from) && !isLossy(to));
  const groups: [string, Foretold[]][] = [
    ...names.map((name): [string, Foretold[]] => [name, changed.filter((one) => one.intervention!.name === name)]),
    ["all without random loss", calm],
    ["of these, no queue overflows", calm.filter(({ overflows }) => !overflows)],
    ["of these, a queue overflows, HTTP/1.1", calm.filter(({ overflows, to }) => overflows && isSerial(to))],
    ["of these, a queue overflows, HTTP/2", calm.filter(({ overflows, to }) => overflows && !isSerial(to))],
    ["random loss taken away", changed.filter(({ from, to }) => isLossy(from) && !isLossy(to))],
    ["random loss that comes or stays", changed.filter(({ to }) => isLossy(to))],
    ["nothing, own world, without random loss", own.filter(({ from }) => !isLossy(from))],
    ["nothing, own world, with random loss", own.filter(({ from }) => isLossy(from))],
  ];
  return groups.filter(([, some]) => some.length > 0);
}

/** By kind of change, and whether packets are lost by chance in the world that is foretold. */
export function errorsOf(all: readonly Foretold[]): TestedError[] {
  return kindNames.flatMap((kind) =>
    [false, true].flatMap((lossy) => {
      const some = all.filter(({ intervention, to }) => intervention?.kind === kind && isLossy(to) === lossy);
      const sizes = some.map((one) => Math.abs(errorOf(one)));
      return some.length
        ? [{ kind, lossy, pairs: some.length, medianError: median(sizes), largestError: Math.max(...sizes) }]
        : [];
    }),
  );
}

export function foretoldMarkdown(all: readonly Foretold[]): string {
  const sizes = (some: readonly Foretold[]) => some.map((one) => Math.abs(errorOf(one)));
  const changed = all.filter(({ intervention }) => intervention);
  return `${[
    `# What replays foretell, and what came: ${changed.length} interventions`,
    'Error: of the foretold page load time, against the measured one. Where packets are lost by chance, its draws differ: "chance alone" is by how much the median of the loads that were made differs through that (median); "in the middle" is how many measured ones lie where eight of ten such medians of draws do.',
    alignedTable(
      [
        ["intervention", "number", "median error", "95% interval", "largest", "chance alone", "in the middle"],
        ...groupsOf(all).map(([name, some]) => [
          name,
          `${some.length}`,
          percent(median(sizes(some))),
          intervalOf(sizes(some)),
          percent(Math.max(...sizes(some))),
          ...chanceOf(some),
        ]),
      ],
      1,
    ),
    alignedTable(
      [
        ["condition", "intervention", "was, ms", "foretold, ms", "measured, ms", "error"],
        ...changed.map((one) => [
          one.from.id,
          one.intervention!.name,
          ...[one.fromMs, one.foretoldMs, one.measuredMs].map((ms) => ms.toFixed(0)),
          percent(errorOf(one)),
        ]),
      ],
      2,
    ),
  ].join("\n\n")}\n`;
}
