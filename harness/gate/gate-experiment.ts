/** Plans the experiment of `./lab gate`, which loads a given page, and the page that it is compared with, over some links. */
import { axisNamed } from "../../axes/registry.ts";
import { defaultMetric } from "../../metrics/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { GivenPage } from "../../sites/given-page.ts";
import type { Experiment } from "../plan/experiment.ts";
import { seedOfName } from "../plan/seeded.ts";
import { serverOf, usualValues, withTimeout } from "../plan/trial.ts";

/** The experiment's name in all runs of `./lab gate`; no file in experiments/ may have this name. */
export const gateName = "gate";
/** The id of the comparison with the earlier page, which is the baseline. */
export const gateComparison = "after";

export interface GatePlan {
  after: GivenPage;
  before: GivenPage | null;
  /** HTML files that both pages have. The report has a row for each file over each link. */
  documents: readonly string[];
  links: readonly AxisValue[];
  protocol: AxisValue;
  /** Set if servers take as long to answer as in the recording; only for pages from HARs. */
  serverTimes?: boolean | undefined;
  loads: number;
}

/** The server program that can delay responses of a page that is not a recorded site (servers/software.ts). */
const waitingServer = "node";

/** @throws LabError (usage) for values that the registries do not have */
export function gateExperiment(
  { after, before, documents, links, protocol, serverTimes, loads }: GatePlan,
  registries: Registries,
): ReturnType<typeof withTimeout> {
  const sideOf = ({ name, hosts }: GivenPage): Values => ({ page: name, servers: hosts });
  const [option, baseline] = [sideOf(after), sideOf(before ?? after)];
  const isCompared = option.page !== baseline.page; // pages with the same files have the same name
  const pages = { axis: axisNamed("page", gateName), values: [option.page!, baseline.page!] };
  const given: Record<string, AxisValue[]> = {
    ...{ document: [...documents], link: [...links], protocol: [protocol] },
    ...(serverTimes && { server: [waitingServer], serverTimes: ["recorded"] }),
    ...serverOf([pages], registries),
  };
  const fixed = ["page", "servers", ...Object.keys(given)].map((name) => ({ axis: axisNamed(name, gateName) }));
  // If there is an earlier page, it determines the seed. So random losses stay the same when the page is edited, but differ between projects.
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
