/** Writes results into documents, between markers: claims, a claim's number, counts of verdicts on a paper, or measured causes. */
import { existsSync, readFileSync } from "node:fs";
import { allClaims, readClaims } from "../plan/claims.ts";
import { readRun } from "../record/records.ts";
import { causeShare, whyAnswer } from "../why/why-markdown.ts";
import { type WhyReport, whyReport } from "../why/why-report.ts";
import { changedVerdicts } from "./changed-verdicts.ts";
import { claimsTable, type JudgedClaim, valueText } from "./claims-markdown.ts";
import { verdictOf, verdicts } from "./verdict.ts";

/** The documents that contain markers of the kinds below. */
const documents = [
  "README.md",
  "docs/papers.md",
  "docs/papers/spdy-draft.md",
  "docs/papers/ccr-2010-and-cs-244.md",
  "docs/papers/imc-2011.md",
  "docs/papers/other-papers.md",
  "docs/today.md",
  "docs/explain.md",
  "docs/why.md",
  "docs/statistics.md",
  "results/reference/README.md",
  "results/reference-virtual/README.md",
].filter((path) => existsSync(path));

/** `<!-- claims:EXPERIMENT -->`: all claims; `<!-- claim:EXPERIMENT/ID -->`: a claim's numbers (with `ID@RUN`, the numbers from that run). */
const marked = /<!-- (claims?):([\w-]+)(?:\/([\w-]+)(?:@([\w-]+))?)? -->([\s\S]*?)<!-- \/claims? -->/g;

/** `<!-- verdicts:DOCUMENT -->`: the counts of verdicts on the claims from a published document, whichever experiments measure them. */
const markedVerdicts = /<!-- verdicts:([^>]+) -->[\s\S]*?<!-- \/verdicts -->/g;

/** `<!-- why:RUN -->`: the answer of results/why/RUN; `<!-- why:RUN/CAUSE -->`: one cause's share. */
const markedCauses = /<!-- why:([\w-]+)(?:\/([\w-]+))? -->[\s\S]*?<!-- \/why -->/g;

/** `<!-- changed:EXPERIMENT@RUN -->`: the verdicts that differ if the experiment's claims are judged by RUN instead of its own run. */
const markedChanges = /<!-- changed:([\w-]+)@([\w/-]+) -->[\s\S]*?<!-- \/changed -->/g;

/** Returns the experiments whose claims a text shows. */
export const namedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(marked)].map(([, , experiment]) => experiment!)),
];

/** Judges an experiment's claims by the given run, or by the experiment's own run. Returns null if the experiment has no claims. */
type ClaimsOf = (experiment: string, run?: string) => readonly JudgedClaim[] | null;

export function rewritten(text: string, claimsOf: ClaimsOf): string {
  const counted = text.replace(
    markedVerdicts,
    (_, document: string) => `<!-- verdicts:${document} -->${verdictCounts(document, claimsOf)}<!-- /verdicts -->`,
  );
  const explained = counted.replace(markedCauses, (_, run: string, cause?: string) =>
    cause === undefined
      ? `<!-- why:${run} -->\n\n${whyAnswer(committedWhy(run))}\n\n<!-- /why -->`
      : `<!-- why:${run}/${cause} -->${causeShare(committedWhy(run), cause)}<!-- /why -->`,
  );
  const compared = explained.replace(markedChanges, (_, experiment: string, run: string) => {
    const own = readClaims(experiment) ?? noClaims(experiment);
    return `<!-- changed:${experiment}@${run} -->\n\n${changedVerdicts(own, run)}\n\n<!-- /changed -->`;
  });
  return compared.replace(marked, (_, kind: string, experiment: string, id?: string, run?: string) => {
    const claims = claimsOf(experiment, run) ?? noClaims(experiment);
    if (kind === "claims") return `<!-- claims:${experiment} -->\n\n${claimsTable(claims)}\n\n<!-- /claims -->`;
    const claim = claims.find((one) => one.id === id);
    if (!claim) throw new Error(`experiments/${experiment}.claims.yml has no claim ${id}, which a document names`);
    const name = run === undefined ? id : `${id}@${run}`;
    const shown = claim.numbers.map((number) => valueText(claim.claim, number)).join("; ");
    return `<!-- claim:${experiment}/${name} -->${shown}<!-- /claim -->`;
  });
}

function noClaims(experiment: string): never {
  throw new Error(`a document names experiments/${experiment}.claims.yml, which does not exist`);
}

const whyFolder = "results/why";
const reports = new Map<string, WhyReport>();

function committedWhy(run: string): WhyReport {
  const known = reports.get(run) ?? whyReport(readRun(`${whyFolder}/${run}`));
  reports.set(run, known);
  return known;
}

function verdictCounts(document: string, claimsOf: ClaimsOf): string {
  const own = allClaims().flatMap(({ experiment }) =>
    (claimsOf(experiment) ?? []).filter(({ claim }) => claim.source?.document === document),
  );
  if (own.length === 0)
    throw new Error(`a marker names the document "${document}", but no claim in experiments/ comes from this document`);
  const given = own.flatMap(({ claim, numbers }) => numbers.map((number) => verdictOf(claim, number)));
  return verdicts.map((verdict) => `${verdict}: ${given.filter((one) => one === verdict).length}`).join(", ");
}

export const readDocuments = () => documents.map((path) => ({ path, text: readFileSync(path, "utf8") }));
