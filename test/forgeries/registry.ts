/** All forgeries of a run's saved files: the faults of one load (test/faults), and changes that no fault causes. */
import { faults } from "../faults/registry.ts";
import { calibrations } from "./calibrations.ts";
import { causes } from "./causes.ts";
import { type Forgery, forged } from "./forgery.ts";
import { lanes } from "./lanes.ts";
import { links } from "./links.ts";
import { plan } from "./plan.ts";
import { relabelled } from "./relabelled.ts";
import { times } from "./times.ts";

const ofOneLoad = faults.filter(({ inEvidence }) => inEvidence).map(forged);

export const forgeries: Forgery[] = [
  ...relabelled,
  ...times,
  ...ofOneLoad,
  ...plan,
  ...causes,
  ...lanes,
  ...links,
  ...calibrations,
];
