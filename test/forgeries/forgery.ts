/** The definition of a forgery, and helpers for forgeries that alter one load. */
import type { GoodLoad } from "../../schema/records.ts";
import type { Fault } from "../faults/fault.ts";
import { type RunFiles, take } from "./run-files.ts";

export interface Forgery {
  what: string;
  forge(files: RunFiles): void;
  /** What `./lab verify` must report; null if nothing contradicts the forgery, so that only the published digest or a repetition reveals it. */
  message: RegExp | null;
}

/** Forgeries of a single load alter the load of this condition. */
export const victim = "A/1s/10x1-100ms-0%/h1/iw10";
export const victimsLink = victim.split("/")[2]!;
export const isVictim = ({ condition }: GoodLoad) => condition === victim;
const conditionOf = ({ page, servers, link, protocol, initcwnd }: GoodLoad, news: Record<string, unknown>): string => {
  const all = { page, servers, link, protocol, initcwnd, ...news };
  return `${all.page}/${all.servers}s/${all.link}/${all.protocol}/iw${all.initcwnd}`;
};

export const onLoad = (
  what: string,
  change: (load: GoodLoad) => void,
  message: RegExp | null,
  is = isVictim,
): Forgery => ({
  what,
  forge: (files) => change(take(files, is)),
  message,
});
/** Makes a forgery that writes a fault (test/faults) into the evidence of a load. */
export const forged = ({ what, inEvidence, message, isVictim: is }: Fault): Forgery =>
  onLoad(what, ({ evidence }) => inEvidence!(evidence), message, is);

/** Two loads exchange their results, so that each counts as a sample of the other's condition. @param change is made to both loads, too */
export const exchange = (
  what: string,
  news: Record<string, unknown>,
  message: RegExp,
  change: (load: GoodLoad) => void = () => {},
): Forgery => ({
  what: `results exchanged between two loads that differ in ${what}`,
  forge(files) {
    const one = take(files, isVictim);
    const other = take(files, ({ condition }) => condition === conditionOf(one, news));
    [one.evidence, other.evidence] = [other.evidence, one.evidence];
    [one.pageLoadMs, other.pageLoadMs] = [other.pageLoadMs, one.pageLoadMs];
    [one.wallMs, other.wallMs] = [other.wallMs, one.wallMs];
    [one.trace, other.trace] = [other.trace, one.trace];
    [one, other].forEach(change);
  },
  message,
});
