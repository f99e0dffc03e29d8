/** Reads all entries of a recording (HTTP Archive 1.2), for imports and for surveys. */
import { z } from "zod";
import { counted } from "../../schema/words.ts";
import { check } from "../../schema/yaml-file.ts";
import { type HarEntry, readEntry } from "./har-entry.ts";
import { parseHarFile } from "./har-file.ts";
import { withoutCredentials } from "./recorded-url.ts";

const har = z.looseObject({
  log: z.looseObject({
    creator: z.looseObject({ name: z.string() }).nullish().catch(null),
    pages: z
      .array(
        z
          .looseObject({ id: z.union([z.string(), z.number()]), title: z.string().nullish().catch(null) })
          .nullable()
          .catch(null),
      )
      .nullish()
      .catch(null),
    entries: z.array(z.unknown()).min(1, { error: "has no entries: nothing was recorded" }),
  }),
});

export interface HarEntries {
  /** The entries, sorted by the start of their requests. */
  entries: HarEntry[];
  /** Each page's title by the page's id. Users and passwords in the title's URLs are removed. */
  titles: ReadonlyMap<string, string>;
  leftOut: LeftOut;
  /** Name and version of the program that wrote the file; empty if they were not recorded. */
  creator: string;
}

/** @throws LabError (usage) for a file that is not a HAR, is incomplete or is too large */
export const readHarEntries = (file: string): HarEntries => entriesOf(parseHarFile(file), file);

/** @param file the file's name in messages */
export function entriesOf(parsed: unknown, file: string): HarEntries {
  const { log } = check(parsed, har, file);
  const leftOut = new LeftOut();
  const entries: HarEntry[] = [];
  log.entries.forEach((value, i) => {
    const entry = readEntry(value, i + 1, log.creator?.name ?? "");
    if ("leftOut" in entry) leftOut.add(entry.leftOut, i + 1);
    else entries.push(entry);
  });
  const titles = log.pages?.flatMap((page) =>
    page?.title ? [[String(page.id), withoutCredentials(page.title)] as const] : [],
  );
  const creator = [log.creator?.name, log.creator?.version].filter((one) => typeof one === "string").join(" ");
  return { entries: inOrder(entries), titles: new Map(titles), leftOut, creator };
}

/** Sorts entries, which may be unordered (HAR 1.2, section "entries"). An entry without a time gets the time of the entry before it in the file. */
function inOrder(entries: readonly HarEntry[]): HarEntry[] {
  let lastMs = Number.NEGATIVE_INFINITY;
  const timed = entries.map((entry) => {
    lastMs = Number.isNaN(entry.startMs) ? lastMs : entry.startMs;
    return { entry, startMs: lastMs };
  });
  return timed.sort((a, b) => (a.startMs === b.startMs ? 0 : a.startMs - b.startMs)).map(({ entry }) => entry);
}

export class LeftOut {
  readonly #numbers = new Map<string, number[]>();

  add(why: string, number: number): void {
    const numbers = this.#numbers.get(why);
    if (numbers) numbers.push(number);
    else this.#numbers.set(why, [number]);
  }

  sentences(): string[] {
    return [...this.#numbers].map(([why, numbers]) => {
      const shown = numbers.toSorted((a, b) => a - b).slice(0, mostShown);
      const more = numbers.length > mostShown ? ", ..." : "";
      return `${counted(numbers.length, "entry", "entries")} left out: ${why} (number ${shown.join(", ")}${more})`;
    });
  }
}
const mostShown = 5;
