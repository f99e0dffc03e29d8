/** Estimates a link's delay, rate, loss, queue, jitter and TCP goodput from the samples of its measurement. */
import {
  type Direction,
  fullFrameBytes,
  type Link,
  packetMs,
  packetsOff,
  queueOf,
  rateOf,
} from "../../../schema/link.ts";
import type { DirectionSamples, Histogram, LinkSamples } from "../../../schema/link-samples.ts";
import { goodputLimit, probeBytes } from "../../../schema/procedure.ts";
import { bytesBetween } from "../../../schema/rate-trace.ts";
import type { Calibration, DirectionMeasurement, LinkMeasurement } from "../../../schema/records.ts";
import { median, quantile } from "../../statistics/quantile.ts";

/**
 * Returns how many packets to add when a full queue's length is computed from its last packet's waiting time. This time covers neither the
 * packet itself nor, on average, half of the packet in transmission. If the queue is limited in bytes or the link's rate varies, a packet
 * leaves only when the token bucket has room for all of it. Then the waiting time covers the packet itself, too.
 */
const ownSlotsIn = (link: Link, direction: Direction) =>
  queueOf(link, direction).queueBytes === undefined && !link.trace ? 1.5 : 0.5;

/** Computes a link's measured values. Lanes record them, and `./lab verify` recomputes them. */
export function estimates(samples: LinkSamples, link: Link): LinkMeasurement {
  const handshakesMs = inMs(samples.handshakesUs);
  return {
    rttMs: { median: median(handshakesMs), p99: quantile(handshakesMs, 0.99) },
    goodputMbps: (sum(samples.goodputBytes) * 8) / samples.goodputBytes.length / 1e6,
    goodputLimitMbps: goodputLimit(link),
    down: { ...estimateDirection(samples.down, link, "down"), ...traceOff(samples, link, "down") },
    up: { ...estimateDirection(samples.up, link, "up"), ...traceOff(samples, link, "up") },
  };
}

/** Finds recorded values that differ from the values computed from the samples. Returns none for older lines, which have no samples. */
export function estimateProblems({ samples, configured, measured }: Calibration): string[] {
  if (!samples) return [];
  const computed = valuesOf(estimates(samples, configured));
  const recorded = valuesOf(measured);
  return [...new Set([...computed.keys(), ...recorded.keys()])].flatMap((name) => {
    const [value, other] = [computed.get(name), recorded.get(name)];
    return Object.is(value, other) ? [] : [`its samples give ${name} ${value}, but ${other} is recorded`];
  });
}

/** Returns the values by name, such as "down rateMbps" -> 9.99. */
function valuesOf({ rttMs, down, up, ...goodput }: LinkMeasurement): Map<string, number | undefined> {
  const named = (prefix: string, values: Record<string, number | undefined>) =>
    Object.entries(values).map(([name, value]): [string, number | undefined] => [`${prefix}${name}`, value]);
  return new Map([
    ...named("RTT ", rttMs),
    ...named("", goodput),
    ...named("down ", { ...down }),
    ...named("up ", { ...up }),
  ]);
}

function estimateDirection(samples: DirectionSamples, link: Link, direction: Direction): DirectionMeasurement {
  const { idleDelaysUs, lostInRow, shortestDelayUs, fullDelaysUs, arrivals } = samples;
  const idleMs = inMs(idleDelaysUs);
  const lost = sum(lostInRow.map(([length, count]) => length * count));
  const packets = lost + sum(idleDelaysUs.map(([, count]) => count));
  const waitMs = median(inMs(fullDelaysUs)) - (shortestDelayUs ?? NaN) / 1000;
  return {
    delayMs: median(idleMs),
    rateMbps: (link.aqm ? rateBySpacing : rateOverTime)(arrivals),
    lossPercent: (100 * lost) / packets,
    packets,
    queuePackets:
      waitMs / packetMs(probeBytes.full + probeBytes.headers, rateOf(link, direction)) + ownSlotsIn(link, direction),
    ...(link.jitterMs === undefined ? {} : { jitterMs: evenRange(idleMs) }),
    ...(link.lossBurstPackets === undefined
      ? {}
      : { lossBurstPackets: lost / sum(lostInRow.map(([, count]) => count)) }),
  };
}

/** Returns the worst second's deviation from the trace, in percent of the trace's bytes. Only what exceeds `packetsOff` packets counts. */
function traceOff({ played }: LinkSamples, { trace }: Link, direction: Direction): { traceOffPercent?: number } {
  if (!played || !trace) return {};
  const off = played[direction].map((bytes, i) => {
    const fromMs = 1000 * (played.fromSecond + i);
    const asked = bytesBetween(trace[direction], fromMs, fromMs + 1000);
    const beyond = Math.max(0, Math.abs(bytes - asked) - packetsOff * fullFrameBytes);
    return beyond === 0 ? 0 : (100 * beyond) / Math.max(asked, fullFrameBytes);
  });
  return { traceOffPercent: Math.max(...off) };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the histogram's values in milliseconds; [NaN] if nothing arrived, because NaN is outside of every tolerance. */
function inMs(histogram: Histogram): number[] {
  const values = histogram.flatMap(([us, count]) => Array<number>(count).fill(us / 1000));
  return values.length ? values : [NaN];
}

type Arrivals = DirectionSamples["arrivals"];

/** Returns all bytes over the total time, in Mb/s. Valid only while the bottleneck is never idle, that is, while its queue stays full. */
const rateOverTime = (arrivals: Arrivals): number =>
  (sum(arrivals.map(([, bytes, count]) => bytes * count)) * 8) / sum(arrivals.map(([us, , count]) => us * count));

/** Returns Mb/s from the median time between two packets. An AQM drops packets early, so its queue is sometimes empty and the link idle. */
function rateBySpacing(arrivals: Arrivals): number {
  const rates = arrivals.flatMap(([us, bytes, count]) => Array<number>(count).fill((bytes * 8) / us));
  return rates.length ? median(rates) : NaN;
}

/** Estimates the width of a uniform distribution as twice the interquartile range, because a few late packets do not change this range. */
const evenRange = (values: number[]) => 2 * (quantile(values, 0.75) - quantile(values, 0.25));
