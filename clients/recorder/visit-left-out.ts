/** What a visit could not record, as sentences. */
import { counted } from "../../schema/words.ts";
import { cancelled } from "./fetch-exchange.ts";
import type { ProxiedRequests, Unanswered } from "./proxied-requests.ts";
import type { SiteVisit, Visited } from "./visit-page.ts";
import { reasonOf } from "./visited-document.ts";

export function leftOutOf(requests: ProxiedRequests, visited: Visited, { seconds, scrolls }: SiteVisit): string[] {
  const answered = new Set(requests.exchanges.map(keyOf));
  // The browser itself tries some requests again.
  const failed = unique(requests.failed.filter((one) => !answered.has(keyOf(one))));
  const isCancelled = ({ error }: Unanswered) => error?.name === cancelled;
  const open = [...requests.open];
  return [
    ...failed.filter((one) => !isCancelled(one)).map((one) => `${one.method} ${one.url}: ${reasonOf(one)}`),
    ...listed("given up by the page", failed.filter(isCancelled)),
    ...listed(`still open after ${seconds} s (--seconds)`, open),
    ...(visited.until === "limit" && open.length === 0
      ? [`requests after ${seconds} s (--seconds): the page goes on asking`]
      : []),
    ...(requests.sockets.length ? [`WebSockets, which were refused: ${shown(requests.sockets)}`] : []),
    ...(scrolls && !visited.scrolledToEnd ? ["what comes after the scrolled part: the page did not end"] : []),
  ];
}

const keyOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;

const unique = (some: readonly Unanswered[]): Unanswered[] => [
  ...new Map(some.map((one) => [`${keyOf(one)} ${reasonOf(one)}`, one])).values(),
];

const listed = (what: string, some: readonly Unanswered[]): string[] =>
  some.length ? [`${counted(some.length, "response")} ${what}: ${shown(some.map(keyOf))}`] : [];

const mostShown = 10;
function shown(all: readonly string[]): string {
  const more = all.length - mostShown;
  return `${all.slice(0, mostShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
