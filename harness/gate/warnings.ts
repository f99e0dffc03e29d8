/** Finds problems in a page's loads that do not fail a gate: failed requests, and errors that the console shows. */
import { type Evidence, mostConsoleErrors } from "../../schema/evidence.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";

export interface Warning {
  kind: "request" | "console";
  text: string;
  /** null if there is no page to compare with, or if its loads had too many errors to record them all. */
  isNew: boolean | null;
}

export interface Warnings {
  page: string;
  shown: Warning[];
  more: number;
}

const most = 10;
const mostLetters = 160;

/** A page over one link; `before` is null if there is no page to compare with. */
interface Sides {
  page: string;
  before: Side | null;
  after: Side;
}
type Side = { evidence: readonly Evidence[] };

/** Finds each page's warnings over all links. */
export const warningsOf = (sides: readonly Sides[]): Warnings[] =>
  [...new Set(sides.map(({ page }) => page))].map((page) => {
    const own = sides.filter((one) => one.page === page);
    const before = own.flatMap((one) => one.before?.evidence ?? []);
    const after = own.flatMap((one) => one.after.evidence);
    const all = warningsBetween(own.some((one) => one.before) ? before : null, after);
    return { page, shown: all.slice(0, most), more: Math.max(0, all.length - most) };
  });

function warningsBetween(before: readonly Evidence[] | null, after: readonly Evidence[]): Warning[] {
  const kinds = { request: requestsIn, console: errorsIn };
  const wasCut = before?.some((load) => errorsIn(load).length >= mostConsoleErrors);
  return (["request", "console"] as const)
    .flatMap((kind) => {
      const known = before && textsOf(before, kinds[kind]);
      const isNew = (text: string) =>
        known?.has(text) ? false : known === null || (kind === "console" && wasCut) ? null : true;
      return [...textsOf(after, kinds[kind])].map((text): Warning => ({ kind, text, isNew: isNew(text) }));
    })
    .sort((a, b) => Number(b.isNew) - Number(a.isNew));
}

const textsOf = (loads: readonly Evidence[], of: (load: Evidence) => readonly string[]): Set<string> =>
  new Set(loads.flatMap(of).map((text) => (text.length > mostLetters ? `${text.slice(0, mostLetters - 1)}…` : text)));

const errorsIn = ({ consoleErrors = [] }: Evidence): readonly string[] => consoleErrors;

const leastError = 400;
/** The browser's error for a request that the page itself cancelled. */
const cancelled = "net::ERR_ABORTED";

/** Lists failed requests: "/api/user.json (404)", "api.example.com/user (net::ERR_NAME_NOT_RESOLVED)". */
function requestsIn({ connections, unanswered = [] }: Evidence): string[] {
  const answered = connections.flatMap(({ requests }) => requests).filter(({ status }) => status >= leastError);
  return [
    ...answered.map(({ path, status }) => `${path} (${status})`),
    ...unanswered
      .filter(({ why }) => why !== "" && why !== cancelled) // without a reason, the request was still in flight
      .map(({ url, why }) => `${withoutQuery(url)} (${why})`),
  ];
}

/** Drops the query, which may differ from load to load. */
function withoutQuery(url: string): string {
  const parsed = parsedUrl(url);
  return parsed ? parsed.host + parsed.pathname : url;
}
