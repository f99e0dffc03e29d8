/** Checks whether the requests that the client reports are possible on this link, over these connections, in this time. */
import { type ConnectionEvidence, documentMoment, type Evidence, navigationMoments } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { type Link, sendingMs } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Protocol } from "../../../schema/protocol.ts";
import type { Registries } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { documentRequests, documentReusesConnection } from "./document.ts";
import { handshakeRoundTrips } from "./round-trips.ts";

type Client = Registries["clients"][string];
type Request = ConnectionEvidence["requests"][number];

export const requestsOf = ({ connections }: Pick<Evidence, "connections">): Request[] =>
  connections.flatMap(({ requests }) => requests);
export const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

const earliestFirst = (a: Request, b: Request) => a.startMs - b.startMs;

export function requestProblems(
  pageLoadMs: number,
  evidence: Evidence,
  { settings: { link } }: Condition,
  { replays, drivenBy }: Pick<Client, "replays" | "drivenBy">,
): string[] {
  const requests = requestsOf(evidence);
  const bytes = sum(requests.map((request) => request.bytes));
  // Without DevTools, a process other than the page's reports when a request ended, and may report a later time.
  const noteMs = drivenBy ? tolerance.browserMs : 0;
  return [
    ...requests.flatMap((request) => ownProblems(request, pageLoadMs + noteMs, link)),
    ...orderProblems(requests, evidence, drivenBy !== undefined),
    ...(replays?.pipelines ? [] : evidence.connections.flatMap((connection) => turnProblems(connection, link))),
    ...windowProblems(requests, link),
    ...expect(
      bytes === evidence.receivedBytes,
      `its requests received ${bytes} bytes, the client reports ${evidence.receivedBytes}`,
    ),
  ];
}

/** Checks that a response took at least a round trip plus its transmission time, and that it ended before a load event that waits for it. */
function ownProblems(
  { path, bytes, startMs, endMs, nonBlocking, failed }: Request,
  pageLoadMs: number,
  link: Link,
): string[] {
  if (endMs === null) return expect(nonBlocking === true, `the last byte of ${path} never arrived`);
  if (failed) return []; // its bytes were still in flight when the client cancelled it
  if (!nonBlocking && endMs > pageLoadMs + tolerance.earlyMs)
    return [`${path} ended after ${endMs} ms, but the page had loaded after ${pageLoadMs} ms`];
  const leastMs = link.rttMs + sendingMs(link, "down", bytes);
  if (startMs >= 0 && endMs - startMs >= leastMs - tolerance.earlyMs) return [];
  return [
    `${path} took ${(endMs - startMs).toFixed(1)} ms from ${startMs}; it takes at least ${leastMs.toFixed(1)} ms`,
  ];
}

/**
 * Checks that other requests start only after the HTML began to arrive, and that the HTML ended when Navigation Timing says.
 * @param isTheEndUnsure whether responseEnd may be the time of the first byte, as in Firefox (https://bugzilla.mozilla.org/1155008). Then the
 *   end of parsing is the upper bound.
 */
function orderProblems(requests: Request[], { timing }: Evidence, isTheEndUnsure: boolean): string[] {
  const chain = documentRequests(requests);
  const html = chain.at(-1);
  if (!html) return ["no request started at 0 ms"];
  const others = requests.filter((one) => !chain.includes(one)).toSorted(earliestFirst);
  const { responseStart = Number.NaN, responseEnd = Number.NaN, [documentMoment]: parsed = Number.NaN } = timing;
  const latestEndMs = isTheEndUnsure ? parsed : responseEnd;
  return [
    ...others.flatMap(({ path, startMs }) =>
      expect(
        startMs >= responseStart - tolerance.browserMs,
        `${path} was requested after ${startMs} ms, but the HTML began to arrive after ${responseStart} ms`,
      ),
    ),
    ...expect(
      html.endMs === null ||
        (html.endMs >= responseEnd - tolerance.browserMs && html.endMs <= latestEndMs + tolerance.browserMs),
      `the HTML ended after ${html.endMs} ms by its request, but after ${responseEnd} ms by Navigation Timing`,
    ),
  ];
}

/** Checks the turns on an HTTP/1.1 connection: without pipelining, it carries the next request only after the previous response has ended. */
function turnProblems({ id, protocol, host, requests }: ConnectionEvidence, link: Link): string[] {
  if (protocol !== "http/1.1" || id === null) return []; // the client does not report which of the host's connections it used
  // For a worker's script the browser reports neither the connection nor when the request was sent.
  const known = requests.filter(({ sentMs, nonBlocking }) => sentMs !== undefined || !nonBlocking);
  const inOrder = known.toSorted((a, b) => (a.endMs ?? 0) - (b.endMs ?? 0));
  return inOrder.slice(1).flatMap(({ path, bytes, endMs }, i) => {
    const before = inOrder[i]!.endMs;
    if (endMs === null || before === null) return [];
    const leastMs = link.rttMs + sendingMs(link, "down", bytes);
    return expect(
      endMs - before >= leastMs - tolerance.earlyMs,
      `${path} ended ${(endMs - before).toFixed(1)} ms after the response before it from ${host}; it takes at least ${leastMs.toFixed(1)} ms`,
    );
  });
}

/** Checks for each request that its bytes and those of all later requests fit through the link between its start and the last response. */
function windowProblems(requests: Request[], link: Link): string[] {
  const lastMs = Math.max(...requests.map(({ endMs }) => endMs ?? Number.POSITIVE_INFINITY));
  let bytes = 0;
  for (const request of requests.toSorted(earliestFirst).reverse()) {
    bytes += request.bytes;
    const leastMs = link.rttMs + sendingMs(link, "down", bytes);
    if (lastMs - request.startMs < leastMs - tolerance.earlyMs)
      return [
        `${bytes} bytes were requested from ${request.startMs} ms on and had arrived after ${lastMs} ms; they take at least ${leastMs.toFixed(1)} ms`,
      ];
  }
  return [];
}

/**
 * Checks that Navigation Timing's moments are in order, and that handshakes and the response take their round trips. A browser without DevTools
 * may record a request only after sending it, so for this browser the end of the connection setup is used instead.
 */
export function timingProblems(
  evidence: Evidence,
  { settings: { link } }: Condition,
  protocol: Protocol,
  { replays, drivenBy }: Pick<Client, "replays" | "drivenBy"> = {},
): string[] {
  const { timing } = evidence;
  const at = (name: string) => timing[name] ?? Number.NaN;
  const roundTrips = handshakeRoundTrips(evidence, protocol);
  // Early data leaves before the handshake has ended.
  const moments = navigationMoments.filter(
    (name) => !(replays && name === documentMoment) && !(roundTrips === 0 && name === "connectEnd"),
  );
  const spans: [from: string, to: string, leastMs: number][] = [
    ...moments.slice(1).map((name, i): [string, string, number] => [moments[i]!, name, 0]),
    ["connectStart", "connectEnd", documentReusesConnection(evidence) ? 0 : roundTrips * link.rttMs],
    [drivenBy ? "connectEnd" : "requestStart", "responseStart", link.rttMs],
  ];
  return spans.flatMap(([from, to, leastMs]) =>
    expect(
      at(to) - at(from) >= leastMs - tolerance.earlyMs,
      `from ${from} (${at(from)} ms) to ${to} (${at(to)} ms) it takes at least ${leastMs} ms`,
    ),
  );
}

/** An upper bound of the bytes of a response's uncompressed headers; the lab's servers send less. */
const mostHeaderBytes = 1000;

/** A lower bound of a response's bytes on the network. WebDriver BiDi (no id) counts headers uncompressed, but HTTP/2 and HTTP/3 compress them. */
export const leastBytesOf = (
  { bytes }: Pick<Request, "bytes">,
  { id, protocol }: Pick<ConnectionEvidence, "id" | "protocol">,
): number => Math.max(0, bytes - (id === null && protocol !== "http/1.1" ? mostHeaderBytes : 0));

export const leastOnTheWire = (connections: Evidence["connections"]): number =>
  sum(connections.map((connection) => sum(connection.requests.map((request) => leastBytesOf(request, connection)))));
