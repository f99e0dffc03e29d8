/** What the browser reports of a load's requests through the DevTools protocol. */
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

/** The part of the client's evidence that comes from requests. */
export type RequestsEvidence = Omit<ClientEvidence, "timing">;

/** The requests up to some moment. */
export interface FollowedRequests {
  /** Time of the first request, since the epoch; null when there was none. */
  firstRequestMs: number | null;
  /** @param loadMs the time of the load event, if there was one */
  evidence(loadMs?: number): RequestsEvidence;
}

/** Follows a page's requests. */
export interface RequestsFollower {
  soFar(): FollowedRequests;
  /** Waits for all events that the browser has sent. The load event may arrive before those of the requests that it waited for. */
  catchUp(): Promise<void>;
}

interface Followed {
  url: string;
  /** Whether the load event waits for requests of this type. */
  awaited: boolean;
  initiator: RequestEvidence["initiator"];
  sentAt: number;
  response?: DevTools.Network.Response;
  finishedAt?: number;
  bytes?: number;
  /** The server answered 304; the response then has the status of the cached copy. */
  notModified?: boolean;
  failure?: string;
}

/** Types of requests that the load event waits for (HTML, section 8.3; fonts and style sheets by their loaders). */
const awaited: ReadonlySet<string | undefined> = new Set(["Document", "Stylesheet", "Image", "Font", "Script"]);
const notModified = 304;
type Sent = DevTools.Network.RequestWillBeSentEvent;

/** The initiator, if it is not the markup: a script, or a style sheet's rule that layout applied. */
function initiatorOf({ type, initiator }: Sent, documents: ReadonlySet<string>): RequestEvidence["initiator"] {
  if (initiator.type === "script") return "script";
  if (type === "Font") return "style"; // layout requests it, also for a rule in the document
  const fromSheet = initiator.url !== undefined && !documents.has(initiator.url);
  return fromSheet && type === "Image" ? "style" : undefined;
}

/** Observes a page's requests from now on. */
export async function followRequests(page: Page): Promise<RequestsFollower> {
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
    const [isAwaited, initiator] = [awaited.has(event.type), initiatorOf(event, documents)];
    if (/^https?:/.test(url)) requests.set(requestId, { url, awaited: isAwaited, initiator, sentAt: timestamp });
    userAgent ??= request.headers["User-Agent"] ?? null;
  });
  // No request leaves the browser for these.
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
  const enable = () => session.send("Network.enable");
  await enable();
  return {
    soFar() {
      const seen = [...requests.values()].map((request) => ({ ...request }));
      const counted = { userAgent: userAgent ?? "", failed };
      return { firstRequestMs, evidence: (loadMs) => ({ ...counted, ...summarise(seen, loadMs) }) };
    },
    catchUp: enable, // within a session, an answer comes after earlier events
  };
}

/** Times are tenths of a millisecond, and their differences are only nearly so: 2606.3 is more than 2606.2 + 0.1. */
const tenths = (ms: number) => Math.round(ms * 10);

function summarise(requests: Followed[], loadMs?: number): Omit<RequestsEvidence, "userAgent" | "failed"> {
  const start = requests[0]?.sentAt ?? 0;
  const sinceStart = (timestamp: number) => Math.round((timestamp - start) * 1e4) / 10;
  const connections = new Map<string, ConnectionEvidence>();
  const unanswered: UnansweredRequest[] = [];
  const fetched = new Set(requests.flatMap(({ response }) => (response?.connectionId ? [response.url] : [])));
  const cached: CachedAnswer[] = [];
  for (const request of requests) {
    const { url: requested, awaited: waited, initiator, sentAt, response, finishedAt, bytes = 0, failure } = request;
    const [startMs, endMs] = [sinceStart(sentAt), finishedAt === undefined ? null : sinceStart(finishedAt)];
    const late = loadMs !== undefined && (endMs === null || tenths(endMs - loadMs) > tenths(tolerance.earlyMs));
    const nonBlocking = late || !waited ? ({ nonBlocking: true } as const) : {};
    if (!response) {
      unanswered.push({ url: requested, why: failure ?? "", ...nonBlocking });
      continue;
    }
    const { url, connectionId, fromDiskCache, fromPrefetchCache, headers, timing } = response;
    if (!connectionId && fetched.has(url)) continue; // this load had fetched it already
    const { pathname: path, hostname: host } = new URL(url);
    if (fromDiskCache || fromPrefetchCache) {
      const rule = headerOf(headers, caching.header) ?? "";
      cached.push({
        host,
        path,
        status: response.status,
        caching: rule,
        ...(initiator && { initiator }),
        ...nonBlocking,
      });
      continue;
    }
    const status = request.notModified ? notModified : response.status;
    const given = failure === undefined ? {} : ({ failed: true } as const);
    const encoding = headerOf(headers, "content-encoding");
    const since = (ms: number) => sinceStart(timing!.requestTime + ms / 1000);
    const moments = timing && { sentMs: since(timing.sendStart), answeredMs: since(timing.receiveHeadersEnd) };
    const times = { startMs, endMs, ...moments };
    addTo(connections, response, {
      path,
      status,
      bytes,
      ...times,
      ...(initiator && { initiator }),
      ...nonBlocking,
      ...(encoding !== undefined && { encoding }),
      ...given,
    });
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

/** Adds a request to the evidence of its connection. */
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
  const server = headerOf(headers, "server");
  if (server !== undefined && !software!.includes(server)) software!.push(server);
  connection.requests.push(request);
  connections.set(key, connection);
}

/** Header names are in lower case over HTTP/2, and as the server writes them over HTTP/1.1. */
const headerOf = (headers: DevTools.Network.Headers, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
