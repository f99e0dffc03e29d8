/** What servers send after idle times, tested with synthetic captures. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverFlows } from "./tcp-flows.ts";
import { ack, handshake, range, request, send } from "./test-packets.fixture.ts";

const idleOf = (packets: Parameters<typeof serverFlows>[0]) => serverFlows(packets)[0]?.afterIdle;
const sixAtOnce = [
  ...handshake,
  request(101, 0),
  ...range(0, 6).map((number) => send(102, number)),
  ...range(1, 7).map((upTo) => ack(202 + upTo, upTo)),
];

test("flightSegments counts the segments sent after an idle time until the client acknowledges one of them", () => {
  const more = [request(2208, 6), send(2209, 6), send(2209, 7), send(2209, 8), ack(2309, 7), send(2309.1, 9)];
  assert.deepEqual(idleOf([...sixAtOnce, ...more]), {
    idleMs: 2000,
    flightSegments: 3,
    windowWasFull: true,
    mostBefore: 6,
  });
});

test("flightSegments excludes a tail loss probe, because it may exceed the window", () => {
  const more = [request(2208, 6), send(2209, 6), send(2209, 7), send(2409, 8), ack(2450, 7), send(2450.1, 9)];
  assert.equal(idleOf([...sixAtOnce, ...more])?.flightSegments, 2);
});

test("afterIdle describes only the longest of several idle times", () => {
  const more = [request(508, 6), send(509, 6), ack(609, 7), request(1609, 7), send(1610, 7), ack(1710, 8)];
  assert.deepEqual(idleOf([...sixAtOnce, ...more]), {
    idleMs: 1000,
    flightSegments: 1,
    windowWasFull: false,
    mostBefore: 6,
  });
});

test("a pause is not idle time if it is shorter than TCP's minimum retransmission time-out, or if data is unacknowledged", () => {
  assert.equal(idleOf([...sixAtOnce, request(407, 6), send(408, 6)]), undefined);
  const unacknowledged = [...sixAtOnce.slice(0, -1), request(2208, 6), send(2209, 6)];
  assert.equal(idleOf(unacknowledged), undefined);
});
