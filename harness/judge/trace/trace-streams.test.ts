/** A load over QUIC whose trace is altered: each change contradicts the evidence or the trace itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withStreams } from "../../../observe/streams-evidence.ts";
import { pieceColumnsOf } from "../../../schema/stream-trace.ts";
import type { Trace, TracedQuicFlow } from "../../../schema/trace.ts";
import { good } from "../load/quic-load.fixture.ts";
import { traceStreamProblems } from "./trace-streams.ts";

/** Two responses in two datagrams, the second of which is acknowledged. */
const flow = {
  server: "198.18.1.11:4433",
  clientPort: 40000,
  down: { sentUs: [150_000, 1000], tookUs: [50_000, 50_000], frameBytes: [1100, 1200] },
  up: { sentUs: [100_000, 102_000], tookUs: [50_000, 50_000], frameBytes: [300, 80] },
  opened: {
    down: {
      bytes: [1050, 1150],
      acknowledged: [0, null],
      pieces: pieceColumnsOf([
        { datagram: 0, stream: 0, offset: 0, bytes: 1000, fin: true },
        { datagram: 1, stream: 4, offset: 0, bytes: 1100, fin: true },
      ]),
    },
    up: { bytes: [250, 0], acknowledged: [null, 1], pieces: pieceColumnsOf([]) },
  },
} satisfies TracedQuicFlow;
const traceOf = (one: TracedQuicFlow): Trace => ({ firstRequestUs: 100_000, flows: [], quicFlows: [one] });
const [connection] = good.connections;
const request = (path: string, bytes: number, endMs: number) => ({ path, status: 200, bytes, startMs: 0, endMs });
const evidence = {
  ...good,
  receivedBytes: 2100,
  connections: [{ ...connection!, requests: [request("/A", 1000, 100), request("/B", 1100, 101)] }],
  packets: withStreams(good.packets, traceOf(flow), []),
};
const problems = (change: Partial<TracedQuicFlow>, news: Partial<typeof evidence> = {}) =>
  traceStreamProblems(traceOf({ ...flow, ...change }), { ...evidence, ...news });
const { opened } = flow;

test("an unaltered trace of a load has no problems", () => assert.deepEqual(problems({}), []));

test("an acknowledgment that was sent before the acknowledged datagram had arrived is reported", () => {
  const up = { ...opened.up, acknowledged: [1, null] };
  assert.match(
    problems({ opened: { ...opened, up } })[0]!,
    /datagram 0 acknowledges datagram 1, which had not arrived/,
  );
  const lost = { ...flow.down, tookUs: [50_000, null] };
  assert.ok(problems({ down: lost }).some((problem) => /which had not arrived/.test(problem)));
});

test("a datagram with more bytes than its frame is reported, and so is a datagram without content", () => {
  const down = { ...opened.down, bytes: [1050, 1201] };
  assert.match(problems({ opened: { ...opened, down } })[0]!, /datagram 1 has more bytes than its frame/);
  const fewer = { ...opened.down, bytes: [1050] };
  assert.match(problems({ opened: { ...opened, down: fewer } })[0]!, /without content/);
});

test("if a byte is moved to another stream, a response without a stream of its size is reported", () => {
  const pieces = { ...opened.down.pieces, bytes: [1001, 1099] };
  const moved = { ...opened, down: { ...opened.down, pieces } };
  assert.match(problems({ opened: moved })[0]!, /no stream has the 1000 bytes of \/A/);
});

test("a response that ended before its last byte could be read is reported", () => {
  const connections = [{ ...connection!, requests: [request("/A", 1000, 100), request("/B", 1100, 60)] }];
  assert.match(problems({}, { connections })[0]!, /\/B had ended after 160 ms, but .* after 201 ms/);
});

test("evidence of streams that differs from the trace's streams is reported", () => {
  const quicFlows = evidence.packets.quicFlows!.map((one) => ({
    ...one,
    streams: { ...one.streams!, passedBytes: 1 },
  }));
  assert.match(problems({}, { packets: { ...evidence.packets, quicFlows } })[0]!, /differ from the evidence/);
  const { opened: _, ...sealed } = flow;
  assert.match(traceStreamProblems(traceOf(sealed), evidence)[0]!, /differ from the evidence/);
});
