/** Builds a load's graph of events from its line and its trace. */
import type { Evidence, RequestEvidence } from "../../schema/evidence.ts";
import { waitedMsIn } from "../../schema/host-rtts.ts";
import { directions } from "../../schema/link.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { WebHost } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
import type { Trace } from "../../schema/trace.ts";
import { documentRequests } from "../judge/load/document.ts";
import { clientPacketCauses, handingUs } from "./client-packets.ts";
import { type Connection, connectionDeliveries, type RequestEvents } from "./connection-deliveries.ts";
import { type TracedConnection, tracedConnections } from "./connections.ts";
import { readAt } from "./deliveries.ts";
import { event, type LoadEvent } from "./event.ts";
import { type FlowEvents, packetEvents, serverCauses } from "./flow-events.ts";
import { linkArrivals } from "./link-events.ts";
import { Arrived } from "./recovery.ts";

/** The error of the browser's times: they are rounded to a tenth of a millisecond, and the browser's clocks differ by as much. */
const roundingUs = 200;

/** @returns the load event, with its direct and indirect causes; null if the packets of some request cannot be identified */
export function loadGraph(
  { evidence, pageLoadMs }: GoodLoad,
  trace: Trace,
  hosts: readonly WebHost[] = [],
): LoadEvent | null {
  const connections = tracedConnections(evidence.connections, trace);
  // Leaves out a worker's script, which has no known connection. No load event waits for this script.
  const requested = evidence.connections
    .flatMap(({ requests }) => requests)
    .filter(({ sentMs, nonBlocking }) => sentMs !== undefined || !nonBlocking);
  if (connections.flatMap(({ requests }) => requests).length < requested.length) return null;
  const start = event(0, "the navigation starts", "browser");
  const flows = packetsOf(connections, trace, evidence, hosts);
  const all = connections.map((connection, i) => connectionEvents(connection, flows[i]!, trace));
  const requests = all.flatMap((one) => one.requests);
  for (const connection of all) {
    clientCauses(connection, requests, start);
    const questions = connection.questions.filter(({ packet }) => packet.asks);
    serverCauses(connection.flow, questions, connection.asked !== null);
  }
  discover(requests, all, start);
  const loadUs = 1000 * pageLoadMs;
  const awaited = requests.filter(({ request, end }) => !request.nonBlocking && end.atUs <= loadUs + roundingUs);
  const causes = awaited.map(({ end }) => ({ from: end, takes: [] }));
  return event(loadUs, "the load event", "browser", { causes });
}

/** All flows share the link, so a packet's arrival depends on packets of other flows in front of it. Traces have only the page's flows. */
function packetsOf(
  connections: readonly TracedConnection[],
  trace: Trace,
  evidence: Pick<Evidence, "link" | "background" | "serverQdiscs">,
  hosts: readonly WebHost[],
): FlowEvents[] {
  const flows = connections.map((connection, number) => {
    const of = { number, name: `connection ${number + 1} to ${connection.evidence.host}` };
    const openedUs = openedAt(connection, trace);
    const host = hosts.find(({ name }) => name === connection.evidence.host);
    const farUs = 1000 * waitedMsIn(evidence, host);
    return {
      ...of,
      down: packetEvents(connection.down, "answer", of, openedUs, farUs),
      up: packetEvents(connection.up, "request", of, openedUs),
    };
  });
  const sent = (side: "down" | "up") => flows.flatMap((flow) => flow[side].packets);
  const { link, background } = evidence;
  const rest = background && !link.trace ? "background" : "unknown";
  for (const direction of directions) linkArrivals(sent(direction), link[direction].atStart, rest);
  return flows;
}

/** Returns when the client had received everything that it needed to send its first request. Earlier time belongs to the handshake. */
function openedAt({ requests, down, up }: TracedConnection, { firstRequestUs }: Trace): number {
  const handedUs = firstRequestUs + 1000 * requests[0]!.sentMs! - roundingUs;
  const askedUs = up.find(({ bytes, sentUs }) => bytes > 0 && sentUs >= handedUs)?.sentUs ?? handedUs;
  const answers = new Arrived(down.filter(({ bytes, syn }) => bytes > 0 || syn));
  return answers.lastAt(askedUs)?.arrivedUs ?? askedUs;
}

function connectionEvents(connection: TracedConnection, flow: FlowEvents, { firstRequestUs }: Trace): Connection {
  const { requests: told, evidence } = connection;
  const us = (ms: number) => firstRequestUs + 1000 * ms;
  const requests = told.map((request) => ({
    request,
    start: event(us(request.startMs), `the browser finds ${request.path}`, "browser"),
    sent: event(us(request.sentMs!), `${request.path} is handed to ${flow.name}`, "browser", { flow: flow.number }),
    end: event(us(request.endMs ?? request.sentMs!), `${request.path} is complete`, "browser"),
  }));
  return {
    evidence,
    slots: Math.max(...requests.map(({ sent }) => activeAt(requests, sent.atUs))),
    requests,
    flow,
    ...connectionDeliveries(connection, flow),
  };
}

/** Finds why the client could send each packet and each request, and why each request ended. */
function clientCauses(connection: Connection, all: readonly RequestEvents[], begin: LoadEvent): void {
  const { answers, requests, slots } = connection;
  const [first] = requests;
  clientPacketCauses(connection, (syn) => openers(first, all, syn, begin));
  const opened = readAt(answers, first!.sent.atUs + roundingUs)?.delivered;
  for (const [i, one] of requests.entries())
    requestCauses(one, { opened, before: freedBy(requests, i, slots) }, connection, all);
}

/** @param opened the end of the connection's handshake @param before the end of an earlier request that kept the connection busy */
function requestCauses(
  { request, start, sent, end }: RequestEvents,
  { opened, before }: Record<"opened" | "before", LoadEvent | undefined>,
  { answersOf, asked, evidence }: Connection,
  all: readonly RequestEvents[],
): void {
  const multiplexes = !evidence.protocol.startsWith("http/1");
  const isHolder = (one: RequestEvents) =>
    mayHold(one, start, sent) || (multiplexes && !before && letsGo(one, start, sent, all));
  const holders = all.filter(isHolder).map((one) => one.end);
  // A request that the browser delays for scripts and style sheets waits for these first, and only then for a connection.
  const since = [start, ...holders].reduce((last, one) => (one.atUs > last.atUs ? one : last));
  sent.causes = [start, ...holders].map((from) => ({ from, takes: [] }));
  if (opened) sent.causes.push({ from: opened, takes: [] });
  if (before) sent.causes.push({ from: before, takes: [], counts: { part: "waiting", since } });
  const allowed = asked?.allowed.get(request)?.arrival;
  // If the server raises its limit early, a packet may have allowed the stream before the request needed it. Then the request did not wait.
  if (allowed && Math.abs(sent.atUs - allowed.atUs) <= handingUs && allowed.atUs > since.atUs)
    sent.causes.push({ from: allowed, takes: [], counts: { part: "waiting", since } });
  if (request.endMs === null) return;
  const last = readAt(answersOf(request), end.atUs + roundingUs)?.delivered;
  end.causes = [{ from: last ?? sent, takes: [] }];
}

/** Counts the requests of a connection that are active when a request is sent, including this request. */
const activeAt = (requests: readonly RequestEvents[], sentUs: number) =>
  Math.max(1, requests.filter(({ sent, end }) => sent.atUs <= sentUs && end.atUs > sentUs + roundingUs).length);

/** Returns the end of the earlier request for which request `i` waited, because `slots` requests kept the connection busy. */
function freedBy(requests: readonly RequestEvents[], i: number, slots: number): LoadEvent | undefined {
  const { start, sent } = requests[i]!;
  const ended = requests.slice(0, i).flatMap(({ end }) => (end.atUs <= sent.atUs + roundingUs ? [end] : []));
  const last = ended.reduce<LoadEvent | undefined>((a, b) => (a && a.atUs > b.atUs ? a : b), undefined);
  if (slots === 1) return last;
  if (!last || last.atUs <= start.atUs + roundingUs) return undefined;
  const isBusy = ({ atUs }: LoadEvent) =>
    sent.atUs - atUs <= handingUs &&
    requests.filter((one) => one.sent.atUs < atUs && one.end.atUs >= atUs).length >= slots;
  return ended.some(isBusy) ? last : undefined;
}

/** Whether a request may have waited for this file: Chromium delays some requests until the head's scripts and style sheets have arrived. */
const mayHold = ({ request, end }: RequestEvents, start: LoadEvent, sent: LoadEvent) =>
  isCode(request) && end.atUs > start.atUs && end.atUs <= sent.atUs + roundingUs;

/** Whether a request may have waited for another request's end: while the head's code loads, Chromium loads only two or three images at a time. */
const letsGo = (
  { request, end }: RequestEvents,
  start: LoadEvent,
  sent: LoadEvent,
  all: readonly RequestEvents[],
): boolean =>
  request.endMs !== null &&
  end.atUs > start.atUs + roundingUs &&
  end.atUs <= sent.atUs + roundingUs &&
  sent.atUs - end.atUs <= handingUs &&
  all.some((one) => isCode(one.request) && one.sent.atUs < sent.atUs && one.end.atUs > sent.atUs + roundingUs);

const isCode = ({ path, mediaType }: RequestEvidence) =>
  mediaType === undefined ? /\.(m?js|css)(?:\?|$)/.test(path) : /javascript|ecmascript|\/css/.test(mediaType);

/** Finds what opened a connection: its first request and what delayed this request, or an earlier request that then used another connection. */
function openers(
  first: RequestEvents | undefined,
  all: readonly RequestEvents[],
  syn: LoadEvent,
  begin: LoadEvent,
): LoadEvent[] {
  const known = [first, ...all].flatMap((one) => (one && one.start.atUs <= syn.atUs + roundingUs ? [one.start] : []));
  if (!first || known[0] !== first.start) return [known.sort((a, b) => b.atUs - a.atUs)[0] ?? begin];
  return [first.start, ...all.filter((one) => mayHold(one, first.start, syn)).map(({ end }) => end)];
}

/** A script requests what it finds in a fetched file within this time after the file's arrival: the length of a long task. */
const foundUs = 1000 * tolerance.browserMs;

/** Whether a request may come from this response: from a script, style sheet or frame, or, soon after a script's fetch, from the fetched data. */
function mayHaveFound({ request, end }: RequestEvents, found: LoadEvent): boolean {
  if (isCode(request) || (request.mediaType === "text/html" && request.status === 200)) return true;
  const isFetched = request.initiator === "script" && request.nonBlocking === true && request.bytes > 0;
  return isFetched && found.atUs - end.atUs <= foundUs;
}

/** Finds why the browser requested each file: redirects led to the document, and the arriving document or other responses named the other files. */
function discover(requests: readonly RequestEvents[], all: readonly Connection[], begin: LoadEvent): void {
  const asked = documentRequests(requests.map(({ request }) => request));
  const chain = asked.flatMap((one) => requests.find(({ request }) => request === one) ?? []);
  const document = chain.at(-1);
  if (!document) return;
  for (const [i, { start }] of chain.entries()) start.causes.push({ from: chain[i - 1]?.end ?? begin, takes: [] });
  const { answersOf } = all.find((one) => one.requests.includes(document))!;
  const ofDocument = answersOf(document.request).filter(({ delivered }) => delivered.atUs <= document.end.atUs);
  for (const one of requests) {
    if (chain.includes(one)) continue;
    const { start } = one;
    start.causes.push({ from: begin, takes: [] });
    const came = readAt(ofDocument, start.atUs + roundingUs)?.delivered;
    const ends = requests
      .filter(
        (other) => other.end.atUs <= start.atUs + roundingUs && (other === document || mayHaveFound(other, start)),
      )
      .map(({ end }) => end);
    for (const from of [...(came ? [came] : []), ...ends]) start.causes.push({ from, takes: [] });
  }
}
