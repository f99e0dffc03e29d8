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

test("the flight after an idle time ends when the client acknowledges one of its segments", () => {
  const more = [request(2208, 6), send(2209, 6), send(2209, 7), send(2209, 8), ack(2309, 7), send(2309.1, 9)];
  assert.deepEqual(idleOf([...sixAtOnce, ...more]), {
    idleMs: 2000,
    flightSegments: 3,
    windowWasFull: true,
    mostBefore: 6,
  });
});

test("a tail loss probe, which may exceed the window, does not count", () => {
  const more = [request(2208, 6), send(2209, 6), send(2209, 7), send(2409, 8), ack(2450, 7), send(2450.1, 9)];
  assert.equal(idleOf([...sixAtOnce, ...more])?.flightSegments, 2);
});

test("of several idle times, only the longest is reported", () => {
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
