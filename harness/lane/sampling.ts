/** Turns captured packets into the samples that a link's measurement is computed from (harness/judge/link/estimates.ts). */
import type { StreamMeasurement } from "../../observe/datagrams.ts";
import { microseconds, type Packet } from "../../observe/packet.ts";
import type { DirectionSamples, Histogram } from "../../schema/link-samples.ts";
import type { Datagram } from "../../schema/observation.ts";

/** Counts how often each value occurs. The values ascend. */
function histogramOf(values: readonly number[]): Histogram {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

export const histogramOfMs = (valuesMs: readonly number[]): Histogram => histogramOf(valuesMs.map(microseconds));

/** Leaves out the first half of a full stream, because the queue fills during this half. */
const onceFull = <T>(all: T[]) => all.slice(Math.floor(all.length / 2));

/** @param light a stream that leaves the queue empty, for delay, loss and jitter @param full a stream above the link's rate, for rate and queue */
export function directionSamples(light: StreamMeasurement, full: StreamMeasurement): DirectionSamples {
  const fullDelaysUs = full.delaysMs.map(microseconds);
  return {
    idleDelaysUs: histogramOfMs(light.delaysMs),
    lostInRow: histogramOf(light.lostInRow),
    shortestDelayUs: fullDelaysUs.length ? fullDelaysUs.reduce((least, us) => Math.min(least, us)) : null,
    fullDelaysUs: histogramOf(onceFull(fullDelaysUs)),
    arrivals: arrivalsOf(onceFull(full.arrived)),
  };
}

/** Times are rounded before they are subtracted, so that the differences add up to the whole time. */
function arrivalsOf(arrived: readonly Datagram[]): DirectionSamples["arrivals"] {
  const startMs = arrived[0]?.timeMs ?? 0;
  const timesUs = arrived.map(({ timeMs }) => microseconds(timeMs - startMs));
  const sizes = new Set(arrived.map(({ bytes }) => bytes));
  return [...sizes].flatMap((size) => {
    const spacings = arrived.flatMap(({ bytes }, i) =>
      i > 0 && bytes === size ? [timesUs[i]! - timesUs[i - 1]!] : [],
    );
    return histogramOf(spacings).map(([us, count]): [number, number, number] => [us, size, count]);
  });
}

/** Sums the bytes of the frames that arrived in each second since `startedMs`, from `fromSecond` on. */
export function bytesInSeconds(
  arrived: readonly Datagram[],
  startedMs: number,
  { fromSecond, seconds }: { fromSecond: number; seconds: number },
): number[] {
  const inSeconds = Array<number>(seconds).fill(0);
  for (const { timeMs, bytes } of arrived) {
    const second = Math.floor((timeMs - startedMs) / 1000) - fromSecond;
    if (second >= 0 && second < seconds) inSeconds[second]! += bytes;
  }
  return inSeconds;
}

/** Sums the payload bytes that arrive for the first time, in each second from `fromSecond` on. @param data packets in the order of arrival */
export function goodputBytes(
  data: readonly Packet[],
  { seconds, fromSecond }: { seconds: number; fromSecond: number },
): number[] {
  const bytes = Array<number>(seconds - fromSecond).fill(0);
  const seen = new Set<string>();
  let startMs: number | undefined;
  for (const { destination, sequence, timeMs, payloadBytes } of data) {
    const key = `${destination} ${sequence}`;
    if (seen.has(key)) continue;
    seen.add(key);
    startMs ??= timeMs;
    const second = Math.floor((timeMs - startMs) / 1000) - fromSecond;
    if (second >= 0 && second < bytes.length) bytes[second]! += payloadBytes;
  }
  return bytes;
}
