/** Recorded pages as Tables 2 and 3 of draft-white-httpbis-spdy-analysis-00. */
import { max, mean, min } from "simple-statistics";
import { type SurveyedPage, topServers } from "../../pages/har/site-survey.ts";
import { alignedTable, unknown } from "./tables/format.ts";

/** The draft's last row of Table 2; that of its resources cannot be read. */
const published = { servers: 18, kilobytes: 1490, seconds: 9.82, percent: [44, 65, 75, 81, 84] };

/** Ends with a newline. */
export function surveyMarkdown(pages: readonly SurveyedPage[]): string {
  const several = pages.length > 1 ? [averageOf(pages)] : [];
  const columns = Array.from({ length: topServers }, (_, i) => i + 1);
  const header2 = ["page", "servers", "resources", "size (KB)", "load (s)", ...columns.map((n) => `top ${n}`)];
  const theirs = [
    "the draft's average, 2012",
    `${published.servers}`,
    unknown,
    `${published.kilobytes}`,
    `${published.seconds}`,
  ];
  const table2 = [header2, ...pages.map(row2), ...several, [...theirs, ...published.percent.map((one) => `${one}%`)]];
  const header3 = ["page", ...columns.map((n) => `server ${n}`), "min", "average", "max"];
  return `${[
    "# What pages are made of",
    "## Table 2. Website survey",
    "Load: until the last answer's end. Top N: share of the resources that come from the N servers of which most is asked.",
    alignedTable(table2, 1),
    "## Table 3. Round-trip times to these servers, ms",
    "The quickest TCP handshake that was recorded of each.",
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
  return [
    "average",
    fixed(
      average(({ servers }) => servers),
      0,
    ),
    fixed(
      average(({ resources }) => resources),
      0,
    ),
    fixed(average(({ bytes }) => bytes) / 1000, 0),
    fixed(timed.length ? mean(timed) : null, 2),
    ...pages[0]!.topShares.map((_, i) => percent(average(({ topShares }) => topShares[i]!))),
  ];
}

function row3({ name, topRttMs }: SurveyedPage): string[] {
  const known = topRttMs.filter((one) => one !== null);
  const over = (of: (values: number[]) => number) => fixed(known.length ? of(known) : null, 0);
  const servers = Array.from({ length: topServers }, (_, i) => fixed(topRttMs[i] ?? null, 0));
  return [name, ...servers, over(min), fixed(known.length ? mean(known) : null, 1), over(max)];
}
