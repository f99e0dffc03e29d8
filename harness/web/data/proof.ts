/** A load's proof, axis by axis: what the evidence shows, and the axis's verdict. */
import { judgeAxis } from "../../../axes/axis.ts";
import { axes } from "../../../axes/registry.ts";
import type { BackgroundEvidence, Carried } from "../../../schema/background.ts";
import type { Evidence, LinkEvidence, WindowBounds } from "../../../schema/evidence.ts";
import { directions } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import { keyExchangeNames, keyExchanges } from "../../../schema/tls.ts";
import type { Judgement } from "../../judge/load/load.ts";

/** A line of a load's proof: an axis, or the checks that apply to every load. The report's data file of the condition has the configured values. */
interface ProofLine {
  what: string;
  seen: string;
  verdict: "confirmed" | "inconclusive" | "not observable" | "contradicted";
  /** Why the value is not confirmed. */
  because: string;
}

/** @param judgement the load's judgement; null for a failed load, whose axes are judged nevertheless */
export function proofOf(
  evidence: Evidence,
  { values }: Condition,
  registries: Registries,
  judgement: Judgement | null,
): ProofLine[] {
  const line = (what: string, verdict: ProofLine["verdict"], because: string) => {
    return { what, seen: seen[what]?.(evidence) ?? "", verdict, because }; // the list `seen` may lack an axis
  };
  const lines = axes.map((axis) => {
    const verdict = judgeAxis(axis, values, evidence, registries);
    if (verdict === "confirmed") return line(axis.name, verdict, "");
    if ("contradicts" in verdict) return line(axis.name, "contradicted", verdict.contradicts.join("; "));
    if ("inconclusive" in verdict) return line(axis.name, "inconclusive", verdict.inconclusive);
    return line(axis.name, "not observable", verdict.notObservable);
  });
  if (!judgement) return lines;
  // The last line has the contradictions that no axis found, by the checks that apply to every load (harness/judge/load/load.ts).
  const contradicted = lines.filter(({ verdict }) => verdict === "contradicted");
  const ofAxes = contradicted.flatMap(({ because }) => because.split("; "));
  const others = judgement.contradictions.filter((one) => !ofAxes.includes(one));
  return [...lines, line("every load", others.length ? "contradicted" : "confirmed", others.join("; "))];
}

type Seen = (evidence: Evidence) => string;
const groupName = (number: number) =>
  keyExchangeNames.find((name) => keyExchanges[name].group === number) ?? `group ${number}`;
const each = <T>(values: readonly T[]): string => [...new Set(values.map(String))].join(", ");
const counted = <T>(values: readonly T[]): string =>
  [...new Set(values.map(String))]
    .map((value) => `${values.filter((one) => String(one) === value).length} × ${value}`)
    .join(", ");

const both =
  (of: (direction: LinkEvidence["down"], name: "down" | "up") => string): Seen =>
  ({ link }) =>
    `down ${of(link.down, "down")}, up ${of(link.up, "up")}`;
const rate =
  (name: "down" | "up"): Seen =>
  ({ link, packets }) => {
    const longest = packets.path[name].transit?.backToBack;
    const seen = longest
      ? `; ${((longest.bytes * 8) / longest.ms / 1000).toFixed(2)} Mb/s over ${longest.packets} packets back to back`
      : "";
    return `the shaper's kernel: ${link[name].atEnd?.rateMbps ?? "not recorded"} Mb/s${seen}`;
  };
const boundsInWords = ({ atLeast, atMost }: WindowBounds) =>
  atMost === null ? `at least ${atLeast}` : atLeast === atMost ? `${atLeast}` : `${atLeast} to ${atMost}`;
const used = ({ packets: { flows } }: Evidence) => flows.flatMap(({ server }) => (server ? [server] : []));

const scaleInWords = (scale: number | null | undefined) =>
  scale === undefined ? "not recorded" : scale === null ? "none" : `2^${scale}`;

/** Describes the background flows, and their share of the link's bytes before and during the load. */
function companyInWords({ flows, visits = [], before, during }: BackgroundEvidence): string {
  const share = ({ bytes, ofBackground }: Carried) => (bytes === 0 ? "0" : ((100 * ofBackground) / bytes).toFixed(0));
  const shares = directions.map(
    (way) => `${share(during[way])}% of the bytes ${way} during the load (${share(before[way])}% before it)`,
  );
  const kinds = [
    ...flows.map(({ direction, congestion }) => `${congestion ?? "ended"} ${direction}`),
    ...visits.map(({ openedMs }) => `visit of another page, begun ${openedMs > 0 ? "before" : "during"} the load`),
  ];
  return `${counted(kinds)}: ${shares.join(", ")}`;
}

const seen: Record<string, Seen> = {
  page: ({ requests, failed, receivedBytes }) =>
    `${requests} requests, ${failed} failed, ${(receivedBytes / 1000).toFixed(1)} kB`,
  servers: ({ connections }) => each(connections.map(({ host }) => host)),
  down: rate("down"),
  up: rate("up"),
  rtt({ packets: { flows, quicFlows = [], path } }) {
    const times = [...flows, ...quicFlows].flatMap(({ handshakeMs }) => handshakeMs ?? []);
    const least = (["down", "up"] as const)
      .map((name) => `${name} ${path[name].transit?.least.ms ?? "?"} ms`)
      .join(", ");
    return `quickest handshake ${times.length ? Math.min(...times) : "?"} ms; quickest packet ${least}`;
  },
  loss: both(({ lostPackets, sentPackets }) => `${lostPackets} lost of ${sentPackets + lostPackets}`),
  queue: both(
    ({ atEnd, queueDroppedPackets }) => `${atEnd?.queuePackets ?? "?"} packets, ${queueDroppedPackets} dropped`,
  ),
  jitter: both(({ atEnd }) => `${atEnd?.jitterMs ?? 0} ms`),
  reorder: ({ packets: { path } }) =>
    `${path.down.transit?.reordered ?? 0} packets reordered down, ${path.up.transit?.reordered ?? 0} up`,
  burst: both(({ atEnd }) => `${atEnd?.lossBurstPackets ?? 1} in a row`),
  duplicate: ({ packets: { path } }) => `copies that arrived: ${path.down.copies ?? 0} down, ${path.up.copies ?? 0} up`,
  corrupt: both(({ damagedPackets = 0 }) => `${damagedPackets} arrived damaged`),
  aqm: both(({ atEnd }) => atEnd?.aqm ?? "none"),
  background: ({ background }) => (background ? companyInWords(background) : "no other flow"),
  protocol: ({ connections }) => counted(connections.flatMap(({ protocol, requests }) => requests.map(() => protocol))),
  tls: (evidence) => counted(used(evidence).map(({ tls, hello }) => `${hello ? `TLS ${hello.version}, ` : ""}${tls}`)),
  keyExchange: (evidence) =>
    counted(used(evidence).flatMap(({ hello }) => (hello?.group ? [groupName(hello.group)] : []))),
  certificates: (evidence) =>
    counted(used(evidence).flatMap(({ handshakeBytes }) => (handshakeBytes ? [`${handshakeBytes} bytes`] : []))),
  handshake: (evidence) => counted(used(evidence).map(({ tls }) => tls)),
  initcwnd: (evidence) =>
    counted(used(evidence).map(({ initcwnd }) => (initcwnd ? boundsInWords(initcwnd) : "not visible"))),
  initrwnd: ({ packets: { flows } }) =>
    counted(flows.flatMap(({ receiveWindow }) => (receiveWindow ? [`${receiveWindow.ackBytes} bytes`] : []))),
  windowScaling: ({ packets: { flows } }) =>
    counted(flows.flatMap(({ receiveWindow }) => (receiveWindow ? [scaleInWords(receiveWindow.scale)] : []))),
  server: ({ connections }) => each(connections.flatMap(({ software }) => software ?? [])),
  congestion: (evidence) => counted(used(evidence).map(({ congestion }) => congestion ?? "not recorded")),
  client: ({ userAgent }) => userAgent ?? "not recorded",
  view: ({ cached = [] }) => `${cached.length} responses from its cache`,
  "every load": ({ packets: { largestFrameBytes, missedFrames, foreign }, processor: { otherMs, elapsedMs } }) =>
    `largest frame ${largestFrameBytes} bytes, ${missedFrames} frames missed, ${foreign.length} foreign packets, ` +
    `other programs ${(otherMs / elapsedMs).toFixed(2)} cores`,
};
