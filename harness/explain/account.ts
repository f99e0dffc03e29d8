/** Computes how much time each part takes on a load's critical path. */
import type { GoodLoad } from "../../schema/records.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import type { Trace } from "../../schema/trace.ts";
import { criticalPath, type Step } from "./critical-path.ts";
import { loadGraph } from "./load-events.ts";
import { type Part, type PartsMs, partsOf } from "./parts.ts";

export interface Account {
  /** In milliseconds. The parts add up to the page load time. */
  parts: PartsMs;
  steps: Step[];
}

export const whyUnexplained = ({ evidence }: Pick<GoodLoad, "evidence">, { quicFlows }: Trace): string =>
  hasVaryingRate(evidence)
    ? "the link's rate varies, so a packet's time in the queue and its transmission time cannot be distinguished"
    : quicFlows.some(({ opened }) => !opened)
      ? "QUIC packets were not decrypted, so they do not show what each packet waited for"
      : "the packets of some requests cannot be identified in the trace";

const hasVaryingRate = ({ link }: GoodLoad["evidence"]) => link.trace !== undefined;

/** Programs react within this many wake-ups: a message within the browser takes about ten. A wait for the next frame, up to 17 ms, is no reaction. */
const mostWakeUps = 50;

/** On the virtual clock, computing takes no time, a wake-up at most 2 * processingMs. Longer than `mostWakeUps`: a configured wait or `unknown`. */
function reaction(step: Step, processingMs: number, toldMs: number): Step {
  if (step.part !== "server" && step.part !== "browser") return step;
  const drawnMs = mostWakeUps * 2 * processingMs;
  const tookMs = (step.toUs - step.fromUs) / 1000;
  if (tookMs <= drawnMs) return { ...step, part: "reaction" };
  return step.part === "server" && tookMs <= toldMs + drawnMs ? step : { ...step, part: "unknown" };
}

/** The longest time that servers are configured to wait before or within a response; 0 if none is configured. */
function longestToldMs(load: GoodLoad, { pages }: Partial<Pick<Registries, "pages">>): number {
  const { thinkTimeMs = 0, backEndTimeMs = 0, serverTimes, page } = load as Record<string, unknown>;
  const entry = pages?.[String(page)];
  const recorded =
    serverTimes === "recorded" && entry && isImported(entry) ? Object.values(entry.serverTimes ?? {}) : [];
  return Math.max(Number(thinkTimeMs), Number(backEndTimeMs), ...recorded);
}

interface AccountOptions {
  /** How long a program takes on average to react to an event on the virtual clock; undefined on the real clock. */
  processingMs?: number | undefined;
  /** The lab's hosts, which may differ in RTT, and pages, whose servers may be configured to wait. */
  registries?: Pick<Registries, "hosts"> & Partial<Pick<Registries, "pages">>;
}

/** @returns null if the trace does not show what packets waited for */
export function accountOf(
  load: GoodLoad,
  trace: Trace,
  { processingMs, registries }: AccountOptions = {},
): Account | null {
  const end = hasVaryingRate(load.evidence) ? null : loadGraph(load, trace, registries?.hosts);
  if (!end) return null;
  const path = criticalPath(end);
  const toldMs = longestToldMs(load, registries ?? {});
  const steps = processingMs === undefined ? path : path.map((step) => reaction(step, processingMs, toldMs));
  const sumOf = (part: Part) =>
    steps.reduce((sum, step) => sum + (step.part === part ? step.toUs - step.fromUs : 0), 0) / 1000;
  return { parts: partsOf(sumOf), steps };
}
