/** The RTTs of a recorded page's hosts: which of the lab's hosts serves each, and by how much that host's RTT exceeds the nearest host's. */
import { ckmeans, mean } from "simple-statistics";
import type { Evidence } from "./evidence.ts";
import type { ImportedPage, WebHost } from "./registries.ts";
import type { Settings } from "./settings.ts";

type Recorded = Pick<NonNullable<ImportedPage["recorded"]>, "hosts" | "rttsMs">;

/** Whether all hosts have the same RTT, or RTTs that differ as they did when the page was recorded. */
export type HostRtts = "equal" | "recorded";

export const rttsOf = ({ recordedRtts }: Pick<Settings["server"], "recordedRtts">): HostRtts =>
  recordedRtts ? "recorded" : "equal";

/** The limit of netem's delay line, which a host's packets never reach. */
const delayLinePackets = 100_000;

/** Returns the recorded hosts' RTTs. A host whose RTT is unknown gets the lowest known RTT. Returns null if no RTT is known. */
function knownRttsMs({ hosts, rttsMs = [] }: Recorded): number[] | null {
  const known = rttsMs.filter((ms) => ms !== null);
  return known.length ? hosts.map((_, i) => rttsMs[i] ?? Math.min(...known)) : null;
}

/**
 * Returns, for each recorded host, the index of the lab's host that serves it. With equal RTTs, the lab's hosts take turns. With recorded RTTs,
 * hosts with similar RTTs share an index (k-means in one dimension, Wang & Song 2011). The first recorded host, which has the document, gets 0.
 */
export function placesOf(recorded: Recorded, hosts: number, rtts: HostRtts): number[] {
  const inTurn = recorded.hosts.map((_, i) => i % hosts);
  const rttsMs = rtts === "recorded" ? knownRttsMs(recorded) : null;
  if (!rttsMs) return inTurn;
  const nearestFirst = rttsMs.map((ms, i) => ({ ms, i })).sort((a, b) => a.ms - b.ms || a.i - b.i);
  const groups = ckmeans([...rttsMs], Math.min(hosts, rttsMs.length));
  if (groups.length < Math.min(hosts, rttsMs.length)) return inTurn; // all RTTs are equal
  const placed = groups.map(({ length }) => nearestFirst.splice(0, length).map(({ i }) => i));
  const inOrder = placed.toSorted((a, b) => Math.min(...a) - Math.min(...b));
  return rttsMs.map((_, i) => inOrder.findIndex((group) => group.includes(i)));
}

/** Returns, for each of the lab's hosts, the mean RTT of its recorded hosts minus the lowest such mean, in whole ms; 0 with equal RTTs. */
export function extraRttsMs(recorded: Recorded, hosts: number, rtts: HostRtts): number[] {
  const rttsMs = rtts === "recorded" ? knownRttsMs(recorded) : null;
  if (!rttsMs) return Array.from({ length: hosts }, () => 0);
  const places = placesOf(recorded, hosts, rtts);
  const means = Array.from({ length: hosts }, (_, host) => {
    const own = rttsMs.filter((_, i) => places[i] === host);
    return own.length ? mean(own) : Infinity;
  });
  const leastMs = Math.min(...means);
  return means.map((ms) => (ms === Infinity ? 0 : Math.round(ms - leastMs)));
}

/** Returns the queueing discipline that delays a host's packets by this time, in tc's notation; undefined without a delay. tc-netem(8) */
export const laterBy = (ms: number): string | undefined =>
  ms > 0 ? `netem delay ${ms}ms limit ${delayLinePackets}` : undefined;

/** The longest delay that is accepted. tc prints a longer delay in seconds with at most three digits, so it could not be read back exactly. */
export const mostExtraMs = 999;

/** What tc prints for a netem that has a delay and no other option. */
const plainDelay = new RegExp(`^netem limit ${delayLinePackets} delay (\\d+)ms$`);

/** Returns the delay of a queueing discipline as tc prints it, in milliseconds: 0 if it is no netem; NaN for a netem with other options. */
export function delayMsOf(printed = ""): number {
  if (!printed.startsWith("netem")) return 0;
  return Number(plainDelay.exec(printed)?.[1] ?? Number.NaN);
}

/** Returns the delay that a host added to its outgoing packets, in milliseconds, according to a load's evidence. */
export const waitedMsIn = ({ serverQdiscs = {} }: Pick<Evidence, "serverQdiscs">, host: WebHost | undefined): number =>
  delayMsOf(serverQdiscs[host?.service ?? ""]);
