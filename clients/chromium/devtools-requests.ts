/** What the browser says of a load's requests, by the DevTools protocol. */

import type { CDPSession, Protocol as DevTools, Page } from "puppeteer-core";
import { caching } from "../../schema/caching.ts";
import type {
  CachedAnswer,
  ClientEvidence,
  ConnectionEvidence,
  RequestEvidence,
  UnansweredRequest,
} from "../../schema/evidence.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** What the requests alone say. */
export type RequestsEvidence = Omit<ClientEvidence, "timing">;

/** What was seen until some moment. */
export interface FollowedRequests {
  /** Of the first request, milliseconds since the epoch; null when there was none. */
  firstRequestMs: number | null;
  /** @param loadMs the moment of the load event, if there was one */
  evidence(loadMs?: number): RequestsEvidence;
}

interface Followed {
  url: string;
  /** Whether a load event waits for such requests. */
  awaited: boolean;
  by: RequestEvidence["by"];
  sentAt: number;
  response?: DevTools.Network.Response;
  finishedAt?: number;
  bytes?: number;
  /** What the client had kept is good yet: of such an answer the response has the kept status. */
  notModified?: boolean;
  failure?: string;
}

/** Those that a load event waits for. HTML, section 8.3; a font and a style sheet by their loaders. */
const awaited: ReadonlySet<string | undefined> = new Set(["Document", "Stylesheet", "Image", "Font", "Script"]);
const notModified = 304;
type Sent = DevTools.Network.RequestWillBeSentEvent;

/** What asked, if not the markup: a script, or a style sheet that a document's layout came to need. */
function askedBy({ type, initiator }: Sent, documents: ReadonlySet<string>): RequestEvidence["by"] {
  if (initiator.type === "script") return "script";
  if (type === "Font") return "style"; // layout asks for it, wherever its rule stands
  const fromSheet = initiator.url !== undefined && !documents.has(initiator.url);
  return fromSheet && type === "Image" ? "style" : undefined;
}

/** Follow a page's requests. @returns what was seen so far, when called */
export async function followRequests(page: Page): Promise<() => FollowedRequests> {
  const session: CDPSession = await page.createCDPSession();
  const requests = new Map<string, Followed>();
  const documents = new Set<string>();
  let failed = 0;
  let userAgent: string | null = null;
  let firstRequestMs: number | null = null;
  const followed = (id: string, news: Partial<Followed>) => void Object.assign(requests.get(id) ?? {}, news);
  session.on("Network.requestWillBeSent", (event) => {
    const { requestId, request, timestamp, wallTime, redirectResponse } = event;
    firstRequestMs ??= wallTime * 1000;
    const before = requests.get(requestId);
    if (before && redirectResponse) {
      const { encodedDataLength: bytes } = redirectResponse;
      requests.set(`${requestId} ${requests.size}`, {
        ...before,
        response: redirectResponse,
        finishedAt: timestamp,
        bytes,
      });
      requests.delete(requestId);
    }
    const { url } = request;
    if (event.type === "Document") documents.add(url);
    const [isAwaited, by] = [awaited.has(event.type), askedBy(event, documents)];
    if (/^https?:/.test(url)) requests.set(requestId, { url, awaited: isAwaited, by, sentAt: timestamp });
    userAgent ??= request.headers["User-Agent"] ?? null;
  });
  // What is there already asks nobody.
  session.on("Network.requestServedFromCache", ({ requestId }) => void requests.delete(requestId));
  session.on("Network.responseReceived", ({ requestId, response }) => followed(requestId, { response }));
  session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) =>
    followed(requestId, { notModified: statusCode === notModified }),
  );
  session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) =>
    followed(requestId, { finishedAt: timestamp, bytes: encodedDataLength }),
  );
  session.on("Network.loadingFailed", ({ requestId, timestamp, errorText, blockedReason }) => {
    failed++;
    const bytes = requests.get(requestId)?.response?.encodedDataLength ?? 0;
    followed(requestId, { finishedAt: timestamp, bytes, failure: blockedReason ?? errorText });
  });
  await session.send("Network.enable");
  return () => {
    const seen = [...requests.values()].map((request) => ({ ...request }));
    const soFar = { userAgent: userAgent ?? "", failed };
    return { firstRequestMs, evidence: (loadMs) => ({ ...soFar, ...summarise(seen, loadMs) }) };
  };
}

function summarise(requests: Followed[], loadMs?: number): Omit<RequestsEvidence, "userAgent" | "failed"> {
  const start = requests[0]?.sentAt ?? 0;
  const sinceStart = (timestamp: number) => Math.round((timestamp - start) * 1e4) / 10;
  const connections = new Map<string, ConnectionEvidence>();
  const unanswered: UnansweredRequest[] = [];
  const fetched = new Set(requests.flatMap(({ response }) => (response?.connectionId ? [response.url] : [])));
  const cached: CachedAnswer[] = [];
  for (const request of requests) {
    const { url: asked, awaited: waited, by, sentAt, response, finishedAt, bytes = 0, failure } = request;
    const [startMs, endMs] = [sinceStart(sentAt), finishedAt === undefined ? null : sinceStart(finishedAt)];
    const late = loadMs !== undefined && (endMs === null || endMs > loadMs + tolerance.earlyMs);
    const beside = late || !waited ? ({ beside: true } as const) : {};
    if (!response) {
      unanswered.push({ url: asked, why: failure ?? "", ...beside });
      continue;
    }
    const { url, connectionId, fromDiskCache, fromPrefetchCache, headers, timing } = response;
    if (!connectionId && fetched.has(url)) continue; // from what this load had fetched itself: nobody is asked twice
    const { pathname: path, hostname: host } = new URL(url);
    if (fromDiskCache || fromPrefetchCache) {
      const said = headerOf(headers, caching.header) ?? "";
      cached.push({ host, path, status: response.status, caching: said, ...(by && { by }), ...beside });
      continue;
    }
    const status = request.notModified ? notModified : response.status;
    const given = failure === undefined ? {} : ({ failed: true } as const);
    const since = (ms: number) => sinceStart(timing!.requestTime + ms / 1000);
    const moments = timing && { sentMs: since(timing.sendStart), answeredMs: since(timing.receiveHeadersEnd) };
    const times = { startMs, endMs, ...moments };
    addTo(connections, response, { path, status, bytes, ...times, ...(by && { by }), ...beside, ...given });
  }
  return {
    requests: requests.length - cached.length,
    fromCache: cached.length,
    receivedBytes: requests.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    connections: [...connections.values()],
    ...(unanswered.length ? { unanswered } : {}),
    ...(cached.length ? { cached } : {}),
  };
}

/** To the connection that the answer came over. */
function addTo(
  connections: Map<string, ConnectionEvidence>,
  response: DevTools.Network.Response,
  request: RequestEvidence,
): void {
  const { url, connectionId: id, protocol = "?", remoteIPAddress, remotePort, headers, securityDetails } = response;
  const { hostname: host } = new URL(url);
  const key = `${id} ${host} ${protocol}`;
  const address = `${remoteIPAddress}:${remotePort}`;
  const tls = securityDetails && {
    tls: { version: securityDetails.protocol, group: securityDetails.keyExchangeGroup ?? "" },
  };
  const connection = connections.get(key) ?? { id, host, address, protocol, software: [], ...tls, requests: [] };
  const { software } = connection;
  const named = headerOf(headers, "server");
  if (named !== undefined && !software!.includes(named)) software!.push(named);
  connection.requests.push(request);
  connections.set(key, connection);
}

/** Names of headers are lower case over HTTP/2, and as the server wrote them before. */
const headerOf = (headers: DevTools.Network.Headers, asked: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === asked.toLowerCase())?.[1];
