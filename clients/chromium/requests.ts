/** What the browser says of a load's requests, by the DevTools protocol. */
import type { CDPSession, Protocol as DevTools, Page } from "puppeteer-core";

/** One answered request. Times from the first request on. */
export interface RequestEvidence {
  path: string;
  status: number;
  /** Received with headers, after TLS (CDP encodedDataLength). */
  bytes: number;
  startMs: number;
  /** When its last byte was there; null when it never was. */
  endMs: number | null;
}

/** Requests that shared a connection. */
export interface ConnectionEvidence {
  /** As the browser numbers it; 0 for what came over no connection. */
  id: number;
  host: string;
  /** "198.18.1.11:4432" */
  address: string;
  /** ALPN identifier, as the browser reports it. */
  protocol: string;
  requests: RequestEvidence[];
}

export interface BrowserEvidence {
  /** Requests the browser sent, and those that failed. */
  requests: number;
  failed: number;
  /** Responses that came from a cache. */
  fromCache: number;
  receivedBytes: number;
  connections: ConnectionEvidence[];
}

interface Followed {
  sentAt: number;
  response?: DevTools.Network.Response;
  finishedAt?: number;
  bytes?: number;
}

/** Follow a page's requests. @returns what was seen so far, when called */
export async function followRequests(page: Page): Promise<() => BrowserEvidence> {
  const session: CDPSession = await page.createCDPSession();
  const requests = new Map<string, Followed>();
  let failed = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    if (!request.url.startsWith("data:")) requests.set(requestId, { sentAt: timestamp });
  });
  const followed = (id: string, news: Partial<Followed>) => void Object.assign(requests.get(id) ?? {}, news);
  session.on("Network.responseReceived", ({ requestId, response }) => followed(requestId, { response }));
  session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) =>
    followed(requestId, { finishedAt: timestamp, bytes: encodedDataLength }),
  );
  session.on("Network.loadingFailed", () => void failed++);
  await session.send("Network.enable");
  return () => summarise([...requests.values()], failed);
}

function summarise(requests: Followed[], failed: number): BrowserEvidence {
  const start = requests[0]?.sentAt ?? 0;
  const sinceStart = (timestamp: number) => Math.round((timestamp - start) * 1e4) / 10;
  const connections = new Map<string, ConnectionEvidence>();
  let fromCache = 0;
  for (const { sentAt, response, finishedAt, bytes = 0 } of requests) {
    if (!response) continue;
    const {
      url,
      status,
      connectionId: id,
      protocol = "?",
      remoteIPAddress,
      remotePort,
      fromDiskCache,
      fromPrefetchCache,
    } = response;
    if (fromDiskCache || fromPrefetchCache) fromCache++;
    const { hostname: host, pathname: path } = new URL(url);
    const key = `${id} ${host} ${protocol}`;
    const connection = connections.get(key) ?? {
      id,
      host,
      address: `${remoteIPAddress}:${remotePort}`,
      protocol,
      requests: [],
    };
    connection.requests.push({
      path,
      status,
      bytes,
      startMs: sinceStart(sentAt),
      endMs: finishedAt === undefined ? null : sinceStart(finishedAt),
    });
    connections.set(key, connection);
  }
  return {
    requests: requests.length,
    failed,
    fromCache,
    receivedBytes: requests.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    connections: [...connections.values()],
  };
}
