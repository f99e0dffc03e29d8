/** Ways to alter a run's saved files so that they say something else: a load's faults (test/faults), and what a forger does beside. */
import { faults } from "../faults/registry.ts";
import { calibrations } from "./calibrations.ts";
import { type Forgery, forged } from "./forgery.ts";
import { relabelled } from "./relabelled.ts";
import { run } from "./run.ts";
import { times } from "./times.ts";

const ofOneLoad = faults.filter(({ inEvidence }) => inEvidence).map(forged);

export const forgeries: Forgery[] = [...relabelled, ...times, ...ofOneLoad, ...run, ...calibrations];
