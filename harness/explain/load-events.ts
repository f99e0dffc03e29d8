/** A load as a graph of events, from its line and its trace. */
import type { ConnectionEvidence, LinkEvidence, RequestEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { type TracedConnection, tracedConnections } from "./connections.ts";
import { event, type LoadEvent } from "./event.ts";
import {
  type Delivery,
  deliveries,
  type FlowEvents,
  packetEvents,
  readAt,
  serverCauses,
  windowCause,
} from "./flow-events.ts";
import { linkArrivals } from "./link-events.ts";
import { Arrived } from "./recovery.ts";

/** The browser's moments are of a tenth of a millisecond, and so is what lies between two of its clocks. */
const roundingUs = 200;

export interface RequestEvents {
  request: RequestEvidence;
  start: LoadEvent;
  sent: LoadEvent;
  end: LoadEvent;
}

export interface Connection {
  flow: FlowEvents;
  /** What the client could read, and what the server could. */
  answers: Delivery[];
  questions: Delivery[];
  requests: RequestEvents[];
  evidence: ConnectionEvidence;
  /** One request after another: over HTTP/1.1, where each may go over any of its host's connections. */
  isSerial: boolean;
}

export interface LoadGraph {
  /** The load event, from which all that it waited for follows. */
  end: LoadEvent;
  connections: Connection[];
}

/** @returns null for a load whose line or trace cannot tell */
export function loadGraph({ evidence, pageLoadMs }: GoodLoad, trace: Trace): LoadGraph | null {
  const connections = tracedConnections(evidence.connections, trace);
  const requested = evidence.connections.flatMap(({ requests }) => requests);
  if (connections.flatMap(({ requests }) => requests).length < requested.length) return null;
  const start = event(0, "the navigation starts", "browser");
  const flows = packetsOf(connections, trace, evidence.link);
  const all = connections.map((connection, i) => connectionEvents(connection, flows[i]!, trace));
  const requests = all.flatMap((one) => one.requests);
  for (const connection of all) {
    clientCauses(connection, requests, start);
    serverCauses(
      connection.flow,
      connection.questions.filter(({ packet }) => packet.asks),
    );
  }
  discover(requests, all, start);
  const loadUs = 1000 * pageLoadMs;
  const awaited = requests.filter(({ request, end }) => !request.nonBlocking && end.atUs <= loadUs + roundingUs);
  const causes = awaited.map(({ end }) => ({ from: end, takes: [] }));
  return { end: event(loadUs, "the load event", "browser", { causes }), connections: all };
}

/** All flows share the link: each packet's arrival depends on those ahead of it, whosever they are. */
function packetsOf(connections: readonly TracedConnection[], trace: Trace, link: LinkEvidence): FlowEvents[] {
  const flows = connections.map((connection, number) => {
    const of = { number, name: `connection ${number + 1} to ${connection.evidence.host}` };
    const openedUs = openedAt(connection, trace);
    const down = packetEvents(connection.down, "answer", of, openedUs, 1000 * link.down.atStart.delayMs);
    return { ...of, down, up: packetEvents(connection.up, "request", of, openedUs, 1000 * link.up.atStart.delayMs) };
  });
  const sent = (side: "down" | "up") => flows.flatMap((flow) => flow[side].packets);
  linkArrivals(sent("down"), link.down.atStart);
  linkArrivals(sent("up"), link.up.atStart);
  return flows;
}

/** When the client had what it needs of the server to send its first request; before that all is handshake. */
function openedAt({ requests, down, up }: TracedConnection, { firstRequestUs }: Trace): number {
  const handedUs = firstRequestUs + 1000 * requests[0]!.sentMs! - roundingUs;
  const askedUs = up.find(({ bytes, sentUs }) => bytes > 0 && sentUs >= handedUs)?.sentUs ?? handedUs;
  const answers = new Arrived(down.filter(({ bytes, syn }) => bytes > 0 || syn));
  return answers.lastAt(askedUs)?.arrivedUs ?? askedUs;
}

function connectionEvents(
  { requests: told, evidence }: TracedConnection,
  flow: FlowEvents,
  { firstRequestUs }: Trace,
): Connection {
  const us = (ms: number) => firstRequestUs + 1000 * ms;
  const requests = told.map((request) => ({
    request,
    start: event(us(request.startMs), `the browser finds ${request.path}`, "browser"),
    sent: event(us(request.sentMs!), `${request.path} is handed to ${flow.name}`, "browser", { flow: flow.number }),
    end: event(us(request.endMs ?? request.sentMs!), `${request.path} is whole`, "browser"),
  }));
  return {
    evidence,
    isSerial: requests.every((_, i) => isAlone(requests, i)),
    requests,
    flow,
    answers: deliveries(flow.down.packets, flow.up.all),
    questions: deliveries(flow.up.packets, flow.down.all),
  };
}

/** A request's packet leaves within this of its being handed to the connection: the browser writes it from another thread. */
const handingUs = 5000;

/** And it may have left so long before another of the browser's processes notes that it was handed over. */
const notedUs = 1000;

/** What let the client send, and what ended its requests. */
function clientCauses(
  { flow, answers, requests, isSerial }: Connection,
  all: readonly RequestEvents[],
  begin: LoadEvent,
): void {
  let [waiting, next] = [false, 0];
  for (const packet of flow.up.packets) {
    const { sent, sentUs, syn, bytes } = packet;
    const read = readAt(answers, sentUs)?.delivered;
    const room = windowCause(packet, flow.up, flow.down);
    while (next < requests.length && requests[next]!.sent.atUs <= sentUs + notedUs) next++;
    const handed = requests[next - 1]?.sent;
    // Beside requests a client sends what needs no answer, such as HTTP/2's windows.
    const isRequest = handed && (sentUs - handed.atUs <= handingUs || (waiting && room.length > 0));
    packet.asks = syn || (bytes > 0 && (sent.opening || Boolean(isRequest)));
    if (bytes > 0) waiting = Boolean(isRequest);
    const [first] = requests;
    if (syn) sent.causes = openers(first, all, sent, begin).map((from) => ({ from, takes: [] }));
    else if (bytes > 0 && !sent.opening && isRequest) sent.causes = [{ from: handed, takes: [] }, ...room];
    else sent.causes = [{ from: read ?? flow.up.packets[0]!.sent, takes: [] }];
  }
  for (const [i, one] of requests.entries())
    requestCauses(one, isSerial ? requests.slice(0, i) : [], i === 0, answers, all);
}

/** @param earlier those that its connection was busy with before, if it does one after another */
function requestCauses(
  { request, start, sent, end }: RequestEvents,
  earlier: readonly RequestEvents[],
  isFirst: boolean,
  answers: readonly Delivery[],
  all: readonly RequestEvents[],
): void {
  const holders = all.filter((one) => mayHold(one, start, sent)).map((one) => one.end);
  // What the browser holds back for scripts and style sheets waits for them before it waits for a connection.
  const since = [start, ...holders].reduce((last, one) => (one.atUs > last.atUs ? one : last));
  sent.causes = [start, ...holders].map((from) => ({ from, takes: [] }));
  const opened = isFirst ? readAt(answers, sent.atUs + roundingUs)?.delivered : undefined;
  const before = earlier.findLast((one) => one.end.atUs <= sent.atUs + roundingUs)?.end;
  if (opened) sent.causes.push({ from: opened, takes: [] });
  if (before) sent.causes.push({ from: before, takes: [], counts: { part: "waiting", since } });
  if (request.endMs === null) return;
  const last = readAt(answers, end.atUs + roundingUs)?.delivered;
  end.causes = [{ from: last ?? sent, takes: [] }];
}

/** Nothing else is under way on its connection when a request is sent. Where that holds for all, it is HTTP/1.1, and one waits for another. */
const isAlone = (requests: readonly RequestEvents[], i: number) =>
  requests.every(({ end }, j) => j >= i || end.atUs <= requests[i]!.sent.atUs + roundingUs);

/** A browser sends some of its requests only when scripts and style sheets of the head are there (Chromium's resource scheduler). */
const mayHold = ({ request, end }: RequestEvents, start: LoadEvent, sent: LoadEvent) =>
  isCode(request) && end.atUs > start.atUs && end.atUs <= sent.atUs + roundingUs;

const isCode = ({ path }: RequestEvidence) => /\.(m?js|css)$/.test(path);

/** What a connection is opened for: its first request or, where the browser opened it before it had one for it, one that it had; and what held that request. */
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

/** A browser finds what it needs in the document, as it comes, and in scripts and style sheets. */
function discover(requests: readonly RequestEvents[], all: readonly Connection[], begin: LoadEvent): void {
  const [document] = requests.toSorted((a, b) => a.start.atUs - b.start.atUs);
  if (!document) return;
  const { answers } = all.find((one) => one.requests.includes(document))!;
  const ofDocument = answers.filter(({ delivered }) => delivered.atUs <= document.end.atUs);
  const finders = requests.filter((one) => one === document || isCode(one.request));
  for (const { start } of requests) {
    start.causes.push({ from: begin, takes: [] });
    if (start === document.start) continue;
    const came = readAt(ofDocument, start.atUs + roundingUs)?.delivered;
    const ends = finders.map(({ end }) => end).filter(({ atUs }) => atUs <= start.atUs + roundingUs);
    for (const from of [...(came ? [came] : []), ...ends]) start.causes.push({ from, takes: [] });
  }
}
