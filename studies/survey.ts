/** Prints statistics of recorded pages, as in Tables 2 and 3 of draft-white-httpbis-spdy-analysis-00. */
import { max, mean, min } from "simple-statistics";
import { alignedTable, unknown } from "../harness/tables/format.ts";
import { type SurveyedPage, topServers } from "../sites/har/site-survey.ts";

/** The last row of the draft's Table 2, in which the number of resources is not legible. */
const published = ["the draft's average, 2012", "18", unknown, "1490", "9.82", "44%", "65%", "75%", "81%", "84%"];

export function surveyMarkdown(pages: readonly SurveyedPage[]): string {
  const several = pages.length > 1 ? [averageOf(pages)] : [];
  const columns = Array.from({ length: topServers }, (_, i) => i + 1);
  const header2 = ["page", "servers", "resources", "size (KB)", "load (s)", ...columns.map((n) => `top ${n}`)];
  const table2 = [header2, ...pages.map(row2), ...several, published];
  const header3 = ["page", ...columns.map((n) => `server ${n}`), "min", "average", "max"];
  return `${[
    "# What pages are made of",
    "## Table 2. Website survey",
    "Load: time until the end of the last response. Top N: share of resources on the N servers with the most requests.",
    alignedTable(table2, 1),
    "## Table 3. Round-trip times to these servers, ms",
    "The fastest recorded TCP handshake with each server.",
    alignedTable([header3, ...pages.map(row3)], 1),
  ].join("\n\n")}\n`;
}

const percent = (share: number) => `${Math.round(100 * share)}%`;
const fixed = (value: number | null, digits: number) => (value === null ? unknown : value.toFixed(digits));

const row2 = ({ name, servers, resources, bytes, loadSeconds, topShares }: SurveyedPage): string[] => [
  name,
  `${servers}`,
  `${resources}`,
  fixed(bytes / 1000, 0),
  fixed(loadSeconds, 2),
  ...topShares.map(percent),
];

function averageOf(pages: readonly SurveyedPage[]): string[] {
  const average = (of: (page: SurveyedPage) => number) => mean(pages.map(of));
  const timed = pages.flatMap(({ loadSeconds }) => loadSeconds ?? []);
  return row2({
    ...pages[0]!,
    name: "average",
    servers: Math.round(average(({ servers }) => servers)),
    resources: Math.round(average(({ resources }) => resources)),
    bytes: average(({ bytes }) => bytes),
    loadSeconds: timed.length ? mean(timed) : null,
    topShares: pages[0]!.topShares.map((_, i) => average(({ topShares }) => topShares[i]!)),
  });
}

function row3({ name, topRttMs }: SurveyedPage): string[] {
  const known = topRttMs.filter((one) => one !== null);
  const over = (of: (values: number[]) => number) => fixed(known.length ? of(known) : null, 0);
  const servers = Array.from({ length: topServers }, (_, i) => fixed(topRttMs[i] ?? null, 0));
  return [name, ...servers, over(min), fixed(known.length ? mean(known) : null, 1), over(max)];
}
