/** Checks whether the streams of decrypted connections are possible on this link, and have the bytes that the client reports. */
import { gonePackets } from "../../../axes/gone.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import type { StreamsEvidence } from "../../../schema/packet-evidence.ts";
import { requestsOf, sum } from "./requests.ts";

/** @param countsAll whether the client reports every request with all bytes, as DevTools does for a page without service workers */
export function streamProblems(evidence: Evidence, countsAll: boolean): string[] {
  const { flows, quicFlows = [] } = evidence.packets;
  const named = [...flows, ...quicFlows].flatMap(({ host, clientPort, streams }) =>
    streams ? [{ name: `connection ${clientPort} to ${host}`, streams }] : [],
  );
  return [
    ...named.flatMap(({ name, streams }) => [
      ...sizeProblems(streams).map((problem) => `${name}: ${problem}`),
      ...(isLossless(evidence) ? waitProblems(streams).map((problem) => `${name}: ${problem}`) : []),
    ]),
    ...(countsAll ? countProblems(evidence, named) : []),
  ];
}

function sizeProblems({ responses, bytes, waitedBytes, blockedBytes, passedBytes = 0 }: StreamsEvidence): string[] {
  return [
    ...expect(
      Math.max(waitedBytes, blockedBytes, passedBytes) <= bytes,
      `more bytes waited, were blocked or passed others than its responses have, ${bytes}`,
    ),
    ...expect(responses <= bytes, `${responses} responses have only ${bytes} bytes`),
  ];
}

/** Whether the link delivered all packets to the client, and in order. */
const isLossless = ({ link }: Evidence) =>
  gonePackets({ link }, "down") === 0 && (link.down.atStart.jitterMs ?? 0) === 0;

const waitProblems = ({ waitedBytes, blockedBytes, passedBytes = 0, longestBlockedMs }: StreamsEvidence): string[] =>
  expect(
    waitedBytes + blockedBytes + passedBytes + longestBlockedMs === 0,
    "bytes waited for a lost packet, but the link lost none",
  );

/** Compares streams with the bytes that the client reports, unless a connection was not decrypted or a response was not complete. */
function countProblems(evidence: Evidence, named: readonly { streams: StreamsEvidence }[]): string[] {
  const used = evidence.connections.filter(({ requests }) => requests.length > 0);
  const isComplete = requestsOf(evidence).every(({ endMs, failed }) => endMs !== null && !failed);
  if (used.length !== named.length || !isComplete || evidence.unanswered) return [];
  const bytes = sum(named.map(({ streams }) => streams.bytes));
  return expect(
    bytes === evidence.receivedBytes,
    `the client reports ${evidence.receivedBytes} bytes of responses, but the streams have ${bytes}`,
  );
}
