/** What Firefox reports about a load's requests through WebDriver BiDi. */
import type { EventEmitter } from "node:events";
import type { Page } from "puppeteer-core";
import { caching } from "../../schema/caching.ts";
import { announcementHeader } from "../../schema/discovery.ts";
import type { ConnectionEvidence } from "../../schema/evidence.ts";
import type { FollowRequests } from "../chromium/cold-load.ts";
import { noteAnnouncement, type RequestsEvidence } from "../chromium/requests-evidence.ts";

interface Header {
  name: string;
  value: { value: string };
}

/** The fields of network events that the lab reads (https://www.w3.org/TR/webdriver-bidi/#module-network). Times are ms since the epoch. */
interface NetworkEvent {
  request: {
    request: string;
    url: string;
    headers: Header[];
    timings: { requestTime: number; requestStart: number; responseStart: number; responseEnd: number };
  };
  response?: {
    protocol: string;
    status: number;
    fromCache: boolean;
    bytesReceived: number;
    mimeType: string;
    headers: Header[];
  };
}
type Answered = Required<NetworkEvent>;

/** Returns the object on which Puppeteer emits the protocol's events. Puppeteer does not export its type. */
export const connectionOf = (page: Page) => (page.browser() as unknown as { connection: EventEmitter }).connection;

/** Observes the requests of all pages, so no other page may be open. */
export const followRequests: FollowRequests = async (page) => {
  const events = connectionOf(page);
  const begun = new Map<string, NetworkEvent>();
  const ended: Answered[] = [];
  let failed = 0;
  const listeners: Record<string, (event: NetworkEvent) => void> = {
    "network.beforeRequestSent": (event) =>
      void (/^https?:/.test(event.request.url) && begun.set(event.request.request, event)),
    "network.responseCompleted": (event) =>
      void (event.response && begun.has(event.request.request) && ended.push(event as Answered)),
    "network.fetchError": () => void failed++,
  };
  for (const [name, listener] of Object.entries(listeners)) events.on(name, listener);
  page.once("close", () => {
    for (const [name, listener] of Object.entries(listeners)) events.off(name, listener);
  });
  const soFar = () => {
    const answered = [...ended];
    const fresh = answered.filter(({ response }) => !response.fromCache);
    const silent = [...begun.values()].filter(
      ({ request }) => !answered.some((one) => one.request.request === request.request),
    );
    const firstRequestMs = fresh.length ? Math.min(...fresh.map(({ request }) => request.timings.requestTime)) : null;
    const userAgent = headerOf([...begun.values()][0]?.request.headers ?? [], "user-agent") ?? "";
    const unanswered = silent.map(({ request: { url } }) => ({ url, why: "" }));
    return {
      firstRequestMs,
      evidence: () => ({
        userAgent,
        requests: fresh.length + silent.length,
        failed,
        ...summarise(fresh, firstRequestMs ?? 0),
        ...cachedOf(answered, fresh),
        ...(unanswered.length ? { unanswered } : {}),
      }),
    };
  };
  return { soFar, catchUp: async () => {} }; // all events arrive in one session, in order
};

/** After this load has fetched an image, Firefox reports the image once more when an element uses it. Such a report is not a request. */
function cachedOf(answered: Answered[], fresh: Answered[]): Pick<RequestsEvidence, "fromCache" | "cached"> {
  const fetched = new Set(fresh.map(({ request }) => request.url));
  const kept = answered.filter(({ request, response }) => response.fromCache && !fetched.has(request.url));
  const cached = kept.map(({ request, response: { status, headers } }) => {
    const { hostname: host, pathname: path } = new URL(request.url);
    return { host, path, status, caching: headerOf(headers, caching.header) ?? "" };
  });
  return { fromCache: cached.length, ...(cached.length ? { cached } : {}) };
}

/** Groups requests by connection. BiDi reports neither connection nor address, so each host and protocol counts as one connection. */
function summarise(fresh: Answered[], startMs: number): Pick<RequestsEvidence, "receivedBytes" | "connections"> {
  const sinceStart = (timeMs: number) => Math.round((timeMs - startMs) * 10) / 10;
  const connections = new Map<string, ConnectionEvidence>();
  for (const { request, response } of fresh) {
    const { hostname: host, pathname: path } = new URL(request.url);
    const { protocol, status, bytesReceived: bytes, mimeType } = response;
    const key = `${host} ${protocol}`;
    const connection = connections.get(key) ?? { id: null, host, address: null, protocol, software: [], requests: [] };
    const software = headerOf(response.headers, "server");
    if (software !== undefined && !connection.software!.includes(software)) connection.software!.push(software);
    noteAnnouncement(connection, headerOf(response.headers, announcementHeader));
    const { requestTime, requestStart, responseStart, responseEnd } = request.timings;
    const priority = headerOf(request.headers, "priority");
    connection.requests.push({
      path,
      status,
      bytes,
      startMs: sinceStart(requestTime),
      endMs: responseEnd > 0 ? sinceStart(responseEnd) : null,
      sentMs: sinceStart(requestStart),
      answeredMs: sinceStart(responseStart),
      ...(mimeType && { mediaType: mimeType.split(";", 1)[0]!.trim().toLowerCase() }),
      ...(priority !== undefined && { priority }),
    });
    connections.set(key, connection);
  }
  const receivedBytes = fresh.reduce((sum, { response }) => sum + response.bytesReceived, 0);
  return { receivedBytes, connections: [...connections.values()] };
}

const headerOf = (headers: readonly Header[], wanted: string) =>
  headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value.value;
