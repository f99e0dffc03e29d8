/** Finds the document that a visit loaded, or explains in one sentence why there is none. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { headerIn, type SeenExchange } from "../../sites/recorder/seen-exchange.ts";
import type { Head } from "./fetch-exchange.ts";
import type { Incomplete, ProxiedRequests } from "./proxied-requests.ts";
import type { SiteVisit, Visited } from "./visit-page.ts";

/** Browsers follow no more redirects than this (Fetch standard, section 4.4). */
const mostRedirects = 20;

/** @returns the URL that the browser requested first: the given URL, or else its https: form @throws LabError if there is no page */
export function recordedUrl(visit: SiteVisit, requests: ProxiedRequests, { failure }: Visited): string {
  const no = (why: string) => new LabError(ExitCode.failed, `${visit.url}: ${why}`);
  const firstUrl = [visit.url, visit.url.replace(/^http:/, "https:")].find((url) => isAsked(url, requests));
  if (firstUrl === undefined) throw no(failure ? browserReason(failure) : "the browser did not request it");
  if (/ERR_TOO_MANY_REDIRECTS/.test(failure ?? "")) throw no("it redirects in a circle");
  const { url, document } = followed(firstUrl, requests.exchanges);
  const named = url === visit.url ? "" : `it redirects to ${url}: `;
  // An incomplete response is checked, too, because the browser cancels a download as soon as the headers have arrived.
  const incomplete = [...requests.open, ...requests.failed].find((one) => one.url === url);
  const problem = problemOf(document ?? incomplete?.head ?? null);
  if (problem) throw no(`${named}${problem}`);
  if (!document) {
    const isOpen = incomplete && !incomplete.error;
    throw no(
      `${named}${isOpen ? `no complete response within ${visit.seconds} s (--seconds)` : reasonOf(incomplete ?? {})}`,
    );
  }
  if (failure) throw no(`${named}${browserReason(failure)}`);
  return firstUrl;
}

/** Shortens "net::ERR_UNSAFE_PORT at https://a.test:1/" to "ERR_UNSAFE_PORT". */
const browserReason = (failure: string): string => failure.replace(/^net::| at .*/gs, "");

const isAsked = (url: string, { exchanges, failed, open }: ProxiedRequests): boolean =>
  [...exchanges, ...failed, ...open].some((one) => one.url === url);

interface FollowedRedirects {
  url: string;
  /** null if the last URL has no complete response. */
  document: SeenExchange | null;
}

function followed(firstUrl: string, exchanges: readonly SeenExchange[]): FollowedRedirects {
  const used = new Set<SeenExchange>();
  let url = firstUrl;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    // A page may set a cookie and redirect to itself. The second response for the same URL then differs.
    const document = exchanges.find((one) => one.url === url && one.method === "GET" && !used.has(one)) ?? null;
    const location =
      document && document.status >= 300 && document.status < 400 ? headerIn(document.headers, "location") : undefined;
    const next = location === undefined ? null : parsedUrl(location, url);
    if (!document || !next) return { url, document };
    used.add(document);
    next.hash = "";
    url = next.href;
  }
  return { url, document: null };
}

function problemOf(document: Head | null): string | null {
  if (!document) return null;
  const { status } = document;
  if (status === 401 || status === 407) return `it needs a login (status ${status}), and credentials are not supported`;
  if (status >= 400) return `status ${status}, so there is no page to record`;
  if (/^\s*attachment/i.test(headerIn(document.headers, "content-disposition") ?? ""))
    return "it is a download, not a page";
  const [type = ""] = (headerIn(document.headers, "content-type") ?? "").split(";");
  if (type.trim() && !/^\s*(text\/html|application\/xhtml\+xml)\s*$/i.test(type))
    return `its type is ${type.trim()}, but a page starts with HTML`;
  return null;
}

export function reasonOf({ error }: Pick<Incomplete, "error">): string {
  const { code = "", message = "no response" } = error ?? {};
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `no such host, or no name server answers (${code})`;
  if (code === "ECONNREFUSED") return "the connection was refused: no server listens there";
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH/.test(code))
    return `its certificate is not valid (${code}); --insecure accepts it`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
    return `it does not speak TLS (${code}); without TLS, write http://`;
  return code ? `${message} (${code})` : message;
}
