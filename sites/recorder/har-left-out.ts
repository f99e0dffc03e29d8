/** Writes sentences about what a HAR lacks. */

import { counted } from "../../schema/words.ts";
import type { FilePlan } from "../har/file-plan.ts";
import { isLargerPicture, largerPicture } from "../har/filler-picture.ts";
import type { HarEntry } from "../har/har-entry.ts";
import { headerIn, type SeenExchange } from "./seen-exchange.ts";

/** A kept entry, and the response that is made from it. */
export interface HarExchange {
  entry: HarEntry;
  /** Absent for a response without a body. */
  plan?: FilePlan;
  /** Whether the recorded body is shorter than the body that the server sent. */
  isCut: boolean;
  /** The body before it is compressed. */
  content: Buffer;
  exchange: SeenExchange;
}

/** @param ofPage the entries of the page that the recording keeps */
export function aboutHar(
  entries: readonly HarEntry[],
  ofPage: readonly HarEntry[],
  kept: readonly HarExchange[],
): string[] {
  const inPage = new Set(ofPage);
  const answered = ofPage.filter(({ status }) => status >= 200 && status <= 599);
  const numbers = new Set(kept.map(({ entry }) => entry.number));
  const recoded = kept.filter(({ entry }) => /zstd|dc[bz]|,/i.test(codingOf(entry)));
  return [
    ...listed(
      entries.filter((one) => !inPage.has(one)),
      "of another page load",
    ),
    ...listed(
      ofPage.filter((one) => !answered.includes(one)),
      "without a response",
    ),
    ...listed(
      answered.filter(({ number }) => !numbers.has(number)),
      "from a cache, for a request that also has a response from the network",
    ),
    ...aboutFiller(kept),
    ...listed(
      recoded.map(({ entry }) => entry),
      "with a content coding that the lab does not support: compressed by Brotli instead",
    ),
    ...listed(
      ofPage.filter(({ status }) => status === 304),
      "with status 304: kept as 200, because a browser with an empty cache gets the body",
    ),
  ];
}

function aboutFiller(kept: readonly HarExchange[]): string[] {
  const about = (isMeant: (one: HarExchange, plan: FilePlan) => boolean, what: string) =>
    listed(
      kept.filter((one) => one.plan && isMeant(one, one.plan)).map(({ entry }) => entry),
      what,
    );
  return [
    ...about(({ entry }) => entry.text === null, "without a body: filler of the same size and type is kept instead"),
    ...about(({ isCut }) => isCut, "with a truncated body: padded with filler; pictures are replaced by filler"),
    ...about(
      ({ entry, content }, plan) => isLargerPicture(entry.type, content, plan),
      `with a picture that is ${largerPicture}`,
    ),
    ...about(
      (_, plan) => plan.isAssumed,
      "without a size: assumed to be the median size of the other files of the same type, or 10 kB",
    ),
  ];
}

const codingOf = ({ headers }: HarEntry): string => headerIn(headers, "content-encoding") ?? "";

const mostShown = 5;
function listed(some: readonly HarEntry[], what: string): string[] {
  if (some.length === 0) return [];
  const shown = some
    .slice(0, mostShown)
    .map(({ number }) => number)
    .join(", ");
  return [
    `${counted(some.length, "entry", "entries")} ${what} (number ${shown}${some.length > mostShown ? ", ..." : ""})`,
  ];
}
