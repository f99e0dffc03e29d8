/** A load's requests as bars on a time axis, by connection: as much as the client said of each. */
import type { ConnectionView, LoadDetail } from "../data/model.ts";

export type Phase = "connect" | "tls" | "queued" | "wait" | "receive" | "answer";

/** What each phase is, for the legend. */
export const phases: Record<Phase, string> = {
  connect: "TCP or QUIC handshake",
  tls: "TLS handshake",
  queued: "behind another answer on its connection",
  wait: "wait for the first byte",
  receive: "receive",
  answer: "asked until the last byte",
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
  /** null where the last byte never came. */
  endMs: number | null;
  bars: Bar[];
}

export interface ConnectionRows {
  connection: ConnectionView;
  requests: RequestRow[];
}

/** The longest that anything took, and the load event. */
export const endOf = ({ timing }: LoadDetail, rows: readonly ConnectionRows[]): number =>
  Math.max(timing.loadEventStart ?? 0, ...rows.flatMap(({ requests }) => requests.map(({ endMs }) => endMs ?? 0)), 1);

export function rowsOf(detail: LoadDetail, paths: readonly string[]): ConnectionRows[] {
  const rows = detail.connections.map((connection) => ({ connection, requests: requestsOf(connection, paths) }));
  const document = rows.flatMap(({ requests }) => requests).sort((a, b) => a.startMs - b.startMs)[0];
  if (document) document.bars = documentBars(detail);
  return rows.filter(({ requests }) => requests.length > 0);
}

function requestsOf({ protocol, requests }: ConnectionView, paths: readonly string[]): RequestRow[] {
  const rows = requests.path.map((path, i): RequestRow => {
    const startMs = requests.start[i]! / 10;
    const took = requests.took[i]!;
    return {
      path: paths[path]!,
      status: requests.status[i]!,
      bytes: requests.bytes[i]!,
      startMs,
      endMs: took < 0 ? null : startMs + took / 10,
      bars: [],
    };
  });
  const ordered = rows.sort((a, b) => a.startMs - b.startMs || (a.endMs ?? Infinity) - (b.endMs ?? Infinity));
  // HTTP/1.1 answers one request after the other on a connection, so an answer's time begins when the one before has ended.
  let freeMs = 0;
  for (const row of protocol === "http/1.1"
    ? ordered.toSorted((a, b) => (a.endMs ?? Infinity) - (b.endMs ?? Infinity))
    : ordered) {
    row.bars = barsOf(row, protocol === "http/1.1" ? freeMs : 0);
    freeMs = Math.max(freeMs, row.endMs ?? 0);
  }
  return protocol === "http/1.1" ? ordered.sort((a, b) => beganMs(a) - beganMs(b)) : ordered;
}

/** When its own turn on the connection came. */
const beganMs = ({ bars, startMs }: RequestRow): number => bars.at(-1)?.fromMs ?? startMs;

function barsOf({ startMs, endMs }: RequestRow, freeMs: number): Bar[] {
  if (endMs === null) return [];
  const goMs = Math.min(endMs, Math.max(startMs, freeMs));
  const bars: Bar[] = [
    { phase: "queued", fromMs: startMs, toMs: goMs },
    { phase: "answer", fromMs: goMs, toMs: endMs },
  ];
  return bars.filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** Of the document alone the browser says each step (Navigation Timing). */
function documentBars({ timing, flows }: LoadDetail): Bar[] {
  const { connectStart = 0, connectEnd = 0, requestStart = 0, responseStart = 0, responseEnd = 0 } = timing;
  const handshakeMs = Math.min(connectEnd - connectStart, ...flows.flatMap((flow) => flow.handshakeMs ?? []));
  const bars: Bar[] = [
    { phase: "connect", fromMs: connectStart, toMs: connectStart + handshakeMs },
    { phase: "tls", fromMs: connectStart + handshakeMs, toMs: connectEnd },
    { phase: "wait", fromMs: requestStart, toMs: responseStart },
    { phase: "receive", fromMs: responseStart, toMs: responseEnd },
  ];
  return bars.filter(({ fromMs, toMs }) => toMs > fromMs);
}
