import { counted } from "../../../schema/words.ts";
import { requestedBy, type Use } from "../../../sites/edits/requested-by.ts";
import { without } from "../../../sites/edits/without.ts";
import { type Change, defineChange, inKilobytes, type SeenPage } from "../change.ts";

/** Each file costs a load over each link in each round, so only the largest are tried one by one. */
const mostFiles = 8;

const kinds: readonly (readonly [kind: Use, name: string])[] = [
  ["script", "script"],
  ["style", "style sheet"],
  ["image", "image"],
  ["font", "font"],
  ["frame", "frame"],
];

export const change = defineChange({
  name: "without",
  title: "without a file, or without all files of a kind",
  changesOf({ seen }) {
    if (!seen) return [];
    const files = largest(seen);
    const single = files.slice(0, mostFiles).map(({ path, bytes }) => ofFiles(`without:${path}`, path, [path], bytes));
    const all = kinds.flatMap(([kind, name]) => {
      const own = files.filter(({ as }) => (as === "module" ? "script" : as) === kind);
      if (own.length < 2) return [];
      const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
      const paths = own.map(({ path }) => path);
      return [ofFiles(`without-${kind}s`, `all ${counted(own.length, name)}`, paths, bytes)];
    });
    return [...single, ...all];
  },
});

const ofFiles = (name: string, what: string, paths: string[], bytes: number): Change => ({
  name,
  title: `leave out ${what} (${inKilobytes(bytes)})`,
  edit: without(paths),
  takesAway: (path) => paths.includes(path),
});

/** The files that markup and style sheets request, the largest first. */
function largest({ page, document, requests }: SeenPage) {
  const sent = new Map(requests.map(({ path, bytes }) => [path, bytes]));
  return requestedBy(page, document)
    .flatMap((one) => (sent.has(one.path) ? [{ ...one, bytes: sent.get(one.path)! }] : []))
    .sort((a, b) => b.bytes - a.bytes);
}
