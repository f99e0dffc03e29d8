/** Prints a capture's statistics as Markdown or JSON. */

import { alignedTable, unknown } from "../harness/tables/format.ts";
import { inMarkdown } from "../schema/foreign-words.ts";
import type { CaptureStatistics } from "./capture-statistics.ts";
import { statementsOf } from "./paper.ts";
import { quantities } from "./quantities.ts";

export interface NamedTrace {
  name: string;
  trace: CaptureStatistics;
}

const shares = [0.1, 0.5, 0.9, 0.99];

export const traceMarkdown = (traces: readonly NamedTrace[]): string =>
  `${["# Statistics of captures, as in the Yahoo! CDN's paper (IMC 2011, section 3)", legend, ...traces.map(one)].join("\n\n")}\n`;

const legend = `RTT: the mean of a connection's round trips to the end that is farther from the capture. A request is data from the client after data
from the server; its object is the data from the server until the next request, with headers. Over TLS only application data counts:
this includes the session tickets in the first object. RTO = smoothed RTT + 4 · deviation (Jacobson), as in the paper.`;

function one({ name, trace }: NamedTrace): string {
  if (trace.connections === 0) return `## ${inMarkdown(name)}\n\nThe capture has no TCP connection.`;
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
    `## ${inMarkdown(name)}`,
    countsOf(trace),
    alignedTable([header, ...rows], 2),
    alignedTable([["Fig.", "share of", "here", "Yahoo! 2011"], ...said], 2),
  ].join("\n\n");
}

function countsOf({ packets, connections, begunBefore, multiplexed }: CaptureStatistics): string {
  return [
    `${connections} TCP connections, ${packets} packets.`,
    ...(begunBefore ? [`${begunBefore} connections began before the capture, so their durations are unknown.`] : []),
    ...(multiplexed
      ? [`${multiplexed} connections offer HTTP/2. Their requests cannot be separated, and are not in Figs. 11 to 14.`]
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
