/** Converts a load's requests to the form in which its evidence lists them. */
import type { CDPSession, Protocol as DevTools } from "puppeteer-core";
import { caching } from "../../schema/caching.ts";
import { announcementHeader, announcingAlpn, type EarlierVisit, http3Alpn } from "../../schema/discovery.ts";
import type {
  CachedAnswer,
  ClientEvidence,
  ConnectionEvidence,
  RequestEvidence,
  UnansweredRequest,
} from "../../schema/evidence.ts";
import { hostAndPathOf } from "../../schema/recorded-names.ts";
import { tolerance } from "../../schema/tolerances.ts";

export type RequestsEvidence = Omit<ClientEvidence, "timing">;

/** What is known about a request so far. */
export interface Followed {
  url: string;
  /** The browser's name for the request's type, such as "Script". */
  type: string | undefined;
  /** Whether the load event waits for requests of this type. */
  awaited: boolean;
  initiator: RequestEvidence["initiator"];
  sentAt: number;
  response?: DevTools.Network.Response;
  finishedAt?: number;
  /** Bytes of the body so far. Once the request has ended, `bytes` is the response's total. */
  bodyBytes: number;
  bytes?: number;
  /** The status on the network. If the server confirmed a cached copy (304), `response` has the status of that copy instead. */
  status?: number;
  /** The request's `priority` header. */
  priority?: string;
  failure?: string;
  session: CDPSession;
}

const notModified = 304;
/** The status assumed for a worker's script whose response the browser does not report: with any other status the script would have failed. */
const ok = 200;

/** Times are in tenths of a millisecond, but floating-point sums are inexact (2606.3 > 2606.2 + 0.1), so whole tenths are compared. */
const tenths = (ms: number) => Math.round(ms * 10);

export function requestsEvidence(
  requests: readonly Followed[],
  loadMs?: number,
): Omit<RequestsEvidence, "userAgent" | "failed"> {
  const connections = new Map<string, ConnectionEvidence>();
  const unanswered: UnansweredRequest[] = [];
  const cached: CachedAnswer[] = [];
  const workerScripts: Followed[] = [];
  const fetched = new Set(requests.flatMap(({ response }) => (response?.connectionId ? [response.url] : [])));
  const timesOf = timesFrom(requests[0]?.sentAt ?? 0, loadMs);
  for (const request of requests) {
    const { url, type, response, finishedAt, failure, initiator } = request;
    const { nonBlocking } = timesOf(request);
    const marks = { ...(initiator && { initiator }), ...(nonBlocking && { nonBlocking }) };
    const hasEnded = finishedAt !== undefined && failure === undefined;
    if (!response && !hasEnded) unanswered.push({ url, why: failure ?? "", ...(nonBlocking && { nonBlocking }) });
    else if (response && !response.connectionId && fetched.has(response.url))
      continue; // this load has already fetched this URL
    // The browser sets `fromPrefetchCache` also on the request that fills the prefetch cache.
    else if (response?.fromDiskCache || (response?.fromPrefetchCache && type !== "Prefetch"))
      cached.push({ ...cachedAnswer(response), ...marks });
    else if (response?.connectionId)
      connectionOf(connections, response).requests.push(answered(request, response, timesOf(request)));
    else workerScripts.push(request);
  }
  for (const request of workerScripts) {
    // The browser reports no connection for workers' scripts, and no response for some. They use one of the page's connections to their host.
    const { url, response = { url, status: ok, headers: {} } } = request;
    const { host: named } = hostAndPathOf(url);
    const own = [...connections.values()].find(({ host }) => host === named);
    if (own) own.requests.push(answered(request, response, { ...timesOf(request), nonBlocking: true }));
    else unanswered.push({ url, why: "", nonBlocking: true });
  }
  const all = [...connections.values()].flatMap((connection) => connection.requests);
  return {
    requests: all.length + unanswered.length,
    fromCache: cached.length,
    receivedBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    connections: [...connections.values()],
    ...(unanswered.length ? { unanswered } : {}),
    ...(cached.length ? { cached } : {}),
  };
}

type Times = Pick<RequestEvidence, "startMs" | "endMs" | "sentMs" | "answeredMs" | "nonBlocking">;

/** Returns a function that converts a request's times to ms since the first request. */
const timesFrom = (start: number, loadMs: number | undefined) => {
  const sinceStart = (timestamp: number) => Math.round((timestamp - start) * 1e4) / 10;
  return ({ awaited, sentAt, finishedAt, response }: Followed): Times => {
    const endMs = finishedAt === undefined ? null : sinceStart(finishedAt);
    const late = loadMs !== undefined && (endMs === null || tenths(endMs - loadMs) > tenths(tolerance.earlyMs));
    const { timing } = response ?? {};
    const since = (ms: number) => sinceStart(timing!.requestTime + ms / 1000);
    const moments = timing && { sentMs: since(timing.sendStart), answeredMs: since(timing.receiveHeadersEnd) };
    return {
      ...{ startMs: sinceStart(sentAt), endMs, ...moments },
      ...(late || !awaited ? { nonBlocking: true } : {}),
    };
  };
};

type Answer = Pick<DevTools.Network.Response, "url" | "status" | "headers">;

function answered(request: Followed, { url, status, headers }: Answer, times: Times): RequestEvidence {
  const { initiator, response, bytes, bodyBytes, priority, failure } = request;
  const { nonBlocking, ...moments } = times;
  const encoding = headerOf(headers, "content-encoding");
  return {
    path: hostAndPathOf(url).path,
    status: request.status === notModified ? notModified : status,
    bytes: bytes ?? (response?.encodedDataLength ?? 0) + bodyBytes,
    ...moments,
    ...(initiator && { initiator }),
    ...(nonBlocking && { nonBlocking }),
    ...(encoding !== undefined && { encoding }),
    ...(response?.mimeType && { mediaType: response.mimeType }),
    ...(priority !== undefined && { priority }),
    ...(failure === undefined ? {} : { failed: true }),
  };
}

function cachedAnswer({ url, status, headers }: Answer): CachedAnswer {
  return { ...hostAndPathOf(url), status, caching: headerOf(headers, caching.header) ?? "" };
}

/** Adds a response's announcement of HTTP/3 (Alt-Svc) to its connection, unless the connection has it already. */
export function noteAnnouncement(connection: ConnectionEvidence, announced: string | undefined): void {
  if (announced === undefined || connection.altSvc?.includes(announced)) return;
  connection.altSvc = [...(connection.altSvc ?? []), announced];
}

export function earlierVisitOf({ connections }: Pick<ClientEvidence, "connections">): EarlierVisit {
  const responses: Record<string, number> = {};
  for (const { protocol, requests } of connections) responses[protocol] = (responses[protocol] ?? 0) + requests.length;
  return { responses, altSvc: [...new Set(connections.flatMap(({ altSvc = [] }) => altSvc))] };
}

function connectionOf(
  connections: Map<string, ConnectionEvidence>,
  response: DevTools.Network.Response,
): ConnectionEvidence {
  const { url, connectionId: id, remoteIPAddress, remotePort, headers, securityDetails } = response;
  const { host } = hostAndPathOf(url);
  // If the server confirms a cached copy, the browser reports the protocol that delivered this copy, but the TLS of the current connection.
  const isRevived = response.protocol === announcingAlpn && securityDetails?.protocol === "QUIC";
  const protocol = isRevived ? http3Alpn : (response.protocol ?? "?");
  const key = `${id} ${host} ${protocol}`;
  const address = `${remoteIPAddress}:${remotePort}`;
  const tls = securityDetails && {
    tls: { version: securityDetails.protocol, group: securityDetails.keyExchangeGroup ?? "" },
  };
  const connection = connections.get(key) ?? { id, host, address, protocol, software: [], ...tls, requests: [] };
  const server = headerOf(headers, "server");
  if (server !== undefined && !connection.software!.includes(server)) connection.software!.push(server);
  noteAnnouncement(connection, headerOf(headers, announcementHeader));
  connections.set(key, connection);
  return connection;
}

/** Finds a header's value. Ignores the case of names: they are in lower case over HTTP/2, but as the server writes them over HTTP/1.1. */
export const headerOf = (headers: DevTools.Network.Headers, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
