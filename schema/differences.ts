import { isDeepStrictEqual } from "node:util";
import { leavesOf, type Patch } from "./settings.ts";

/** In words, where two versions of a record differ: "machine.cores was 4 and is 8". Arrays are compared as a whole. */
export function differences(before: object, after: object): string[] {
  const [was, is] = [leavesOf(before as Patch), leavesOf(after as Patch)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => !isDeepStrictEqual(was.get(path), is.get(path)))
    .map((path) => `${path} was ${shown(was.get(path))} and is ${shown(is.get(path))}`);
}

/** As JSON, in which "1" and 1, or [1, 2] and "1,2", are not the same. */
const shown = (value: unknown): string => JSON.stringify(value) ?? "absent";
