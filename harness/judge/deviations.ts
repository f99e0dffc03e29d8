import { initialTimeoutMs, serialisationMs } from "../../axes/link-values.ts";
import { standardWindow } from "../../models/adaptive-window.ts";
import { mathisMbps } from "../../models/mathis.model.ts";
import {
  burstSpread,
  directions,
  fullFrameBytes,
  fullSegmentBytes,
  type Link,
  lossPercentOf,
  packetMs,
  rateOf,
  sendingMs,
} from "../../schema/link.ts";
import {
  fillingConnections,
  goodputLimit,
  handshakesIdle,
  lightPlan,
  plannedPackets,
  probeBytes,
} from "../../schema/procedure.ts";
import type { LinkMeasurement } from "../../schema/records.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** The least that TCP waits, beyond the RTT, before it sends again. TCP_RTO_MIN in Linux */
const retransmissionMs = 200;

/**
 * How long a server sends on at most until the client's word that it is over has come: a round trip, and, of 99.9% of words, what
 * losses delay them by, each twice as long as the one before.
 */
function partingMs({ rttMs, lossPercent }: Link): number {
  const losses = lossPercent > 0 ? Math.floor(Math.log(0.001) / Math.log(lossPercent / 100)) : 0;
  return rttMs + (2 ** losses - 1) * (rttMs + retransmissionMs);
}

/** A receiver that acknowledges every other segment, as Linux does, lets a window grow by half a round trip. */
const growth = 1.5;

/**
 * Whether so many connections can fill the link: else their goodput is TCP's doing, not the link's. What arrives out of order is
 * taken for lost and sent again, losses keep windows small, and a queue must outlast the moment in which many windows shrink: it takes
 * a round trip's packets over the root of the number of connections (Appenzeller, Keslassy, McKeown: Sizing router buffers, 2004). What
 * waits in a long queue for longer than TCP waits for an answer is sent twice, and the second is no goodput.
 */
function canBeFilled(link: Link): boolean {
  const fullPacketMs = packetMs(fullFrameBytes, link.downMbps);
  const roundTripPackets = link.rttMs / fullPacketMs;
  const waiting = Math.min(link.queuePackets, fillingConnections * standardWindow);
  return (
    !link.reorders &&
    waiting * fullPacketMs <= initialTimeoutMs &&
    link.queuePackets >= roundTripPackets / Math.sqrt(fillingConnections) &&
    fillingConnections *
      mathisMbps({ ...link, lossPercent: lossPercentOf(link, "down"), segmentBytes: fullSegmentBytes, growth }) >=
      goodputLimit(link)
  );
}

/** Each quantity of a measured link that is out of tolerance: asked, measured, allowed. Empty for the link that was asked for. */
export function deviations(
  link: Link,
  { rttMs, goodputMbps, goodputLimitMbps, ...measured }: LinkMeasurement,
): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, value: number, allowed: number) => {
    if (!(Math.abs(value - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${value.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  const limitMbps = goodputLimit(link);
  if (Math.abs(goodputLimitMbps - limitMbps) > limitMbps / 1e6)
    problems.push(`TCP goodput's limit: ${limitMbps.toFixed(2)}, written ${goodputLimitMbps}`);
  if (!(rttMs.p99 >= rttMs.median)) problems.push(`RTT's 99th percentile ${rttMs.p99}, its median ${rttMs.median}`);
  const jitterMs = link.jitterMs ?? 0;
  // Of an even draw's median the deviation is half of its range over the root of how many there are; of two draws' sum, no more.
  const medianOff = (count: number) => (tolerance.lossDeviations * jitterMs) / (2 * Math.sqrt(count));
  const askedRttMs = link.rttMs + jitterMs + serialisationMs(link);
  hold("RTT with serialisation, ms", askedRttMs, rttMs.median, tolerance.rttMs + medianOff(handshakesIdle));
  const goodputAllowed = (goodputLimitMbps * tolerance.goodputPercent) / 100;
  if (canBeFilled(link) || goodputMbps > goodputLimitMbps)
    hold("down TCP goodput, Mb/s", goodputLimitMbps, goodputMbps, goodputAllowed);
  for (const direction of directions) {
    const { delayMs, rateMbps, lossPercent, packets, queuePackets, ...more } = measured[direction];
    const asked = rateOf(link, direction);
    const smallMs = sendingMs(link, direction, probeBytes.small + probeBytes.headers);
    const askedDelayMs = link.rttMs / 2 + jitterMs / 2 + smallMs;
    hold(`${direction} delay with serialisation, ms`, askedDelayMs, delayMs, tolerance.rttMs + medianOff(packets));
    if (link.jitterMs !== undefined)
      hold(`${direction} jitter, ms`, jitterMs, more.jitterMs ?? NaN, tolerance.rttMs + 2 * medianOff(packets));
    hold(`${direction} rate, Mb/s`, asked, rateMbps, (asked * tolerance.ratePercent) / 100);
    const askedLoss = lossPercentOf(link, direction);
    const p = askedLoss / 100;
    const lossAllowed = 100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / packets) * burstSpread(link);
    hold(`${direction} loss, %`, askedLoss, lossPercent, lossAllowed);
    if (link.lossBurstPackets !== undefined)
      hold(`${direction} burst, packets`, link.lossBurstPackets, more.lossBurstPackets ?? NaN, burstOff(link, packets));
    const { seconds, ...light } = lightPlan(link, direction);
    const planned = plannedPackets({ ...light, seconds, payloadBytes: probeBytes.small });
    const afterwards = direction === "down" ? (planned * partingMs(link)) / 1000 / seconds : 0;
    hold(`${direction} packets counted`, planned, packets, (planned * tolerance.packetsPercent) / 100 + afterwards);
    const slotMs = packetMs(probeBytes.full + probeBytes.headers, asked);
    // An AQM keeps its queue as long as it sees fit, up to its limit.
    if (!link.aqm || queuePackets > link.queuePackets)
      hold(`${direction} queue, packets`, link.queuePackets, queuePackets, queueOff(link, slotMs) + jitterMs / slotMs);
  }
  return problems;
}

/** The length of a burst is drawn geometrically; of as many as so many packets have, their mean scatters by this. */
function burstOff({ lossPercent, lossBurstPackets: mean = 1 }: Link, packets: number): number {
  const bursts = (packets * lossPercent) / 100 / mean;
  return tolerance.lossDeviations * Math.sqrt((mean * (mean - 1)) / bursts);
}

/** @param slotMs what a full packet takes */
const queueOff = ({ queuePackets }: Link, slotMs: number): number =>
  Math.max(tolerance.queuePackets, (queuePackets * tolerance.queuePercent) / 100, tolerance.probeTickMs / slotMs / 2);
