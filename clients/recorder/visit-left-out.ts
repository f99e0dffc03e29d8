/** Lists in words what a visit could not record. */
import { counted } from "../../schema/words.ts";
import { type Incomplete, isEventStream, type ProxiedRequests } from "./proxied-requests.ts";
import type { SiteVisit, Visited } from "./visit-page.ts";
import { reasonOf } from "./visited-document.ts";

export function leftOutOf(requests: ProxiedRequests, visited: Visited, { seconds, scrolls }: SiteVisit): string[] {
  const answered = new Set(requests.exchanges.map(keyOf));
  // A failed request does not count if the browser retried it successfully.
  const failed = unique(requests.failed.filter((one) => !answered.has(keyOf(one))));
  const open = [...requests.open];
  const streams = open.filter(isEventStream);
  const givenUp = [...failed, ...open].filter((one) => one.isGivenUp && !isEventStream(one));
  const late = open.filter((one) => !one.isGivenUp && !isEventStream(one));
  return [
    ...failed.filter((one) => !one.isGivenUp).map((one) => `${one.method} ${one.url}: ${reasonOf(one)}`),
    ...listed("cancelled by the page before the end", givenUp),
    ...listed(`still open after ${seconds} s (--seconds)`, late),
    ...listed("without an end (event streams)", streams),
    ...listed("of video or audio, except the part that the browser fetched", requests.parts),
    ...(visited.until === "limit" && late.length === 0
      ? [`requests after ${seconds} s (--seconds): the page keeps requesting`]
      : []),
    ...(requests.sockets.length ? [`WebSockets, which were refused: ${shown(requests.sockets)}`] : []),
    ...(scrolls && !visited.scrolledToEnd
      ? ["content below the scrolled part: scrolling did not reach the page's end"]
      : []),
  ];
}

const keyOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;

const unique = (some: readonly Incomplete[]): Incomplete[] => [
  ...new Map(some.map((one) => [`${keyOf(one)} ${reasonOf(one)}`, one])).values(),
];

const listed = (what: string, some: readonly Incomplete[]): string[] =>
  some.length ? [`${counted(some.length, "response")} ${what}: ${shown(some.map(keyOf))}`] : [];

const mostShown = 10;
function shown(all: readonly string[]): string {
  const more = all.length - mostShown;
  return `${all.slice(0, mostShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
