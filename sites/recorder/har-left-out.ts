/** What a HAR lacks, as sentences. */

import { counted } from "../../schema/words.ts";
import type { FilePlan } from "../har/file-plan.ts";
import { isPixelType } from "../har/filler-picture.ts";
import type { HarEntry } from "../har/har-entry.ts";
import { headerIn, type SeenExchange } from "./seen-exchange.ts";

/** An entry as it is kept, and the response that is made of it. */
export interface HarExchange {
  entry: HarEntry;
  /** Absent for a response without a body. */
  plan?: FilePlan;
  /** Whether the recorded body is shorter than the response was. */
  isCut: boolean;
  exchange: SeenExchange;
}

/** @param ofPage those of the page that is kept */
export function aboutHar(
  entries: readonly HarEntry[],
  ofPage: readonly HarEntry[],
  kept: readonly HarExchange[],
): string[] {
  const inPage = new Set(ofPage);
  const answered = ofPage.filter(({ status }) => status >= 200 && status <= 599);
  const numbers = new Set(kept.map(({ entry }) => entry.number));
  const bodies = kept.filter(({ plan }) => plan);
  const lacking = bodies.filter(({ entry }) => entry.text === null);
  const truncated = bodies.filter(({ isCut }) => isCut);
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
      "from a cache, for a URL that the network answered too",
    ),
    ...listed(
      lacking.map(({ entry }) => entry),
      "without a body: filler of the same size and type is kept instead",
    ),
    ...listed(
      truncated.map(({ entry }) => entry),
      "with a truncated body: padded with filler; pictures are replaced by filler",
    ),
    ...listed(
      lacking
        .filter(({ entry, plan, exchange }) => isPixelType(entry.type) && exchange.body.length > plan!.bytes)
        .map(({ entry }) => entry),
      "with a picture that is larger than recorded, because none is smaller",
    ),
    ...listed(
      bodies.filter(({ plan }) => plan?.isAssumed).map(({ entry }) => entry),
      "without a size: it is assumed from others of the same type",
    ),
    ...listed(
      recoded.map(({ entry }) => entry),
      "with a content coding that the lab does not have: compressed by Brotli",
    ),
    ...listed(
      ofPage.filter(({ status }) => status === 304),
      "with status 304: kept as 200, because an empty cache gets the body",
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
