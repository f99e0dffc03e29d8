/** Builds the experiment of `./lab try`. It compares the values of one axis in each scenario. */

import { type AnyAxis, isCompound, labelOf, partsOf, textOf } from "../../axes/axis.ts";
import { axis as linkAxis } from "../../axes/link.axis.ts";
import { allAxes } from "../../axes/registry.ts";
import { defaultMetric } from "../../metrics/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { AxisValue, Condition, Values } from "../../schema/plan.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import { loadPage, sizeOf } from "../../sites/pages.ts";
import { conditionsOf } from "./conditions.ts";
import { type Experiment, experimentProblems } from "./experiment.ts";

/** The name of the runs of `./lab try`. No file in experiments/ may have this name. */
export const trialName = "try";

/** An axis with its values, in the order of the command line. */
export interface Given {
  axis: AnyAxis;
  values: AxisValue[];
}

const trialLoads = 10;
/** The seconds of a time-out that do not depend on the page's bytes: for handshakes, think time and slow pages. */
const patienceSeconds = 120;
/** A load may take this many times its transmission time, because of slow start, retransmissions and objects that load one after another. */
const slowness = 4;
const mostSeconds = 3600;

/**
 * @param compare the axis that is compared; by default the first axis with several values that is not part of the user's situation
 * @throws LabError (usage) if there is nothing to compare, or values are impossible together
 */
export function trialOf(
  given: readonly Given[],
  registries: Registries,
  compare?: string,
): Experiment & { timeoutSeconds: number } {
  const compared = comparedOf(given, compare);
  refuseOverlap(compared, given);
  const { axis, values } = compared;
  const [baseline, ...options] = values as [AxisValue, ...AxisValue[]];
  const comparisons = options.map((value, i) => [
    String(i + 1),
    { title: labelOf(axis, value), option: { [axis.name]: value } },
  ]);
  const ids = comparisons.map(([id]) => id as string) as [string, ...string[]];
  const title = `${axis.name}: ${options.map((value) => textOf(axis, value)).join(", ")} against ${textOf(axis, baseline)}`;
  const experiment: Experiment = {
    title,
    source: `./lab try ${given.map(asGiven).join(" ")}`,
    loads: trialLoads,
    seed: 1,
    timeout: `${patienceSeconds} s`,
    metric: defaultMetric,
    axes: {
      ...usualValues(given),
      ...serverOf(given, registries),
      ...Object.fromEntries(given.map((one) => [one.axis.name, one.values])),
    },
    baseline: { [axis.name]: baseline },
    comparisons: Object.fromEntries(comparisons),
    tables: [{ id: "1", title, medians: ids }],
  };
  return withTimeout(experiment, registries);
}

/** Returns the server that replays recordings if all pages are recorded; otherwise an empty object. */
export function serverOf(given: readonly Given[], { pages, servers }: Registries): Record<string, AxisValue[]> {
  const named = given.find(({ axis }) => axis.name === "page")?.values ?? [];
  const isRecorded = (page: AxisValue) => {
    const entry = pages[page];
    return entry !== undefined && isImported(entry) && entry.recorded !== undefined;
  };
  const server = Object.keys(servers).find((name) => servers[name]?.replays);
  return server !== undefined && named.length > 0 && named.every(isRecorded) ? { server: [server] } : {};
}

/** Checks an experiment that was built from options, and sets the time-out that its slowest condition needs. */
export function withTimeout(experiment: Experiment, registries: Registries): Experiment & { timeoutSeconds: number } {
  const [problem] = experimentProblems(experiment, registries);
  if (problem) throw usageError(`--${problem.path.at(-1)}: ${problem.message}`);
  const timeoutSeconds = patience(conditionsOf(experiment, registries));
  return { ...experiment, timeout: `${timeoutSeconds} s`, timeoutSeconds };
}

/** Whether an axis is part of the user's situation (page, number of hosts, link), not a change that is tried there (protocol, server, TCP). */
const isOfScenario = ({ axis }: Given) =>
  ["page", "servers"].includes(axis.name) ||
  partsOf(axis).every((part) => (linkAxis.parts as readonly string[]).includes(part));

function comparedOf(given: readonly Given[], compare: string | undefined): Given {
  const several = given.filter(({ values }) => values.length > 1);
  const found =
    compare === undefined
      ? (several.find((one) => !isOfScenario(one)) ?? several[0])
      : several.find(({ axis }) => axis.name === compare);
  if (found) return found;
  throw usageError(
    compare === undefined || several.length === 0
      ? "there is nothing to compare: give an axis two values or more, as in --protocol h1,h2; every later value is compared with the first"
      : `--compare ${compare}: give it two values or more; axes with several values: ${several.map(({ axis }) => axis.name).join(", ")}`,
  );
}

const asGiven = ({ axis, values }: Given) => `--${axis.name} ${values.map((value) => textOf(axis, value)).join(",")}`;

/** Returns values for axes that are not given and have no default. A part that is given overrides the value of its compound. */
export function usualValues(given: readonly Pick<Given, "axis">[]): Record<string, AxisValue[]> {
  const named = new Set(given.map(({ axis }) => axis.name));
  return Object.fromEntries(
    allAxes.flatMap(({ name, usual }) => (usual === undefined || named.has(name) ? [] : [[name, [usual]]])),
  );
}

/** Returns the axes whose values are not the defaults, each with its value as an option's text: what a command must name. */
export const withoutDefaults = (values: Values): { axis: AnyAxis; text: string }[] =>
  allAxes.flatMap((axis) => {
    const value = values[axis.name];
    const isDefault = value === undefined || (!isCompound(axis) && axis.default === value);
    return isDefault ? [] : [{ axis, text: textOf(axis, value) }];
  });

/** Refuses axes that share parts with a compared compound axis, because each value of the compound sets these parts. */
function refuseOverlap({ axis }: Given, given: readonly Given[]): void {
  if (!isCompound(axis)) return;
  const other = given.find(
    (one) => one.axis !== axis && partsOf(one.axis).some((part) => partsOf(axis).includes(part)),
  );
  if (other)
    throw usageError(
      `--${axis.name} is compared, and each of its values sets ${other.axis.name}: leave out --${other.axis.name}, or give --${other.axis.name} alone`,
    );
}

function patience(conditions: readonly Condition[]): number {
  const sending = conditions.map(
    ({ settings: { page, link } }) => sizeOf(loadPage(page.name)).bytes / ((link.downMbps * 1e6) / 8),
  );
  return Math.min(mostSeconds, patienceSeconds + Math.ceil(slowness * Math.max(...sending)));
}
