/** A load's requests, by connection, on one time axis. */
import { scaleLinear } from "d3-scale";
import { useRef } from "preact/hooks";
import type { EvidenceView } from "../data/load-model.ts";
import { figure, whole } from "./format.ts";
import { useWidth } from "./plot.tsx";
import { type ConnectionRows, endOf, phases, type RequestRow, rowsOf } from "./spans.ts";

const [rowHeight, headHeight, axisHeight, gap] = [8, 18, 22, 8];
/** As Plot has them below it, on the same axis. */
export const [left, right] = [48, 20];

export function Waterfall({ detail, paths }: { detail: EvidenceView; paths: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const connections = rowsOf(detail, paths);
  const used = [
    ...new Set(connections.flatMap(({ requests }) => requests.flatMap(({ bars }) => bars.map(({ phase }) => phase)))),
  ];
  return (
    <>
      <p class="legend">
        {used.map((phase) => (
          <span key={phase}>
            <i style={{ "--swatch": `var(--phase-${phase})` }} />
            {phases[phase]}
          </span>
        ))}
      </p>
      <div ref={place}>{width > 0 && <Drawing detail={detail} connections={connections} width={width} />}</div>
    </>
  );
}

function Drawing({
  detail,
  connections,
  width,
}: {
  detail: EvidenceView;
  connections: ConnectionRows[];
  width: number;
}) {
  const x = scaleLinear([0, endOf(detail, connections)], [left, width - right]);
  const tops: number[] = [];
  let bottom = axisHeight;
  for (const { requests } of connections) {
    tops.push(bottom);
    bottom += headHeight + requests.length * rowHeight + gap;
  }
  const { domContentLoadedEventStart: content, loadEventStart: loaded } = detail.timing;
  return (
    <svg
      width={width}
      height={bottom}
      viewBox={`0 0 ${width} ${bottom}`}
      role="img"
      aria-label="Requests by connection over time"
      font-size="11"
    >
      {x.ticks(Math.max(3, width / 110)).map((ms) => (
        <g key={ms} transform={`translate(${x(ms)},0)`}>
          <line y1={axisHeight - 4} y2={bottom} stroke="var(--line)" />
          <text y={axisHeight - 8} text-anchor="middle">
            {whole(ms)} ms
          </text>
        </g>
      ))}
      <Moment x={x(content ?? -1)} bottom={bottom} words="DOM content loaded" />
      <Moment x={x(loaded ?? -1)} bottom={bottom} words="load event" />
      {detail.paint && (
        <>
          <Moment x={x(detail.paint.firstContentfulMs)} bottom={bottom} words="first contentful paint" />
          <Moment x={x(detail.paint.largestContentfulMs)} bottom={bottom} words="largest contentful paint" />
        </>
      )}
      {connections.map(({ connection, requests }, i) => (
        <g key={`${i}`} transform={`translate(0,${tops[i]})`}>
          <text y={headHeight - 6} font-weight="600">
            {connection.host}, {connection.protocol}
            {connection.tls && `, ${connection.tls}`}: {requests.length}{" "}
            {requests.length === 1 ? "request" : "requests"}
          </text>
          {requests.map((request, row) => (
            <Row key={request.path} request={request} y={headHeight + row * rowHeight} x={x} />
          ))}
        </g>
      ))}
    </svg>
  );
}

function Moment({ x, bottom, words }: { x: number; bottom: number; words: string }) {
  if (x < 0) return null;
  return (
    <line x1={x} x2={x} y1={axisHeight - 4} y2={bottom} stroke="var(--accent)" stroke-dasharray="4 3">
      <title>{words}</title>
    </line>
  );
}

function Row({
  request: { path, status, bytes, startMs, endMs, bars },
  y,
  x,
}: {
  request: RequestRow;
  y: number;
  x: (ms: number) => number;
}) {
  const ended = endMs === null ? "its last byte never came" : `${figure(startMs)} to ${figure(endMs)} ms`;
  return (
    <g transform={`translate(0,${y})`}>
      <title>{`${path}: ${status}, ${whole(bytes)} bytes, ${ended}`}</title>
      <rect x={left} width={x(Math.max(0, endMs ?? startMs)) - left} height={rowHeight} fill="transparent" />
      {bars.map(({ phase, fromMs, toMs }) => (
        <rect
          key={phase}
          x={x(fromMs)}
          width={Math.max(1, x(toMs) - x(fromMs))}
          y={1}
          height={rowHeight - 2}
          rx={1}
          fill={`var(--phase-${phase})`}
        />
      ))}
      {endMs === null && (
        <text x={x(startMs)} y={rowHeight}>
          ×
        </text>
      )}
    </g>
  );
}
