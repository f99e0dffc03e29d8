/** Measures links with captured packets: from packets to samples (sampling.ts), and from samples to values (harness/judge/link/estimates.ts). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { matchStream } from "../../observe/datagrams.ts";
import type { Packet } from "../../observe/packet.ts";
import type { Link } from "../../schema/link.ts";
import type { Datagram } from "../../schema/observation.ts";
import type { Calibration, DirectionMeasurement } from "../../schema/records.ts";
import { estimateProblems, estimates } from "../judge/link/estimates.ts";
import { bytesInSeconds, directionSamples, goodputBytes, histogramOfMs } from "./sampling.ts";

const fullBytes = 1514;
/** A packet of 1,514 bytes every 1.514 ms is 8 Mb/s. */
const spacingMs = 1.514;
const rateMbps = 8;
const plain: Link = { downMbps: rateMbps, upMbps: rateMbps, rttMs: 100, lossPercent: 0, queuePackets: 50 };

const packets = (count: number, timeOf: (index: number) => number, bytes = fullBytes): Datagram[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, timeMs: timeOf(index), bytes, clientPort: 4000 }));

/** A stream in which each packet takes `delayMs` or, if `isLost` selects it, does not arrive. */
function stream(count: number, delayMs: (index: number) => number, isLost = (_: number) => false) {
  const sent = packets(count, (index) => index * spacingMs);
  const arrived = sent.flatMap((datagram, index) =>
    isLost(index) ? [] : [{ ...datagram, timeMs: datagram.timeMs + delayMs(index) }],
  );
  return matchStream(sent, arrived);
}

/** A stream whose delays do not matter. */
const arriving = (arrived: Datagram[]) => matchStream(arrived, arrived);
const nothing = arriving([]);
const samplesOf = (...streams: Parameters<typeof directionSamples>) => {
  const direction = directionSamples(...streams);
  return { handshakesUs: histogramOfMs([100, 100]), goodputBytes: [1e6], down: direction, up: direction };
};
const measureDirection = (
  light: ReturnType<typeof stream>,
  full: ReturnType<typeof stream>,
  news: Partial<Link>,
): DirectionMeasurement => estimates(samplesOf(light, full), { ...plain, ...news }).down;
const light = stream(100, () => 50);
const near = (measured: number | undefined, expected: number, tolerance = 1e-6) =>
  assert.ok(Math.abs((measured ?? NaN) - expected) <= tolerance, `${measured} is not ${expected}`);

test("the rate is the bytes after the first packet, divided by the time in which they arrived", () =>
  near(
    measureDirection(
      light,
      stream(200, () => 50),
      {},
    ).rateMbps,
    8,
  ));

test("slow arrivals in the first half of the stream that fills the queue do not change the measured rate", () => {
  const slowAtFirst = arriving(packets(200, (index) => (index < 100 ? index * 10 : 1000 + index * spacingMs)));
  near(measureDirection(light, slowAtFirst, {}).rateMbps, 8);
});

test("a pause in arrivals lowers the measured rate of a link with a drop-tail queue, but not of one with AQM, whose queue may run empty", () => {
  const paused = arriving(packets(200, (index) => index * spacingMs + (index >= 150 ? 100 * spacingMs : 0)));
  near(measureDirection(light, paused, {}).rateMbps, (8 * 99) / 199);
  near(measureDirection(light, paused, { aqm: "fq_codel" }).rateMbps, 8);
});

test("a stream of packets of two sizes shows the link's rate, both with a drop-tail queue and with AQM", () => {
  const sizes = [1514, 757];
  let timeMs = 0;
  const mixed = Array.from({ length: 200 }, (_, index): Datagram => {
    const bytes = sizes[index % 2]!;
    timeMs += (bytes * 8) / 1000 / rateMbps;
    return { number: index + 1, timeMs, bytes, clientPort: 4000 };
  });
  for (const aqm of [undefined, "fq_codel"] as const)
    near(measureDirection(light, arriving(mixed), aqm ? { aqm } : {}).rateMbps, 8);
});

test("jitter is the whole range of uniformly distributed delays, and a few late packets do not widen it", () => {
  const uniform = stream(1001, (index) => 50 + ((index * 337) % 1001) / 100); // each delay from 50 to 60 ms once
  near(measureDirection(uniform, nothing, { jitterMs: 10 }).jitterMs, 10, 0.05);
  const withLate = stream(1001, (index) => (index % 100 ? 50 + ((index * 337) % 1001) / 100 : 500));
  near(measureDirection(withLate, nothing, { jitterMs: 10 }).jitterMs, 10, 0.3);
});

test("loss is the share of packets that did not arrive, and burst length is the mean number of consecutive losses", () => {
  const lossy = stream(
    1000,
    () => 50,
    (index) => index % 100 < 4,
  );
  const measured = measureDirection(lossy, nothing, { lossBurstPackets: 4 });
  near(measured.lossPercent, 4);
  near(measured.lossBurstPackets, 4);
  assert.equal(measureDirection(lossy, nothing, {}).lossBurstPackets, undefined);
});

test("the queue's length is the delay that a full queue adds, divided by a packet's transmission time, plus one for the packet itself", () => {
  const filling = stream(400, (index) => 50 + Math.min(index / 2, 48.5) * spacingMs);
  near(measureDirection(light, filling, {}).queuePackets, 50);
});

test("if no packet arrives, or only one, measured values are NaN or infinite, so they are outside of every tolerance", () => {
  const { delayMs, rateMbps: rate, queuePackets } = measureDirection(nothing, nothing, {});
  assert.deepEqual([delayMs, rate, queuePackets], [NaN, NaN, NaN]);
  assert.ok(Number.isNaN(measureDirection(nothing, nothing, { aqm: "fq_codel" }).rateMbps));
  assert.ok(Number.isNaN(measureDirection(nothing, nothing, { jitterMs: 1 }).jitterMs));
  assert.ok(!Number.isFinite(measureDirection(nothing, arriving(packets(1, () => 0)), {}).rateMbps));
});

test("goodput counts payload when it first arrives, in the seconds that the plan measures", () => {
  const packet = (timeMs: number, sequence: number, destination = "10.0.0.2:40000") =>
    ({ timeMs, sequence, destination, payloadBytes: 1250 }) as Packet;
  const data = [
    packet(5000, 0), // before the measured seconds
    packet(6000, 1250),
    packet(6400, 1250), // a retransmission
    packet(6500, 1250, "10.0.0.2:40001"), // another connection
    packet(7000, 2500), // in the second measured second
  ];
  assert.deepEqual(goodputBytes(data, { seconds: 3, fromSecond: 1 }), [2 * 1250, 1250]);
  assert.deepEqual(goodputBytes([], { seconds: 2, fromSecond: 1 }), [0]);
});

test("estimateProblems lists recorded values that differ from those computed from the samples, and nothing if there are no samples", () => {
  const samples = samplesOf(light, light);
  const calibration = { configured: plain, samples, measured: estimates(samples, plain) } as unknown as Calibration;
  assert.deepEqual(estimateProblems(calibration), []);
  const edited = structuredClone(calibration);
  Object.assign(edited.measured.up, { rateMbps: 7, lossBurstPackets: 2 });
  const found = ["up rateMbps 8, but 7 is recorded", "up lossBurstPackets undefined, but 2 is recorded"];
  assert.deepEqual(
    estimateProblems(edited),
    found.map((text) => `its samples give ${text}`),
  );
  assert.deepEqual(estimateProblems({ ...edited, samples: undefined }), []);
});

test("traceOffPercent is the largest deviation of a second's bytes from the trace, beyond two packets", () => {
  // 8 Mb/s is a packet every 1.514 ms. From the third second on, half as many packets arrive.
  const trace = {
    name: "x",
    down: [
      [2000, 8],
      [2000, 4],
    ] as [number, number][],
    up: [[1000, 8]] as [number, number][],
  };
  const arrived = [...packets(1321, (i) => 5000 + i * spacingMs), ...packets(661, (i) => 7000 + 2 * i * spacingMs)];
  const inSeconds = bytesInSeconds(arrived, 5000, { fromSecond: 1, seconds: 3 });
  assert.deepEqual(
    inSeconds.map((bytes) => Math.round(bytes / fullBytes)),
    [660, 331, 330],
  );
  const off = (down: number[]) => {
    const samples = { ...samplesOf(arriving(arrived), arriving(arrived)), played: { fromSecond: 1, down, up: [1e6] } };
    return estimates(samples, { ...plain, trace }).down.traceOffPercent!;
  };
  assert.equal(off(inSeconds), 0);
  // A difference of up to two packets is ignored. The rest counts as a percentage of the bytes that the trace allows in that second.
  assert.ok(Math.abs(off([1_000_000 + 30_000 + 2 * fullBytes, 500_000, 500_000]) - 3) < 0.001);
  assert.ok(Math.abs(off([1_000_000, 500_000, 500_000 - 10_000 - 2 * fullBytes]) - 2) < 0.001);
});
