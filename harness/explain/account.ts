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
export const whyUnexplained = ({ evidence }: Pick<GoodLoad, "evidence">, { quicFlows }: Trace): string =>
  hasVaryingRate(evidence)
    ? "the link's rate varies, so that a packet's time in the queue and its transmission cannot be distinguished"
    : quicFlows.some(({ opened }) => !opened)
      ? "QUIC packets were not decrypted, so that they do not show what each waited for"
      : "its packets cannot be distinguished from those of another connection";

const hasVaryingRate = ({ link }: GoodLoad["evidence"]) => link.trace !== undefined;

/**
 * A gap longer than this many wake-ups is not a reaction of a program. A message within the browser takes about ten wake-ups. The browser
 * draws a frame only every 17 ms, and waiting for the next frame is not a reaction.
 */
const mostWakeUps = 50;

/**
 * On the virtual clock computing takes no time, and each wake-up takes a random time of up to twice the average. A longer gap counts as
 * unknown: it is another program's timer, or a wait that packets do not show.
 */
function reaction(step: Step, processingMs: number): Step {
  if (step.part !== "server" && step.part !== "browser") return step;
  const isDrawn = step.toUs - step.fromUs <= 1000 * mostWakeUps * 2 * processingMs;
  return { ...step, part: isDrawn ? "reaction" : "unknown" };
}

interface AccountOptions {
  /** Virtual clock: how long a program takes on average to react to an event. */
  processingMs?: number | undefined;
}

/** @returns null where the trace does not show what packets waited for */
export function accountOf(load: GoodLoad, trace: Trace, { processingMs }: AccountOptions = {}): Account | null {
  const end = hasVaryingRate(load.evidence) ? undefined : loadGraph(load, trace)?.end;
  if (!end) return null;
  const path = criticalPath(end);
  const steps = processingMs === undefined ? path : path.map((step) => reaction(step, processingMs));
  const sumOf = (part: Part) =>
    steps.reduce((sum, step) => sum + (step.part === part ? step.toUs - step.fromUs : 0), 0) / 1000;
  return { parts: Object.fromEntries(partNames.map((part) => [part, sumOf(part)])) as Account["parts"], steps };
}
