/** What the browser says of a load's requests, by the DevTools protocol. */

import type { CDPSession, Protocol as DevTools, Page } from "puppeteer-core";
import type { ClientEvidence, ConnectionEvidence } from "../../schema/evidence.ts";

/** What the requests alone say. */
export type RequestsEvidence = Omit<ClientEvidence, "timing">;

interface Followed {
  sentAt: number;
  response?: DevTools.Network.Response;
  finishedAt?: number;
  bytes?: number;
}

/** Follow a page's requests. @returns what was seen so far, when called */
export async function followRequests(page: Page): Promise<() => RequestsEvidence> {
  const session: CDPSession = await page.createCDPSession();
  const requests = new Map<string, Followed>();
  let failed = 0;
  let userAgent: string | null = null;
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    if (!request.url.startsWith("data:")) requests.set(requestId, { sentAt: timestamp });
    userAgent ??= request.headers["User-Agent"] ?? null;
  });
  const followed = (id: string, news: Partial<Followed>) => void Object.assign(requests.get(id) ?? {}, news);
  session.on("Network.responseReceived", ({ requestId, response }) => followed(requestId, { response }));
  session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) =>
    followed(requestId, { finishedAt: timestamp, bytes: encodedDataLength }),
  );
  session.on("Network.loadingFailed", () => void failed++);
  await session.send("Network.enable");
  return () => ({ userAgent: userAgent ?? "", failed, ...summarise([...requests.values()]) });
}

function summarise(requests: Followed[]): Omit<RequestsEvidence, "userAgent" | "failed"> {
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
      headers,
      securityDetails,
    } = response;
    if (fromDiskCache || fromPrefetchCache) fromCache++;
    const { hostname: host, pathname: path } = new URL(url);
    const key = `${id} ${host} ${protocol}`;
    const connection = connections.get(key) ?? {
      id,
      host,
      address: `${remoteIPAddress}:${remotePort}`,
      protocol,
      software: [],
      ...(securityDetails && {
        tls: { version: securityDetails.protocol, group: securityDetails.keyExchangeGroup ?? "" },
      }),
      requests: [],
    };
    const { software } = connection;
    const named = serverHeader(headers);
    if (named !== undefined && !software!.includes(named)) software!.push(named);
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
    fromCache,
    receivedBytes: requests.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    connections: [...connections.values()],
  };
}

/** Names of headers are lower case over HTTP/2, and as the server wrote them before. */
const serverHeader = (headers: DevTools.Network.Headers) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "server")?.[1];
