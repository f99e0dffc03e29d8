/** Prints a capture's statistics as Markdown or JSON. */
import type { CaptureStatistics } from "../../../traces/capture-statistics.ts";
import { alignedTable, unknown } from "../tables/format.ts";
import { statementsOf } from "./paper.ts";
import { quantities } from "./quantities.ts";

export interface NamedTrace {
  name: string;
  trace: CaptureStatistics;
}

const shares = [0.1, 0.5, 0.9, 0.99];

/** Ends with a newline. */
export const traceMarkdown = (traces: readonly NamedTrace[]): string =>
  `${["# Captures, as the Yahoo! CDN's were characterised (IMC 2011, section 3)", legend, ...traces.map(one)].join("\n\n")}\n`;

const legend = `RTT: mean of a connection's round trips, by the end that is farther from where it was captured. A request is what the client sends
after what the server has sent; its object is what the server sends until the next, with headers. Of TLS the records of application
data count, so a first object has the session tickets. RTO = smoothed RTT + 4 · deviation (Jacobson), as the paper takes it.`;

function one({ name, trace }: NamedTrace): string {
  if (trace.connections === 0) return `## ${name}\n\nThere is no TCP connection in it.`;
  const rows = quantities.map(({ figure, id, title, unit }) => {
    const { [id]: distribution } = trace;
    const numbers = [distribution.mean, ...shares.map((share) => distribution.quantile(share))];
    return [`${figure}`, unit ? `${title} (${unit})` : title, count(distribution.weight), ...numbers.map(number)];
  });
  const header = [
    "Fig.",
    "",
    "counted",
    "mean",
    ...shares.map((share) => (share === 0.5 ? "median" : `${100 * share}%`)),
  ];
  const said = statementsOf(trace).map(({ figure, what, published, ours, unit }) => [
    `${figure}`,
    what,
    ours === null ? unknown : `${number(ours)}${unit}`,
    published,
  ]);
  return [
    `## ${name}`,
    countsOf(trace),
    alignedTable([header, ...rows], 2),
    alignedTable([["Fig.", "share of", "here", "Yahoo! 2011"], ...said], 2),
  ].join("\n\n");
}

function countsOf({ packets, connections, begunBefore, multiplexed }: CaptureStatistics): string {
  return [
    `${connections} TCP connections, ${packets} packets.`,
    ...(begunBefore ? [`${begunBefore} began before the capture, and have no duration.`] : []),
    ...(multiplexed
      ? [`${multiplexed} offer HTTP/2, whose requests cannot be told apart: they are in Figs. 3 to 10 alone.`]
      : []),
  ].join(" ");
}

const count = (weight: number) => weight.toLocaleString("en");
const number = (value: number | null): string =>
  value === null
    ? unknown
    : Math.abs(value) >= 100
      ? Math.round(value).toLocaleString("en")
      : String(Number(value.toPrecision(2)));

export const traceJson = (traces: readonly NamedTrace[]): string =>
  `${JSON.stringify(
    traces.map(({ name, trace }) => ({
      name,
      packets: trace.packets,
      connections: trace.connections,
      begunBefore: trace.begunBefore,
      multiplexed: trace.multiplexed,
      distributions: Object.fromEntries(
        quantities.map(({ id, figure, unit }) => {
          const { [id]: distribution } = trace;
          const quantile = (share: number) => [`p${100 * share}`, distribution.quantile(share)];
          const quantiles = Object.fromEntries([0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99].map(quantile));
          return [id, { figure, unit, counted: distribution.weight, mean: distribution.mean, ...quantiles }];
        }),
      ),
      statements: statementsOf(trace),
    })),
    null,
    2,
  )}\n`;
