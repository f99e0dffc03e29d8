/** A load's requests, by connection, on one time axis. */
import * as Plot from "@observablehq/plot";
import type { EvidenceView } from "../data/detail.ts";
import { figure, whole } from "./format.ts";
import { Drawn, Legend } from "./plot.tsx";
import { type ConnectionRows, endOf, momentsOf, phases, type RequestRow, rowsOf } from "./spans.ts";
import { barOptions, inRows, left, rowHeight } from "./time-axis.ts";

/** The heights of a connection's heading and of the space after its last request, in rows. Each request is a row. */
const [headRows, gapRows] = [2.2, 1];

interface Given {
  detail: EvidenceView;
  paths: readonly string[];
  /** The end of the time axis; by default, the end of the load. */
  endMs?: number;
}

export function Waterfall({ detail, paths, endMs }: Given) {
  const connections = rowsOf(detail, paths);
  const untilMs = endMs ?? endOf(detail, connections);
  const bars = connections.flatMap(({ requests }) => requests.flatMap((request) => request.bars));
  const used = [...new Set(bars.map(({ phase }) => phase))];
  return (
    <>
      <Legend entries={used.map((phase) => ({ name: phases[phase], colour: `var(--phase-${phase})` }))} />
      <Drawn draw={(width) => drawWaterfall(detail, connections, { width, untilMs })} by={[detail, untilMs]} />
    </>
  );
}

function drawWaterfall(
  detail: EvidenceView,
  connections: readonly ConnectionRows[],
  { width, untilMs }: { width: number; untilMs: number },
): Element {
  const { heads, requests, rows } = laidOut(connections);
  const bars = requests.flatMap(({ request, row }) =>
    request.bars.map((bar) => ({ ...bar, row, colour: `var(--phase-${bar.phase})`, title: titleOf(request) })),
  );
  const unfinished = requests.filter(({ request }) => request.endMs === null);
  return Plot.plot({
    ...inRows(width, rows),
    ariaLabel: "Requests by connection over time",
    x: {
      domain: [0, untilMs],
      axis: "top",
      label: null,
      tickFormat: (ms: number) => `${whole(ms)} ms`,
    },
    marks: [
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.ruleX(momentsOf(detail), { x: "ms", stroke: "var(--accent)", strokeDasharray: "4 3", title: "what" }),
      Plot.text(heads, { x: 0, y: "row", text: "text", dx: -left, dy: -7, textAnchor: "start", fontWeight: 600 }),
      Plot.rect(bars, { ...barOptions, fill: "colour" }),
      Plot.text(unfinished, {
        x: ({ request }) => request.startMs,
        y: "row",
        text: () => "×",
        dy: rowHeight / 2,
        title: ({ request }) => titleOf(request),
      }),
    ],
  });
}

function laidOut(connections: readonly ConnectionRows[]) {
  let rows = 0;
  const heads: { row: number; text: string }[] = [];
  const requests: { row: number; request: RequestRow }[] = [];
  for (const { connection, requests: own } of connections) {
    rows += headRows;
    const name = [connection.host, connection.protocol, ...(connection.tls ? [connection.tls] : [])].join(", ");
    heads.push({ row: rows, text: `${name}: ${own.length} ${own.length === 1 ? "request" : "requests"}` });
    for (const request of own) requests.push({ row: rows++, request });
    rows += gapRows;
  }
  return { heads, requests, rows };
}

function titleOf({ path, status, bytes, startMs, endMs }: RequestRow): string {
  const ended = endMs === null ? "the last byte never arrived" : `${figure(startMs)} to ${figure(endMs)} ms`;
  return `${path}: ${status}, ${whole(bytes)} bytes, ${ended}`;
}
