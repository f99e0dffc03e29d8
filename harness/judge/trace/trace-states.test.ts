/** A congestion window that the server's kernel recorded is reported if the packets contradict it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowEvidence } from "../../../schema/evidence.ts";
import type { TcpState } from "../../../schema/tcp-states.ts";
import type { TracedPacket } from "../../../schema/trace.ts";
import { stateProblems } from "./trace-states.ts";

const segmentBytes = 1448;
const packet = (sentUs: number, change: Partial<TracedPacket> = {}): TracedPacket => ({
  sentUs,
  arrivedUs: sentUs + 50_000,
  frameBytes: 1514,
  offset: 0,
  bytes: 0,
  repeated: false,
  acknowledged: 0,
  sackedTo: change.acknowledged ?? 0,
  window: 65_000,
  syn: false,
  fin: false,
  reset: false,
  ...change,
});
const segment = (sentUs: number, place: number, change: Partial<TracedPacket> = {}) =>
  packet(sentUs, { offset: place * segmentBytes, bytes: segmentBytes, ...change });
/** Makes an acknowledgment of this many segments, which arrives at the server at this time. */
const ack = (arrivedUs: number, segments: number, change: Partial<TracedPacket> = {}) =>
  packet(arrivedUs - 50_000, { arrivedUs, acknowledged: segments * segmentBytes, ...change });
const state = (atUs: number, windowSegments: number, change: Partial<TcpState> = {}): TcpState => ({
  ...{ atUs, windowSegments, thresholdSegments: null, smoothedRttUs: 100_000, phase: 0 },
  ...change,
});
/** Slow start from a window of 3: two new segments for each acknowledged one. */
const down = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((place) =>
  segment(place < 3 ? 100 : 100_100 + 10 * Math.floor((place - 3) / 2), place),
);
const up = [ack(100_100, 1), ack(100_110, 2), ack(100_120, 3)];
const states = [state(50, 3), state(100_110, 4), state(100_120, 5), state(200_100, 6)];
const server = { initcwnd: { atLeast: 3, atMost: 3 }, congestion: "cubic" } as NonNullable<FlowEvidence["server"]>;
const problems = (change: Partial<Parameters<typeof stateProblems>[1]> = {}, of = server) =>
  stateProblems(of, { server: "", clientPort: 1, down, up, states, ...change });

test("windows of a correct slow start are accepted; without recorded states nothing is compared", () => {
  assert.deepEqual(problems(), []);
  assert.deepEqual(problems({ states: [] }), []);
});

test("a recorded window smaller than the segments in flight is reported, but not after a loss", () => {
  const small = [state(50, 3), state(100_110, 3), state(100_120, 3), state(200_100, 3)];
  const lost = segment(100_050, 0, { repeated: true });
  assert.match(problems({ states: small })[0]!, /had 5\.0 segments in flight at 100\.11 ms, but a window of only 3/);
  assert.deepEqual(problems({ states: small, down: [...down, lost] }), []);
  assert.deepEqual(problems({ states: small, up: [ack(100_050, 0, { sackedTo: segmentBytes }), ...up] }), []);
});

test("a recorded window that grew by more segments than were acknowledged is reported, except with BBR", () => {
  const large = [state(50, 3), state(100_110, 4), state(100_120, 30), state(200_100, 30)];
  assert.match(
    problems({ states: large })[0]!,
    /grew from 3 to 30 until 100\.12 ms, but only 3 segments were acknowledged/,
  );
  assert.deepEqual(problems({ states: large }, { ...server, congestion: "bbr" }), []);
});

test("a first recorded window outside of the bounds that packets show is reported", () => {
  assert.match(
    problems({}, { ...server, initcwnd: { atLeast: 4, atMost: null } })[0]!,
    /began with a window of 3, but 4 to any by the evidence/,
  );
  assert.deepEqual(problems({}, { ...server, initcwnd: null }), []);
});
