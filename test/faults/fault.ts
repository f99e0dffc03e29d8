/** What can be wrong with a load or with the lab, and what must then be reported: the one catalogue of it (registry.ts). */
import type { Evidence, FlowEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { InLab } from "./in-lab.ts";

export interface Fault {
  /** What is wrong. */
  what: string;
  /** What must be reported, whichever of the ways below made it so. */
  message: RegExp;
  /** Makes a load's evidence look so: the unit tests judge a sample of it, and forgeries.test.ts forges it into a saved run. */
  inEvidence?: (evidence: Evidence) => void;
  /** The load of the saved run that is altered, where not any would do. */
  isVictim?: (load: GoodLoad) => boolean;
  /** The sample of the unit tests has not what this alters, lost packets for example, or only the lines beside a load tell. */
  notInSample?: true;
  /** Brings it about in a lab that runs. */
  inLab?: InLab;
}

type More = Omit<Fault, "what" | "message" | "inEvidence">;

export const onEvidence = (
  what: string,
  inEvidence: (evidence: Evidence) => void,
  message: RegExp,
  more: More = {},
): Fault => ({ what, message, inEvidence, ...more });

export const onFlows = (what: string, change: (flow: FlowEvidence) => void, message: RegExp, more: More = {}): Fault =>
  onEvidence(what, ({ packets }) => packets.flows.forEach(change), message, more);
