/** Removes from exchanges what a recording never keeps, and lists what was removed. */
import { inOneLine } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { urlWithoutCredentials } from "../har/recorded-url.ts";
import { namePattern } from "../recorded/recording.ts";
import { sortHeaders } from "./kept-headers.ts";
import { withoutPrivateValues } from "./private-values.ts";
import type { Seen, SeenExchange } from "./seen-exchange.ts";

export interface Cleaned {
  url: string;
  exchanges: SeenExchange[];
  leftOut: string[];
}

export function cleaned({ url, exchanges, leftOut }: Seen, keepsQueries: boolean): Cleaned {
  const parameters = new Counts();
  const headers = new Counts();
  const found = keepsQueries ? null : (name: string) => parameters.add(name);
  const clean = (one: string) => plainUrl(found ? withoutPrivateValues(one, found) : one);
  const possible = exchanges.filter(isPossible);
  const kept = possible.map((one) => {
    const sorted = sortHeaders(one.headers, found);
    for (const name of new Set(sorted.leftOut)) headers.add(name);
    return {
      ...one,
      url: clean(one.url),
      headers: sorted.kept,
      startMs: tenths(one.startMs),
      waitMs: one.waitMs === null ? null : tenths(one.waitMs),
    };
  });
  const cookies = headers.take("set-cookie");
  return {
    url: plainUrl(keepsQueries ? url : withoutPrivateValues(url)),
    exchanges: kept,
    leftOut: [
      ...leftOut.map((one) => inOneLine(keepsQueries ? one : withoutPrivateValues(one))),
      ...strange(
        exchanges.filter((one) => !isPossible(one)),
        found,
      ),
      ...(cookies ? [`cookies that ${counted(cookies, "response")} set`] : []),
      ...parameters.listed("values of query parameters, replaced by a hash"),
      ...headers.listed("headers that do not affect a load"),
    ],
  };
}

/** Whether a recording can have this exchange. Some sites send a status such as 999, and some URLs contain an entire document. */
const isPossible = ({ status, url }: SeenExchange): boolean =>
  status >= 200 && status <= 599 && url.length <= mostUrlLetters && namePattern.test(new URL(url).host);
const mostUrlLetters = 20_000;
const mostShownLetters = 200;

const strange = (some: readonly SeenExchange[], found: ((name: string) => void) | null): string[] =>
  some.map(({ method, url, status }) => {
    const plain = urlWithoutCredentials(url);
    const shown = (found ? withoutPrivateValues(plain, found) : plain).slice(0, mostShownLetters);
    return inOneLine(`${method} ${shown}: ${whyNot({ url, status })}`);
  });

function whyNot({ url, status }: Pick<SeenExchange, "url" | "status">): string {
  if (url.length > mostUrlLetters) return `a URL of ${url.length} characters`;
  return namePattern.test(new URL(url).host)
    ? `status ${status}; HTTP allows 200 to 599 for final responses`
    : "its host name is invalid";
}

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** Removes user, password and fragment from a URL. Fragments are not needed, because browsers do not send them to servers. */
function plainUrl(text: string): string {
  const url = new URL(text);
  [url.username, url.password, url.hash] = ["", "", ""];
  return url.href;
}

class Counts {
  readonly #of = new Map<string, number>();

  add(name: string): void {
    this.#of.set(name, (this.#of.get(name) ?? 0) + 1);
  }

  take(name: string): number {
    const count = this.#of.get(name) ?? 0;
    this.#of.delete(name);
    return count;
  }

  listed(what: string): string[] {
    if (this.#of.size === 0) return [];
    const all = [...this.#of].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name} (${count})`);
    return [inOneLine(`${what}: ${all.join(", ")}`)];
  }
}
