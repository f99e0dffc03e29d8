import { serialisationMs } from "../../../axes/link-values.ts";
import { padhyeMbps } from "../../../models/padhye.ts";
import {
  burstSpread,
  directions,
  fullFrameBytes,
  fullSegmentBytes,
  type Link,
  lossPercentOf,
  packetMs,
  type QueueLimit,
  queueOf,
  rateOf,
  sendingMs,
} from "../../../schema/link.ts";
import { initialTimeoutMs, leastTimeoutMs, standardWindow } from "../../../schema/linux.ts";
import {
  fillingConnections,
  goodputLimit,
  handshakesIdle,
  lightPlan,
  plannedPackets,
  probeBytes,
} from "../../../schema/procedure.ts";
import type { Clock, LinkMeasurement } from "../../../schema/records.ts";
import { tolerance } from "../../../schema/tolerances.ts";

/**
 * Returns how long a server may keep sending until it receives the client's message that the test is over. This is a round trip plus
 * retransmission time-outs, each of which is twice as long as the one before. 99.9% of messages need at most `losses` time-outs. A round trip
 * counts as lost if the message or its acknowledgment is lost. Losses of earlier messages count, too: they have doubled the time-out, and the
 * last message waits for the earlier messages.
 */
function stopMs(link: Link): number {
  const [down, up] = directions.map((direction) => lossPercentOf(link, direction) / 100) as [number, number];
  const lost = 1 - (1 - down) * (1 - up);
  const losses = lost > 0 ? Math.floor(Math.log(0.001) / Math.log(lost)) : 0;
  return link.rttMs + (2 ** losses - 1) * (link.rttMs + leastTimeoutMs);
}

/** How long an AQM with tc's default settings lets packets wait, ms: RFC 8289, section 4.4; tc-cake(8); RFC 9332, appendix A.1. */
const aqmTargetMs: Record<NonNullable<Link["aqm"]>, number> = { fq_codel: 5, cake: 5, dualpi2: 15 };

/**
 * Whether the connections can fill the link. If not, their goodput shows TCP's limits, not the link's. The connections cannot fill the link if
 * - the link reorders, because TCP takes late packets for lost;
 * - losses keep windows small, or cause time-outs that are longer than the periods of sending between them;
 * - the queue, or the part of it that an AQM lets fill, is shorter than the packets of a round trip divided by the square root of the number of
 *   connections (Appenzeller, Keslassy, McKeown: Sizing router buffers, 2004); or
 * - packets wait in the queue for longer than TCP's time-out, because TCP then sends them twice.
 */
function canBeFilled(link: Link): boolean {
  const fullPacketMs = packetMs(fullFrameBytes, link.downMbps);
  const roundTripPackets = link.rttMs / fullPacketMs;
  const waiting = Math.min(link.queuePackets, fillingConnections * standardWindow);
  const keptPackets = link.aqm ? Math.min(link.queuePackets, aqmTargetMs[link.aqm] / fullPacketMs) : link.queuePackets;
  return (
    !link.reorders &&
    waiting * fullPacketMs <= initialTimeoutMs &&
    keptPackets >= roundTripPackets / Math.sqrt(fillingConnections) &&
    fillingConnections *
      padhyeMbps({ ...link, lossPercent: lossPercentOf(link, "down"), segmentBytes: fullSegmentBytes }) >=
      goodputLimit(link)
  );
}

/** Returns the values that are out of tolerance, each with what was asked, measured and allowed. @param clock matters only for a link with a trace */
export function deviations(
  link: Link,
  { rttMs, goodputMbps, goodputLimitMbps, ...measured }: LinkMeasurement,
  clock: Clock = "virtual",
): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, value: number, allowed: number) => {
    if (!(Math.abs(value - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${value.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  const limitMbps = goodputLimit(link);
  if (Math.abs(goodputLimitMbps - limitMbps) > limitMbps / 1e6)
    problems.push(`TCP goodput's limit is ${limitMbps.toFixed(2)}, but ${goodputLimitMbps} is recorded`);
  if (!(rttMs.p99 >= rttMs.median)) problems.push(`RTT: 99th percentile ${rttMs.p99}, but median ${rttMs.median}`);
  const jitterMs = link.jitterMs ?? 0;
  // The median of n uniform draws has a standard deviation of range / (2 * sqrt(n)); for the sum of two draws it is smaller.
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
    if (link.trace)
      hold(
        `${direction} difference from the trace in the worst second, %`,
        0,
        more.traceOffPercent ?? NaN,
        tolerance.tracePercent[clock],
      );
    hold(`${direction} rate, Mb/s`, asked, rateMbps, (asked * tolerance.ratePercent) / 100);
    const askedLoss = lossPercentOf(link, direction);
    const p = askedLoss / 100;
    const lossAllowed = 100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / packets) * burstSpread(link);
    hold(`${direction} loss, %`, askedLoss, lossPercent, lossAllowed);
    if (link.lossBurstPackets !== undefined)
      hold(`${direction} burst, packets`, link.lossBurstPackets, more.lossBurstPackets ?? NaN, burstOff(link, packets));
    const { seconds, ...light } = lightPlan(link, direction);
    const planned = plannedPackets({ ...light, seconds, payloadBytes: probeBytes.small });
    const canBeMore = direction === "down" && packets > planned; // the server keeps sending until it learns that the test is over
    const afterwards = canBeMore ? (planned * stopMs(link)) / 1000 / seconds : 0;
    hold(`${direction} packets counted`, planned, packets, (planned * tolerance.packetsPercent) / 100 + afterwards);
    const slotMs = packetMs(probeBytes.full + probeBytes.headers, asked);
    // An AQM decides how long its queue is, up to the limit.
    const queue = queueOf(link, direction);
    if (!link.aqm || queuePackets > queue.queuePackets)
      hold(
        `${direction} queue, packets`,
        queue.queuePackets,
        queuePackets,
        queueOff(queue, slotMs) + jitterMs / slotMs,
      );
  }
  return problems;
}

/** Returns how far the mean burst length over this many packets may deviate. Burst lengths are geometrically distributed. */
function burstOff({ lossPercent, lossBurstPackets: mean = 1 }: Link, packets: number): number {
  const bursts = (packets * lossPercent) / 100 / mean;
  return tolerance.lossDeviations * Math.sqrt((mean * (mean - 1)) / bursts);
}

/** @param slotMs the transmission time of a full packet */
const queueOff = ({ queuePackets }: QueueLimit, slotMs: number): number =>
  Math.max(tolerance.queuePackets, (queuePackets * tolerance.queuePercent) / 100, tolerance.probeTickMs / slotMs);
