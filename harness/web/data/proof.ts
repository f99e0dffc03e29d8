/** A load's proof, axis by axis: what the evidence shows of what was configured, and the verdict. */
import { axes } from "../../../axes/registry.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import type { Judgement } from "../../judge/load.ts";
import type { ProofLine } from "./load-model.ts";
import { seenOf } from "./seen.ts";

/** @param judgement null for a load that failed, whose axes are judged all the same */
export function proofOf(
  evidence: Evidence,
  { values }: Condition,
  registries: Registries,
  judgement: Judgement | null,
): ProofLine[] {
  const lines = axes.map((axis): ProofLine => {
    const value = values[axis.name]!;
    const verdict = axis.proves(value, values, evidence, registries);
    const line = { what: axis.name, seen: seenOf(axis.name, evidence) };
    if (verdict === "confirmed") return { ...line, verdict, because: "" };
    if ("contradicts" in verdict) return { ...line, verdict: "contradicted", because: verdict.contradicts.join("; ") };
    if ("inconclusive" in verdict) return { ...line, verdict: "inconclusive", because: verdict.inconclusive };
    return { ...line, verdict: "not observable", because: verdict.notObservable };
  });
  const ofAxes = new Set(
    lines.filter(({ verdict }) => verdict === "contradicted").flatMap(({ because }) => because.split("; ")),
  );
  const others = (judgement?.contradictions ?? []).filter((one) => !ofAxes.has(one));
  return [...lines, ...(judgement ? [wholeLine(evidence, others)] : [])];
}

/** The rules that hold for every load, whatever its condition (harness/judge/load.ts). */
const wholeLine = (evidence: Evidence, contradictions: string[]): ProofLine => ({
  what: "every load",
  seen: seenOf("every load", evidence),
  verdict: contradictions.length ? "contradicted" : "confirmed",
  because: contradictions.join("; "),
});
