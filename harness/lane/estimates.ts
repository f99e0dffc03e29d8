/** What captured packets tell about a link: its delay, rate, loss, queue and jitter, and the goodput of TCP over it. */
import { median, min, quantile } from "simple-statistics";
import type { StreamMeasurement } from "../../observe/iperf-stream.ts";
import type { Packet } from "../../observe/packet.ts";
import { type Link, packetMs } from "../../schema/link.ts";
import type { Datagram } from "../../schema/observation.ts";
import { probeBytes } from "../../schema/procedure.ts";
import type { DirectionMeasurement } from "../../schema/records.ts";

/** In a full queue a packet does not wait for its own slot, and only for half of the packet that is being sent. */
const ownSlots = 1.5;

/** When nothing arrived, the result is NaN, which is within no tolerance. */
export const orNothing = (values: number[]) => (values.length ? values : [NaN]);

/**
 * @param light a stream that leaves the queue empty: delay, loss and jitter
 * @param full a stream of more than the link's rate: rate and queue
 * @param rateMbps the configured rate, which turns a wait in the queue into packets
 */
export function measureDirection(
  light: StreamMeasurement,
  full: StreamMeasurement,
  { jitterMs, lossBurstPackets, aqm }: Pick<Link, "jitterMs" | "lossBurstPackets" | "aqm">,
  rateMbps: number,
): DirectionMeasurement {
  // In the first half the queue fills.
  const filled = <T>(all: T[]) => all.slice(Math.floor(all.length / 2));
  return {
    delayMs: median(orNothing(light.delaysMs)),
    rateMbps: (aqm ? rateBySpacing : rateOverTime)(filled(full.arrived)),
    lossPercent: (100 * light.lostPackets) / light.packets,
    packets: light.packets,
    queuePackets:
      (median(orNothing(filled(full.delaysMs))) - min(orNothing(full.delaysMs))) /
        packetMs(probeBytes.full + probeBytes.headers, rateMbps) +
      ownSlots,
    ...(jitterMs === undefined ? {} : { jitterMs: evenRange(light.delaysMs) }),
    ...(lossBurstPackets === undefined ? {} : { lossBurstPackets: light.lostPackets / light.lossRuns }),
  };
}

/** Mb/s of packets in a row. Valid for a bottleneck that is never idle, because its queue stays full. */
function rateOverTime(arrived: Datagram[]): number {
  const [first, last] = [arrived[0], arrived.at(-1)];
  const bytes = arrived.slice(1).reduce((sum, datagram) => sum + datagram.bytes, 0);
  return first && last ? (bytes * 8) / 1000 / (last.timeMs - first.timeMs) : NaN;
}

/** Mb/s by the median time between two packets: an AQM drops the excess, so that its queue is empty, and the link idle, at times. */
const rateBySpacing = (arrived: Datagram[]): number =>
  median(orNothing(arrived.slice(1).map(({ bytes, timeMs }, i) => (bytes * 8) / 1000 / (timeMs - arrived[i]!.timeMs))));

/** The range of a uniform distribution: its middle half is half of it, and a few late packets do not change that. */
const evenRange = (values: number[]) => 2 * (quantile(orNothing(values), 0.75) - quantile(orNothing(values), 0.25));

/** Payload that arrives for the first time, Mb/s, from a second of the test on. @param data in the order of arrival */
export function goodputOf(data: readonly Packet[], { seconds, fromSecond }: { seconds: number; fromSecond: number }) {
  const seen = new Set<string>();
  const fresh = data.filter(({ destination, sequence }) => {
    const key = `${destination} ${sequence}`;
    return !seen.has(key) && seen.add(key);
  });
  const startMs = (fresh[0]?.timeMs ?? NaN) + fromSecond * 1000;
  const endMs = startMs + (seconds - fromSecond) * 1000;
  const within = fresh.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs);
  return within.reduce((sum, { payloadBytes }) => sum + payloadBytes * 8, 0) / (seconds - fromSecond) / 1e6;
}
