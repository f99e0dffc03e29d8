/** The time of each part on a load's critical path. */
import type { GoodLoad } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { criticalPath, type Step } from "./critical-path.ts";
import { loadGraph } from "./load-events.ts";
import { type Part, partNames } from "./parts.ts";

export interface Account {
  /** Milliseconds; they add up to the page load time. */
  parts: Record<Part, number>;
  steps: Step[];
}

/** Why a load has no account. */
export const whyUnexplained = ({ quicFlows }: Trace): string =>
  quicFlows.length > 0
    ? "QUIC encrypts acknowledgments and hides retransmissions, so that packets do not show what each waited for"
    : "its packets cannot be told from those of another connection";

interface AccountOptions {
  /** Whether waiting for a busy connection is counted as the parts that this connection waited for meanwhile. */
  splitsWaiting?: boolean;
}

/** @returns null where the trace does not show what packets waited for */
export function accountOf(
  load: GoodLoad,
  trace: Trace,
  { splitsWaiting = false }: AccountOptions = {},
): Account | null {
  const end = loadGraph(load, trace)?.end;
  if (!end) return null;
  const steps = criticalPath(end, splitsWaiting);
  const sumOf = (part: Part) =>
    steps.reduce((sum, step) => sum + (step.part === part ? step.toUs - step.fromUs : 0), 0) / 1000;
  return { parts: Object.fromEntries(partNames.map((part) => [part, sumOf(part)])) as Account["parts"], steps };
}
