/** The experiment of `./lab gate`: a page that was given, over some links, and the page that it is compared with. */
import { axisNamed } from "../../axes/registry.ts";
import { defaultMetric } from "../../metrics/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { GivenPage } from "../../sites/given-page.ts";
import type { Experiment } from "../plan/experiment.ts";
import { seedOfName } from "../plan/shared-losses.ts";
import { usualValues, withTimeout } from "../plan/trial.ts";

/** The name of its runs; no file of experiments/ may have it. */
export const gateName = "gate";
/** The comparison's id: the baseline is the page as it was before. */
export const gateComparison = "after";

export interface GatePlan {
  after: GivenPage;
  /** Without it, nothing is compared. */
  before: GivenPage | null;
  /** HTML files that both pages have: a row of the report for each, over each link. */
  documents: readonly string[];
  links: readonly AxisValue[];
  protocol: AxisValue;
  /** Servers take as long as in the recording, of pages that are HARs. */
  serverTimes?: boolean | undefined;
  loads: number;
}

/** The server that can wait (servers/software.ts). */
const waiting: Record<string, AxisValue[]> = { server: ["node"], serverTimes: ["recorded"] };

/** @throws LabError (usage) for values that the registries do not have */
export function gateExperiment(
  { after, before, documents, links, protocol, serverTimes, loads }: GatePlan,
  registries: Registries,
): ReturnType<typeof withTimeout> {
  const sideOf = ({ name, hosts }: GivenPage): Values => ({ page: name, servers: hosts });
  const [option, baseline] = [sideOf(after), sideOf(before ?? after)];
  const isCompared = option.page !== baseline.page; // the same files have the same name
  const given: Record<string, AxisValue[]> = {
    ...{ document: [...documents], link: [...links], protocol: [protocol] },
    ...(serverTimes && waiting),
  };
  const fixed = ["page", "servers", ...Object.keys(given)].map((name) => ({ axis: axisNamed(name, gateName) }));
  // Both sides have the draws of the page that is known: an edit changes none of them, but another project has others.
  const seed = seedOfName((before ?? after).name);
  const title = isCompared ? `${after.name} against ${before!.name}` : after.name;
  const experiment: Experiment = {
    title,
    source: `./lab ${gateName}`,
    loads,
    seed,
    timeout: "",
    sharesLosses: { seed },
    metric: defaultMetric,
    axes: { ...usualValues(fixed), ...given },
    together: isCompared ? [baseline, option] : [option],
    baseline,
    comparisons: isCompared ? { [gateComparison]: { title: "after", option } } : {},
    tables: isCompared ? [{ id: "1", title, medians: [gateComparison] }] : [],
  };
  return withTimeout(experiment, registries);
}
