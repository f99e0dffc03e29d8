/** A load's packets on the waterfall's time axis: streams, bytes against the link's rate, data in flight against the receive window, losses. */
import * as Plot from "@observablehq/plot";
import { partNames, parts } from "../../explain/parts.ts";
import type { ConditionData } from "../build.ts";
import type { EvidenceView } from "../data/detail.ts";
import type { LinkUse } from "../data/link-use.ts";
import type { StreamView } from "../data/stream-view.ts";
import type { FlowTraceView, TraceView } from "../data/trace-view.ts";
import { drawLinkUse, fills } from "./link-use.ts";
import { partColour } from "./parts-bars.tsx";
import { Drawn, Figure, Legend } from "./plot.tsx";
import { drawBytes, type Rates } from "./received-bytes.ts";
import { endOf, rowsOf } from "./spans.ts";
import { Streams } from "./streams.tsx";
import { drawRoundTrips, drawWindows } from "./tcp-states.ts";
import { overTime } from "./time-axis.ts";

interface Packets {
  detail: EvidenceView;
  trace: TraceView & { streams: StreamView[] };
  data: ConditionData;
  name: string;
}

export function Packets({ detail, trace, data, name }: Packets) {
  const endMs = endOf(detail, rowsOf(detail, data.paths));
  const encrypted = trace.flows.every(({ flight }) => flight.at.length === 0);
  return (
    <>
      {trace.path.part.length > 0 && (
        <Figure title="What the load event waited for, step by step" name={`path-${name}`}>
          <Drawn draw={(width) => drawPath(trace, endMs, width)} by={[trace]} />
          <Legend
            entries={partNames
              .filter((_, part) => trace.path.part.includes(part))
              .map((name) => ({ name, colour: partColour(name), title: parts[name] }))}
          />
        </Figure>
      )}
      {trace.streams.length > 0 && (
        <Figure title="Bytes of each response, in the order in which responses began" name={`streams-${name}`}>
          <Streams streams={trace.streams} paths={data.paths} endMs={endMs} />
        </Figure>
      )}
      {detail.linkUse && <Link use={detail.linkUse} endMs={endMs} name={name} />}
      <Figure title="Bytes received (dashed: what the link's rate allows)" name={`bytes-${name}`}>
        <Drawn draw={(width) => drawBytes(trace, ratesOf({ detail, data }), endMs, width)} by={[trace]} />
      </Figure>
      {!encrypted && (
        <Figure title="Data in flight (dotted: the receive window); × lost, ○ retransmitted" name={`flight-${name}`}>
          <Drawn draw={(width) => drawFlight(trace, endMs, width)} by={[trace]} />
        </Figure>
      )}
      <TcpStates trace={trace} endMs={endMs} name={name} />
    </>
  );
}

function TcpStates({ trace, endMs, name }: { trace: TraceView; endMs: number; name: string }) {
  const seen = trace.flows.filter(({ tcp }) => tcp);
  if (seen.length === 0) return null;
  const draw = (width: number) => ({ trace, hue: hueAmong(seen.length), endMs, width });
  return (
    <>
      <Figure
        title="Congestion window of the server's TCP (dotted: slow start threshold; red: reduced after a loss or mark, until recovery)"
        name={`window-${name}`}
      >
        <Drawn draw={(width) => drawWindows(draw(width))} by={[trace]} />
      </Figure>
      <Figure title="Smoothed round-trip time of the server's TCP" name={`rtt-${name}`}>
        <Drawn draw={(width) => drawRoundTrips(draw(width))} by={[trace]} />
      </Figure>
    </>
  );
}

/** Draws both directions of a link whose rate varies, or that background flows share with the page. */
function Link({ use, endMs, name }: { use: LinkUse; endMs: number; name: string }) {
  return (["down", "up"] as const).map((direction) => {
    const title = `The link ${direction === "down" ? "towards" : "from"} the client: its rate (grey), and who used it`;
    const way = use[direction];
    const users = way.background.length > 0 ? (["page", "background"] as const) : (["page"] as const);
    return (
      <Figure key={direction} title={title} name={`link-${direction}-${name}`}>
        <Drawn draw={(width) => drawLinkUse(way, use.stepMs, endMs, title, width)} by={[way]} />
        <Legend entries={users.map((name) => ({ name, colour: fills[name] }))} />
      </Figure>
    );
  });
}

function drawPath({ path }: TraceView, endMs: number, width: number): Element {
  const steps = path.part.map((part, i) => ({
    fromMs: (path.until[i - 1] ?? 0) / 10,
    toMs: path.until[i]! / 10,
    colour: partColour(partNames[part]!),
    title: `${partNames[part]}: ${path.what[i]}, until ${path.until[i]! / 10} ms`,
  }));
  return Plot.plot({
    ...overTime(width, endMs),
    height: 75,
    ariaLabel: "What the load event waited for",
    y: { axis: null },
    color: { type: "identity" }, // Plot does not recognise light-dark() as a colour, and would assign other colours
    marks: [
      Plot.rectX(steps, { x1: "fromMs", x2: "toMs", fill: (step: { colour: string }) => step.colour, title: "title" }),
    ],
  });
}

const ratesOf = ({ detail, data }: Pick<Packets, "detail" | "data">): Rates =>
  detail.linkUse?.down.rates ?? { fromMs: [0], mbps: [data.link.downMbps] };

/** With more connections than this, all lines have the same colour, because nobody could distinguish so many colours. */
const tellable = 6;
const hueAmong = (connections: number) => (place: number) =>
  connections > tellable ? "var(--side-b)" : `var(--flow-${place})`;

function drawFlight({ flows }: TraceView, endMs: number, width: number): Element {
  const seen = flows.filter(({ flight }) => flight.at.length > 0);
  const hue = hueAmong(seen.length);
  const most = Math.max(1, ...seen.flatMap(({ flight }) => flight.bytes)) / 1000;
  return Plot.plot({
    ...overTime(width, endMs),
    ariaLabel: "Data in flight over time, by connection",
    y: { label: "kB", grid: true, domain: [0, most * 1.1] },
    marks: seen.flatMap((flow, i) => [
      Plot.line(pointsOf(flow.window), { ...steps, stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      Plot.line(pointsOf(flow.flight), {
        ...steps,
        stroke: hue(i),
        strokeWidth: 1.5,
        title: () => `port ${flow.port} to ${flow.server}`,
      }),
      Plot.dot(marksOf(flow, flow.retransmitted), { ...steps, r: 3, stroke: hue(i) }),
      Plot.dot(marksOf(flow, flow.lost), { ...steps, r: 4, symbol: "times", stroke: "var(--bad)", strokeWidth: 2 }),
    ]),
  });
}

const steps = { x: "ms", y: "kilobytes", curve: "step-after", clip: true } as const;

const pointsOf = ({ at, bytes }: { at: number[]; bytes: number[] }) =>
  at.map((tenths, i) => ({ ms: tenths / 10, kilobytes: bytes[i]! / 1000 }));

/** Returns points on the line of data in flight, at these times. */
function marksOf({ flight }: FlowTraceView, moments: number[]) {
  return moments.map((tenths) => {
    const after = flight.at.findIndex((at) => at >= tenths);
    return { ms: tenths / 10, kilobytes: (flight.bytes[after < 0 ? flight.bytes.length - 1 : after] ?? 0) / 1000 };
  });
}
