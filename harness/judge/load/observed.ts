/** What an attempt shows of its page's load time. Some failed attempts count in tables: without slow loads, results would look better than they are. */
import type { LoadChunk } from "../../../schema/lane-messages.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { FailedLoad, LoadRecord } from "../../../schema/records.ts";
import type { Manifest } from "../../record/manifest.ts";
import { keepsTrace } from "../../record/traces.ts";
import { disturbances } from "./failed-load.ts";
import { judgeLoad } from "./load.ts";

/** "time": the attempt shows the page's load time; "longer": it shows that the page takes longer than the time-out; null: it shows nothing. */
export type Observed = "time" | "longer" | null;

/** A refused load has no trace, so it does not count if a valid load of its block would have one. @param condition undefined if not in the plan */
export function observedBy(
  load: LoadRecord,
  condition: Condition | undefined,
  { registries, traces = "none" }: Pick<Manifest, "registries" | "traces">,
): Observed {
  if (load.ok) return "time";
  if (isUnfinished(load))
    return condition && disturbances(load.evidence!, condition, registries).length === 0 ? "longer" : null;
  const { evidence, block } = load;
  if (!condition || !evidence || !isRefused(load) || keepsTrace(traces, { ok: true, block })) return null;
  const { contradictions } = judgeLoad(evidence.timing.loadEventStart!, evidence, condition, registries);
  return contradictions.length === 0 ? "time" : null;
}

/** Like `observedBy`, but while the load's chunk is running. */
export const observedIn = (
  { loads, registries }: Pick<LoadChunk, "loads" | "registries">,
  load: LoadRecord,
  traces?: Manifest["traces"],
): Observed =>
  observedBy(load, loads.find(({ condition }) => condition.id === load.condition)?.condition, { registries, traces });

/**
 * Whether the page had no load event by the time-out, or the transfer of its document broke, although link, servers and client worked. The
 * recorded cause alone does not prove this: a fault of the lab may have the same recorded cause, but not the same evidence.
 */
function isUnfinished({ cause, evidence }: FailedLoad): boolean {
  if (!evidence || evidence.timing.loadEventStart !== undefined) return false;
  const { link, packets, failed, ended } = evidence;
  const connections = packets.flows.length + (packets.quicFlows?.length ?? 0);
  const carried = link.down.sentPackets > 0 && link.up.sentPackets > 0 && connections > 0;
  return carried && ended.length === 0 && (cause === "time-out" || (cause === "transfer broken" && failed > 0));
}

/** Whether the load's lane refused the load because of its evidence. The evidence of a refused load is complete. */
export const isRefused = ({ cause, evidence }: FailedLoad): boolean =>
  cause === "evidence" && evidence?.timing.loadEventStart !== undefined;
