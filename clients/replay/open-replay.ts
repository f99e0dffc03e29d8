/** Makes a replay client's loads, and gathers their evidence. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientEvidence, ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import type { Failure } from "../../schema/failure.ts";
import { type Loaded, type LoadSteps, type OpenClient, timedOut, type Visit } from "../client.ts";
import type { Connection, Exchange } from "./host-connections.ts";
import { PageLoad, type PageLoadOptions } from "./page-load.ts";

export function openReplay(options: PageLoadOptions): OpenClient {
  const { userAgent } = options;
  return {
    version: userAgent,
    sandbox: true, // the client executes nothing that it loads
    async load<T>({ url, timeoutMs, connections, idleMs }: Visit, { prepare, begin, look }: LoadSteps<T>): Promise<T> {
      await prepare?.();
      await begin?.();
      const load = new PageLoad(url, { ...options, connections, idleMs });
      try {
        return await look(await loaded(load, userAgent, timeoutMs));
      } finally {
        load.close();
      }
    },
    onEnd() {}, // it runs in this process, so it never ends on its own
    async close() {},
  };
}

async function loaded(load: PageLoad, userAgent: string, timeoutMs: number): Promise<Loaded> {
  const clock = new AbortController();
  const late = sleep(timeoutMs, true, { signal: clock.signal }).catch(() => false);
  const isLate = await Promise.race([load.whole.then(() => false), late]);
  clock.abort();
  const failure = isLate ? timedOut(timeoutMs) : brokenTransfer(load.exchanges[0]!);
  const startedMs = performance.timeOrigin + load.startedMs;
  const beginnings = failure === null ? { navigationMs: startedMs, firstRequestMs: startedMs } : null;
  return { failure, evidence: evidenceOf(load, userAgent, failure === null), beginnings };
}

/** Only a failure of the document fails the load. */
const brokenTransfer = ({ url, failure }: Exchange): Failure | null =>
  failure ? { cause: "transfer broken", reason: `${url.href}: ${failure}` } : null;

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

function evidenceOf(load: PageLoad, userAgent: string, whole: boolean): ClientEvidence {
  const { exchanges } = load;
  const connections = load.connections.map((connection, id) => connectionEvidence(connection, id + 1, load));
  const unanswered = exchanges
    .filter(({ status }) => status === null)
    .map(({ url, failure }) => ({ url: url.href, why: failure ?? "" }));
  return {
    userAgent,
    requests: exchanges.length,
    failed: exchanges.filter(({ failure }) => failure !== null).length,
    fromCache: 0,
    receivedBytes: exchanges.reduce((sum, { bytes }) => sum + bytes, 0),
    connections: connections.filter(({ requests }) => requests.length > 0),
    ...(unanswered.length ? { unanswered } : {}),
    timing: whole ? timingOf(load) : {},
  };
}

function connectionEvidence(connection: Connection, id: number, load: PageLoad): ConnectionEvidence {
  const own = load.exchanges.filter((one) => one.connection === connection);
  const software = own.flatMap(({ server }) => server ?? []);
  const { hostname = "" } = own[0]?.url ?? {};
  return {
    id,
    host: hostname,
    address: connection.address,
    protocol: connection.protocol,
    software: [...new Set(software)],
    ...(connection.negotiated && { tls: connection.negotiated }),
    requests: own.filter(({ status }) => status !== null).map((one) => requestEvidence(one, load.startedMs)),
  };
}

const requestEvidence = (
  { url, status, bytes, startedMs, endedMs, failure }: Exchange,
  originMs: number,
): RequestEvidence => ({
  path: url.pathname,
  status: status!,
  bytes,
  startMs: rounded(startedMs - originMs),
  endMs: endedMs === null ? null : rounded(endedMs - originMs),
  ...(failure === null ? {} : { failed: true as const }),
});

/** Returns the times of Navigation Timing that exist without a browser. The page has loaded when the last byte has arrived. */
function timingOf({ exchanges, startedMs }: PageLoad): ClientEvidence["timing"] {
  const [html] = exchanges;
  const { connection, answeredMs, endedMs } = html!;
  const moments = {
    connectStart: connection?.connectMs,
    connectEnd: connection?.connectedMs,
    requestStart: connection?.connectedMs,
    responseStart: answeredMs,
    responseEnd: endedMs,
    loadEventStart: Math.max(...exchanges.map((one) => one.endedMs ?? 0)),
  };
  return Object.fromEntries(
    Object.entries(moments).flatMap(([name, ms]) => (ms == null ? [] : [[name, rounded(ms - startedMs)]])),
  );
}
