/** What an attempt observes of its page's time. Not every one that failed observes nothing: leaving slow loads out would make others look better. */
import type { Condition } from "../../../schema/plan.ts";
import type { FailedLoad, LoadRecord } from "../../../schema/records.ts";
import type { Registries } from "../../../schema/registries.ts";
import { type Judgement, judgeLoad } from "./load.ts";

/** A time; that the page takes longer than the time-out; or nothing. */
export type Observed = "time" | "longer" | null;

/** @param condition of the load; undefined if it is not in the plan */
export function observedBy(load: LoadRecord, condition: Condition | undefined, registries: Registries): Observed {
  if (load.ok) return "time";
  if (isUnfinished(load)) return "longer";
  const refusal = condition && refusalOf(load, condition, registries);
  return refusal?.contradictions.length === 0 ? "time" : null;
}

/**
 * The page had no load event by the time-out, or its document's transfer broke, with link, servers and client at work. The cause alone
 * does not count: a fault in the lab leaves no such evidence. A page that had its load event took as long as that, even if some of its
 * requests failed.
 */
export function isUnfinished({ cause, evidence }: FailedLoad): boolean {
  if (!evidence || evidence.timing.loadEventStart !== undefined) return false;
  const { link, packets, failed, ended } = evidence;
  const connections = packets.flows.length + (packets.quicFlows?.length ?? 0);
  const carried = link.down.sentPackets > 0 && link.up.sentPackets > 0 && connections > 0;
  return carried && ended.length === 0 && (cause === "time-out" || (cause === "transfer broken" && failed > 0));
}

/** Whether its lane refused the load for what its evidence says. Then it has all its evidence. */
export const isRefused = ({ cause, evidence }: FailedLoad): boolean =>
  cause === "evidence" && evidence?.timing.loadEventStart !== undefined;

/** Judges again what its lane refused; null for what failed in another way. */
function refusalOf(load: FailedLoad, condition: Condition, registries: Registries): Judgement | null {
  const { evidence } = load;
  if (!evidence || !isRefused(load)) return null;
  return judgeLoad(evidence.timing.loadEventStart!, evidence, condition, registries);
}
