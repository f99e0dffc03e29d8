/** A load's own trace is accepted. A trace that was altered so that it contradicts the load's line is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import { columnsOf, type Trace } from "../../../schema/trace.ts";
import { conditions, registries } from "../../tables/synthetic-loads.fixture.ts";
import { traceProblems } from "./traces.ts";

const packet = (sentUs: number, arrivedUs: number | null, offset: number, bytes: number, flags = 0) => ({
  sentUs,
  arrivedUs,
  offset,
  bytes,
  frameBytes: 66 + bytes,
  acknowledged: 0,
  sackedTo: 0,
  window: 1000,
  syn: flags === 1,
  fin: false,
  reset: false,
  flags,
});
const trace = (): Trace => ({
  firstRequestUs: 300,
  flows: [
    {
      server: "198.18.1.0:4432",
      clientPort: 40000,
      up: columnsOf([packet(500, 50_500, 0, 0, 1), packet(100_600, 150_600, 0, 300)]),
      down: columnsOf([
        packet(50_600, 100_600, 0, 0, 1),
        packet(150_700, 200_700, 0, 1000),
        packet(150_800, null, 1000, 1000),
        packet(300_000, 360_000, 1000, 1000),
      ]),
    },
  ],
  quicFlows: [],
});
const transit = (mostMs: number) => ({ transit: { packets: 3, least: { ms: 50, bytes: 66 }, mostMs } });
const evidence = {
  connections: [{ host: "s0.lab", requests: [{ path: "/a", bytes: 1800, startMs: 0, sentMs: 100.2, endMs: 359.8 }] }],
  timing: { requestStart: 100.5, responseStart: 201, loadEventStart: 360 },
  link: { down: { lostPackets: 1, queueDroppedPackets: 0 }, up: { lostPackets: 0, queueDroppedPackets: 0 } },
  packets: {
    synToRequestMs: 100.1,
    requestToLastDataMs: 259.4,
    requestToLastAckMs: null,
    path: { down: transit(60), up: transit(50) },
    flows: [
      {
        host: "s0.lab",
        clientPort: 40000,
        handshakeMs: 100.1,
        upRetransmittedSegments: 0,
        server: { sentSegments: 3, retransmittedSegments: 1, initcwnd: { atLeast: 2, atMost: null } },
      },
    ],
  },
} as unknown as Evidence;
const condition = conditions({ link: ["10x1-100ms-0%"] })[0]!;
const load = { ok: true, block: 1, evidence, trace: "a".repeat(64) } as unknown as GoodLoad;

const problemsOf = (
  change: (trace: Trace) => void,
  of: GoodLoad = load,
  traces: "all" | "first" | "none" = "first",
) => {
  const changed = trace();
  change(changed);
  return traceProblems(of, condition, { traces, registries }, () => changed).join("; ");
};

test("a reset that seems too quick is accepted, because its arrival may be that of another, identical reset", () =>
  assert.equal(
    problemsOf(({ flows: [flow] }) => {
      const up = [packet(500, 50_500, 0, 0, 1), packet(100_600, 150_600, 0, 300), packet(355_000, 359_000, 300, 0, 4)];
      flow!.up = columnsOf(up);
    }),
    "",
  ));

test("a SYN slower than all packets of the evidence is accepted if the trace has more packets: evidence may begin after the handshake", () => {
  const slower = ({ flows: [flow] }: Trace) => flow!.up.tookUs.splice(0, 1, 55_000);
  const { path } = evidence.packets;
  const upPackets = (packets: number) => {
    const up = { ...path.up, transit: { ...path.up.transit!, packets } };
    return { ...load, evidence: { ...evidence, packets: { ...evidence.packets, path: { ...path, up } } } } as GoodLoad;
  };
  assert.equal(problemsOf(slower, upPackets(1)), "");
  assert.match(problemsOf(slower, upPackets(2)), /a packet took 55 ms up/);
});

test("a SYN/ACK that was lost and retransmitted is accepted", () => {
  const link = { ...evidence.link, down: { ...evidence.link.down, lostPackets: 2 } };
  const again = (one: Trace) => {
    const [answer, ...rest] = [
      packet(50_600, 100_600, 0, 0, 1),
      packet(150_700, 200_700, 0, 1000),
      packet(150_800, null, 1000, 1000),
      packet(300_000, 360_000, 1000, 1000),
    ];
    one.flows[0]!.down = columnsOf([packet(50_550, null, 0, 0, 1), answer!, ...rest]);
  };
  const [flow] = evidence.packets.flows;
  const flows = [{ ...flow, server: { ...flow!.server, initcwnd: null } }];
  const packets = { ...evidence.packets, flows };
  assert.equal(problemsOf(again, { ...load, evidence: { ...evidence, link, packets } } as GoodLoad), "");
});

test("an earlier load's retransmitted SYN/ACK is accepted, even if it was recorded with the client's host as the server", () => {
  const answered = { host: "198.18.0.10:41000", clientPort: 4432, handshakeMs: null, upRetransmittedSegments: 0 };
  const withAnswer = { ...evidence.packets, flows: [...evidence.packets.flows, { ...answered, server: null }] };
  const exchanged = (one: Trace) =>
    one.flows.push({
      server: answered.host,
      clientPort: answered.clientPort,
      up: columnsOf([packet(10_000, null, 0, 0, 1)]),
      down: columnsOf([packet(60_100, null, 0, 0, 4)]),
    });
  assert.equal(problemsOf(exchanged, { ...load, evidence: { ...evidence, packets: withAnswer } } as GoodLoad), "");
});

test("a load's own trace is accepted", () =>
  assert.equal(
    problemsOf(() => {}),
    "",
  ));

for (const [what, change, message] of [
  ["another connection's port", (one) => void one.flows[0]!.clientPort++, /its connections differ from the evidence/],
  ["one connection missing", (one) => void one.flows.pop(), /its connections differ from the evidence/],
  ["a packet that came sooner", ({ flows: [flow] }) => flow!.down.tookUs.splice(1, 1, 49_000), /took 49 ms down/],
  ["a packet that came later", ({ flows: [flow] }) => flow!.down.tookUs.splice(1, 1, 61_000), /took 61 ms down/],
  [
    "one more packet lost",
    ({ flows: [flow] }) => flow!.down.tookUs.splice(1, 1, null),
    /2 packets did not arrive down/,
  ],
  [
    "a retransmission counted as new data",
    ({ flows: [flow] }) => flow!.down.offset.splice(3, 1, 0),
    /0 of these retransmitted, 1/,
  ],
  [
    "a retransmitted request",
    ({ flows: [flow] }) => flow!.up.offset.splice(1, 1, -300),
    /1 segments retransmitted by the client, 0/,
  ],
  [
    "a quicker handshake",
    ({ flows: [flow] }) => flow!.up.sentUs.splice(0, 1, 9500),
    /its handshake took 91.1 ms, 100.1/,
  ],
  ["a later start", (one) => Object.assign(one, { firstRequestUs: 90_000 }), /was sent at 190.2 ms, but at 100.5/],
] as [string, (trace: Trace) => unknown, RegExp][])
  test(`a trace with ${what} is refused`, () => assert.match(problemsOf(change), message));

const altered = (change: (evidence: Evidence) => unknown): GoodLoad => {
  const changed = structuredClone(evidence);
  change(changed);
  return { ...load, evidence: changed } as GoodLoad;
};
for (const [what, change, message] of [
  [
    "another initcwnd",
    ({ packets }) => Object.assign(packets.flows[0]!.server!, { initcwnd: { atLeast: 3, atMost: 3 } }),
    /its initcwnd is 2 to any, but 3 to 3 by the evidence/,
  ],
  [
    "a late answer that came at another time",
    ({ packets: { flows } }) => Object.assign(flows[0]!, { handshakeMs: null, answerMs: 1040 }),
    /its handshake took 100\.1 ms, 1040 by the evidence/,
  ],
  [
    "time spans that were scaled",
    ({ packets }) => Object.assign(packets, { requestToLastDataMs: 0.9 * packets.requestToLastDataMs! }),
    /no packet at the time of the last data, 334\.060 ms/,
  ],
  [
    "a first byte that came before its packet",
    ({ timing }) => Object.assign(timing, { responseStart: 200 }),
    /response began after 200 ms, but .* came after 200\.7 ms/,
  ],
  [
    "a response that ended before its bytes had arrived",
    ({ connections: [connection] }) => Object.assign(connection!.requests[0]!, { endMs: 300 }),
    /\/a had ended after 300 ms, with 1800 bytes from s0\.lab; only 1000 had arrived/,
  ],
] as [string, (evidence: Evidence) => unknown, RegExp][])
  test(`evidence with ${what} does not match its trace`, () =>
    assert.match(
      problemsOf(() => {}, altered(change)),
      message,
    ));

test("if a browser counts uncompressed headers over HTTP/2, up to 1,000 bytes fewer may have arrived than it reports", () => {
  const ended = (connection: { id: number | null; protocol: string }, bytes: number) => {
    const [known] = evidence.connections;
    const connections = [{ ...known, ...connection, requests: [{ ...known!.requests[0]!, bytes, endMs: 300 }] }];
    return problemsOf(() => {}, { ...load, evidence: { ...evidence, connections } } as GoodLoad);
  };
  assert.equal(ended({ id: null, protocol: "h2" }, 2000), "", "1,000 bytes had arrived");
  assert.match(ended({ id: null, protocol: "h2" }, 2001), /had ended after 300 ms/);
  assert.match(ended({ id: null, protocol: "http/1.1" }, 1300), /had ended after 300 ms/);
  assert.match(ended({ id: 7, protocol: "h2" }, 1300), /had ended after 300 ms/);
});

test("a missing trace is reported if the run should have kept it, and an existing trace is reported if the run should not have kept it", () => {
  const { trace: _, ...without } = load;
  assert.match(
    problemsOf(() => {}, without as GoodLoad),
    /its trace is missing, but the run keeps traces/,
  );
  assert.match(
    problemsOf(() => {}, load, "none"),
    /it has a trace, but the run keeps none for this load/,
  );
  assert.match(
    problemsOf(() => {}, { ...load, block: 2 }),
    /it has a trace, but the run keeps none for this load/,
  );
  assert.equal(
    problemsOf(() => {}, { ...load, block: 2 }, "all"),
    "",
  );
});

test("if a trace cannot be read, the reader's error message is reported", () =>
  assert.deepEqual(
    traceProblems(load, condition, { traces: "all", registries }, () => {
      throw new Error("its trace x is not there");
    }),
    ["its trace x is not there"],
  ));
