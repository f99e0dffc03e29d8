/** Whether what the client says of a load's requests can have been: on this link, over these connections, in this time. */
import { type ConnectionEvidence, documentMoment, type Evidence, navigationMoments } from "../../schema/evidence.ts";
import { type Link, sendingMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Protocol } from "../../schema/protocol.ts";
import type { Registries } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
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
  // What drives a browser without DevTools hears of a request's end from another process than the page's.
  const noteMs = drivenBy ? tolerance.browserMs : 0;
  return [
    ...requests.flatMap((request) => ownProblems(request, pageLoadMs + noteMs, link)),
    ...orderProblems(requests, evidence, drivenBy !== undefined),
    ...(replays?.pipelines ? [] : evidence.connections.flatMap((connection) => turnProblems(connection, link))),
    ...windowProblems(requests, link),
    ...(bytes === evidence.receivedBytes
      ? []
      : [`its requests received ${bytes} bytes, the client says ${evidence.receivedBytes}`]),
  ];
}

/** An answer takes a round trip and its bytes over the rate, and is there before a load event that waits for it (axes/page.axis.ts: which). */
function ownProblems(
  { path, bytes, startMs, endMs, nonBlocking, failed }: Request,
  pageLoadMs: number,
  link: Link,
): string[] {
  if (endMs === null) return nonBlocking ? [] : [`the last byte of ${path} never came`];
  if (failed) return []; // when the client gave it up, its bytes were still under way
  if (!nonBlocking && endMs > pageLoadMs + tolerance.earlyMs)
    return [`${path} ended after ${endMs} ms, and the page had loaded by ${pageLoadMs}`];
  const leastMs = link.rttMs + sendingMs(link, "down", bytes);
  if (startMs >= 0 && endMs - startMs >= leastMs - tolerance.earlyMs) return [];
  return [`${path} took ${(endMs - startMs).toFixed(1)} ms from ${startMs}; it takes ${leastMs.toFixed(1)} at least`];
}

/**
 * The HTML comes first, and what else the page has is known from its first bytes; Navigation Timing says when they came, and
 * the last of them.
 * @param isTheEndUnsure as in Firefox, which takes the first for the last where it has not heard of that yet
 *   (https://bugzilla.mozilla.org/1155008); what holds is that a document is parsed after its last byte
 */
function orderProblems(requests: Request[], { timing }: Evidence, isTheEndUnsure: boolean): string[] {
  const [html, ...others] = requests.toSorted(earliestFirst);
  if (!html || html.startMs !== 0) return ["no request is the first"];
  const { responseStart = Number.NaN, responseEnd = Number.NaN, [documentMoment]: parsed = Number.NaN } = timing;
  const latestEndMs = isTheEndUnsure ? parsed : responseEnd;
  return [
    ...others.flatMap(({ path, startMs }) =>
      startMs >= responseStart - tolerance.browserMs
        ? []
        : [`${path} was asked for after ${startMs} ms, and the HTML began to come after ${responseStart}`],
    ),
    ...(html.endMs === null ||
    (html.endMs >= responseEnd - tolerance.browserMs && html.endMs <= latestEndMs + tolerance.browserMs)
      ? []
      : [`the HTML had come after ${html.endMs} ms by its request, after ${responseEnd} by Navigation Timing`]),
  ];
}

/** Without pipelining, a connection of HTTP/1.1 is asked for the next object when it has brought the one before. */
function turnProblems({ id, protocol, host, requests }: ConnectionEvidence, link: Link): string[] {
  if (protocol !== "http/1.1" || id === null) return []; // of several connections, no request says which
  const inOrder = requests.toSorted((a, b) => (a.endMs ?? 0) - (b.endMs ?? 0));
  return inOrder.slice(1).flatMap(({ path, bytes, endMs }, i) => {
    const before = inOrder[i]!.endMs;
    if (endMs === null || before === null) return [];
    const leastMs = link.rttMs + sendingMs(link, "down", bytes);
    return endMs - before >= leastMs - tolerance.earlyMs
      ? []
      : [
          `${path} came from ${host} ${(endMs - before).toFixed(1)} ms after what came before it; it takes ${leastMs.toFixed(1)}`,
        ];
  });
}

/** Whatever was asked for from some moment on had to come over the one link until the last of it was there. */
function windowProblems(requests: Request[], link: Link): string[] {
  const lastMs = Math.max(...requests.map(({ endMs }) => endMs ?? Number.POSITIVE_INFINITY));
  let bytes = 0;
  for (const request of requests.toSorted(earliestFirst).reverse()) {
    bytes += request.bytes;
    const leastMs = link.rttMs + sendingMs(link, "down", bytes);
    if (lastMs - request.startMs < leastMs - tolerance.earlyMs)
      return [
        `${bytes} bytes were asked for from ${request.startMs} ms on and had come after ${lastMs}; they take ${leastMs.toFixed(1)} ms`,
      ];
  }
  return [];
}

/**
 * Navigation Timing's moments are in order, handshakes take their round trips, and an answer one: from the request on or, in a
 * browser without DevTools, which may note a request after it has left, from the connection on.
 */
export function timingProblems(
  evidence: Evidence,
  { settings: { link } }: Condition,
  protocol: Protocol,
  { replays, drivenBy }: Pick<Client, "replays" | "drivenBy"> = {},
): string[] {
  const { timing } = evidence;
  const at = (name: string) => timing[name] ?? Number.NaN;
  const moments = navigationMoments.filter((name) => !replays || name !== documentMoment);
  const spans: [from: string, to: string, leastMs: number][] = [
    ...moments.slice(1).map((name, i): [string, string, number] => [moments[i]!, name, 0]),
    ["connectStart", "connectEnd", handshakeRoundTrips(evidence, protocol) * link.rttMs],
    [drivenBy ? "connectEnd" : "requestStart", "responseStart", link.rttMs],
  ];
  return spans.flatMap(([from, to, leastMs]) =>
    at(to) - at(from) >= leastMs - tolerance.earlyMs
      ? []
      : [`from ${from} (${at(from)} ms) to ${to} (${at(to)} ms) it takes ${leastMs} ms at least`],
  );
}
