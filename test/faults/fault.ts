/** A fault of a load or of the lab, and the message that must report it. registry.ts is the catalogue of faults. */
import type { Evidence, FlowEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { InLab } from "./in-lab.ts";

export interface Fault {
  /** What is wrong. */
  what: string;
  /** The expected report, however the fault is created. */
  message: RegExp;
  /** Alters a load's evidence. Unit tests alter a sample, and forgeries.test.ts alters a saved run. */
  inEvidence?: (evidence: Evidence) => void;
  /** Selects the load of the saved run that is altered; absent if every load is suitable. */
  isVictim?: (load: GoodLoad) => boolean;
  /** Unit tests skip this fault, because their sample lacks what the fault alters (such as lost packets), or because only other lines show it. */
  notInSample?: true;
  /** Creates the fault in a running lab. */
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
