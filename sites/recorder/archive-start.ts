/** Finds an archive's page: the document that no other page requested, and the redirects to this document. */
import { usageError } from "../../schema/errors.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { mediaTypeOf } from "../har/media-type.ts";
import { quoted } from "../har/recorded-url.ts";
import { isHtmlType } from "../imported/text-encoding.ts";
import { headerIn, type SeenExchange } from "./seen-exchange.ts";

/** An archive's exchange, and a function that returns a request header. Request headers show the purpose of the request. */
export interface ArchivedExchange extends SeenExchange {
  requested(name: string): string | undefined;
}

/** @param start the page's URL, if the user named it @returns redirects, and the document at the end @throws LabError (usage) */
export function startsOf(file: string, all: readonly ArchivedExchange[], start?: string): ArchivedExchange[] {
  const gets = all.filter(({ method }) => method === "GET");
  if (start !== undefined) {
    const chain = chainFrom(
      gets.find(({ url }) => url === start),
      gets,
    );
    if (chain) return chain;
    throw usageError(`${file} has no document at ${quoted(start)} (--url)${among(pagesIn(gets))}`);
  }
  const pages = pagesIn(gets);
  const [chain] = pages;
  if (!chain) throw usageError(`${file} has no HTML document with which a page could start`);
  if (pages.length > 1) throw usageError(`${file} has several pages; give --url${among(pages)}`);
  return chain;
}

function pagesIn(gets: readonly ArchivedExchange[]): ArchivedExchange[][] {
  const chains = gets.filter(isNavigation).flatMap((one) => {
    const chain = chainFrom(one, gets);
    return chain ? [chain] : [];
  });
  // A document to which another page redirects is not a separate page.
  const followed = new Set(chains.flatMap((chain) => chain.slice(1)));
  return chains.filter(([first]) => first && !followed.has(first));
}

/** Browsers send a request's purpose (Sec-Fetch-Dest). Older browsers sent only the accepted types, and the requesting page (Referer). */
function isNavigation({ requested }: ArchivedExchange): boolean {
  const destination = requested("sec-fetch-dest");
  if (destination !== undefined) return destination === "document";
  return /^text\/html/.test(requested("accept") ?? "") && requested("referer") === undefined;
}

const mostRedirects = 20;

/** Follows redirects. @returns null if the redirects do not end with a document */
function chainFrom(first: ArchivedExchange | undefined, gets: readonly ArchivedExchange[]): ArchivedExchange[] | null {
  const chain: ArchivedExchange[] = [];
  for (let one = first; one && chain.length <= mostRedirects && !chain.includes(one); ) {
    chain.push(one);
    const { headers, status, url: base } = one;
    if (status < 300) return isHtmlType(mediaTypeOf([headerIn(headers, "content-type")]).type) ? chain : null;
    const location = headerIn(headers, "location");
    const target = status < 400 && location !== undefined ? parsedUrl(location, base) : null;
    if (!target) return null;
    target.hash = "";
    one = gets.find(({ url }) => url === target.href);
  }
  return null;
}

const mostShown = 5;
const among = (pages: readonly ArchivedExchange[][]): string =>
  pages.length
    ? `; its pages: ${pages
        .slice(0, mostShown)
        .map(([first]) => quoted(first?.url ?? ""))
        .join(", ")}${pages.length > mostShown ? " and others" : ""}`
    : "";
