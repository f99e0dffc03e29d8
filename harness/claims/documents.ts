/** Writes the numbers of claims into documents, between markers: a table of an experiment's claims, or one claim's number. */
import { existsSync, readFileSync } from "node:fs";
import { claimsTable, type JudgedClaim, valueText } from "./claims-markdown.ts";

/** The documents that have numbers of claims. */
const documents = [
  "README.md",
  "docs/papers.md",
  "docs/today.md",
  "docs/explain.md",
  "docs/statistics.md",
  "results/reference/README.md",
  "results/reference-virtual/README.md",
].filter((path) => existsSync(path));

/**
 * `<!-- claims:EXPERIMENT -->`, `<!-- claim:EXPERIMENT/ID -->` and, for the number in another run of the experiment,
 * `<!-- claim:EXPERIMENT/ID@RUN -->`, each up to the marker that ends it.
 */
const marked = /<!-- (claims?):([\w-]+)(?:\/([\w-]+)(?:@([\w-]+))?)? -->([\s\S]*?)<!-- \/claims? -->/g;

/** The experiments whose claims a text shows. */
export const namedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(marked)].map(([, , experiment]) => experiment!)),
];

/** @param claimsOf the judged claims of an experiment, by its own run or by the one that is given; null if it has none */
export function rewritten(
  text: string,
  claimsOf: (experiment: string, run?: string) => readonly JudgedClaim[] | null,
): string {
  return text.replace(marked, (_, kind: string, experiment: string, id?: string, run?: string) => {
    const claims = claimsOf(experiment, run);
    if (!claims) throw new Error(`there is no experiments/${experiment}.claims.yml, which a document names`);
    if (kind === "claims") return `<!-- claims:${experiment} -->\n\n${claimsTable(claims)}\n\n<!-- /claims -->`;
    const claim = claims.find((one) => one.id === id);
    if (!claim) throw new Error(`experiments/${experiment}.claims.yml has no claim ${id}, which a document names`);
    const name = run === undefined ? id : `${id}@${run}`;
    const shown = claim.numbers.map((number) => valueText(claim.claim, number)).join("; ");
    return `<!-- claim:${experiment}/${name} -->${shown}<!-- /claim -->`;
  });
}

export const readDocuments = () => documents.map((path) => ({ path, text: readFileSync(path, "utf8") }));
