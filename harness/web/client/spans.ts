/** Describes a load's requests as bars on a time axis, by connection, with the times that the browser itself reports. */
import type { ConnectionView, EvidenceView } from "../data/detail.ts";

export type Phase = "connect" | "tls" | "queued" | "wait" | "receive" | "answer";

export const phases: Record<Phase, string> = {
  connect: "TCP or QUIC handshake",
  tls: "TLS handshake",
  queued: "delayed by the browser, or waiting for a connection",
  wait: "waiting for the first byte",
  receive: "receiving the response",
  answer: "from the request to the last byte",
};

export interface Bar {
  phase: Phase;
  fromMs: number;
  toMs: number;
}

export interface RequestRow {
  path: string;
  status: number;
  bytes: number;
  startMs: number;
  /** null if the last byte never arrived. */
  endMs: number | null;
  bars: Bar[];
}

export interface ConnectionRows {
  connection: ConnectionView;
  requests: RequestRow[];
}

/** Returns the page's milestones that the browser reported. */
export const momentsOf = ({ timing, paint }: EvidenceView) =>
  [
    { what: "first byte", ms: timing.responseStart },
    { what: "DOM content loaded", ms: timing.domContentLoadedEventStart },
    { what: "load event", ms: timing.loadEventStart },
    { what: "first contentful paint", ms: paint?.firstContentfulMs },
    { what: "largest contentful paint", ms: paint?.largestContentfulMs },
  ].filter((moment): moment is { what: string; ms: number } => moment.ms != null);

/** Returns the end of the time axis: the last end of a request, the load event, or the last paint. */
export const endOf = ({ timing, paint }: EvidenceView, rows: readonly ConnectionRows[]): number =>
  Math.max(
    timing.loadEventStart ?? 0,
    paint?.largestContentfulMs ?? 0,
    ...rows.flatMap(({ requests }) => requests.map(({ endMs }) => endMs ?? 0)),
    1,
  );

export function rowsOf(detail: EvidenceView, paths: readonly string[]): ConnectionRows[] {
  const firstMs = detail.trace?.firstRequestMs ?? 0;
  const rows = detail.connections.map((connection) => ({
    connection,
    requests: requestsOf(connection, paths, firstMs),
  }));
  const document = rows.flatMap(({ requests }) => requests).sort((a, b) => a.startMs - b.startMs)[0];
  if (document) document.bars = documentBars(detail);
  return rows.filter(({ requests }) => requests.length > 0);
}

/** @param firstMs the time to which the requests' times are relative */
function requestsOf({ protocol, requests }: ConnectionView, paths: readonly string[], firstMs: number): RequestRow[] {
  const rows = requests.path.map((path, i): RequestRow & { sentMs: number | null } => {
    const startMs = firstMs + requests.start[i]! / 10;
    const after = (tenths: number) => (tenths < 0 ? null : startMs + tenths / 10);
    const [endMs, sentMs, answeredMs] = [
      after(requests.took[i]!),
      after(requests.sent[i]!),
      after(requests.answered[i]!),
    ];
    const bars = barsOf(startMs, sentMs, answeredMs, endMs);
    return { path: paths[path]!, status: requests.status[i]!, bytes: requests.bytes[i]!, startMs, sentMs, endMs, bars };
  });
  if (protocol === "http/1.1") inTurn(rows);
  return rows.sort((a, b) => turnMs(a) - turnMs(b));
}

/** Estimates when requests of older records were sent. Over HTTP/1.1 a response can start only after the previous one has ended. */
function inTurn(rows: (RequestRow & { sentMs: number | null })[]): void {
  let freeMs = 0;
  for (const row of rows.toSorted((a, b) => (a.endMs ?? Infinity) - (b.endMs ?? Infinity))) {
    if (row.sentMs === null) row.bars = barsOf(row.startMs, Math.max(row.startMs, freeMs), null, row.endMs);
    freeMs = Math.max(freeMs, row.endMs ?? 0);
  }
}

/** Returns when the connection became free for this request. */
const turnMs = ({ bars, startMs }: RequestRow): number =>
  bars.find(({ phase }) => phase !== "queued")?.fromMs ?? startMs;

function barsOf(startMs: number, sentMs: number | null, answeredMs: number | null, endMs: number | null): Bar[] {
  if (endMs === null) return [];
  const goMs = Math.min(endMs, sentMs ?? startMs);
  const steps: Bar[] =
    answeredMs === null
      ? [{ phase: "answer", fromMs: goMs, toMs: endMs }]
      : [
          { phase: "wait", fromMs: goMs, toMs: answeredMs },
          { phase: "receive", fromMs: answeredMs, toMs: endMs },
        ];
  return visible([{ phase: "queued", fromMs: startMs, toMs: goMs }, ...steps]);
}

const visible = (bars: Bar[]): Bar[] => bars.filter(({ fromMs, toMs }) => toMs > fromMs);

/** Returns the bars of the document's request, the only one whose handshakes the browser reports (Navigation Timing). */
function documentBars({ timing, flows }: EvidenceView): Bar[] {
  const { connectStart = 0, connectEnd = 0, requestStart = 0, responseStart = 0, responseEnd = 0 } = timing;
  const handshakeMs = Math.min(connectEnd - connectStart, ...flows.flatMap((flow) => flow.handshakeMs ?? []));
  return visible([
    { phase: "connect", fromMs: connectStart, toMs: connectStart + handshakeMs },
    { phase: "tls", fromMs: connectStart + handshakeMs, toMs: connectEnd },
    { phase: "wait", fromMs: requestStart, toMs: responseStart },
    { phase: "receive", fromMs: responseStart, toMs: responseEnd },
  ]);
}
