/** Reads the traces of shaper/rate-traces/, which say how the rates of links vary. Each file defines a link with the name of the file. */
import { readdirSync } from "node:fs";
import { z } from "zod";
import { usageError } from "../schema/errors.ts";
import type { Link } from "../schema/link.ts";
import { nameSchema } from "../schema/names.ts";
import { fastestMbps, meanMbps, periodMs, type RateStep, type RateTrace } from "../schema/rate-trace.ts";
import { inRange, parseQuantity, readQueueLimit } from "../schema/units.ts";
import { readYamlFile } from "../schema/yaml-file.ts";

export const rateTracesFolder = "shaper/rate-traces";
const ending = ".yml";
export const rateTracePath = (name: string) => `${rateTracesFolder}/${name}${ending}`;

/** A trace that carries nothing for this time is refused. A minute is longer than every timer of TCP that matters in a load. */
const longestSilenceMs = 60_000;
/** The manifest and each lane's input contain all steps, so this limits their size. It allows half an hour in steps of 0.3 s. */
const mostSteps = 6000;

const text = z.union([z.string(), z.number()]);
export const rateTraceFile = z.strictObject({
  /** Where the trace is from */
  source: z.string(),
  ...{ rtt: text, loss: text, queue: text },
  /** Steps, separated by commas: each has a duration in ms and a rate to the client in Mb/s (0: nothing is sent) */
  down: z.string(),
  /** Steps of the rate from the client */
  up: z.string(),
});

export interface TracedLink {
  link: Link;
  trace: RateTrace;
}

/** @throws LabError (usage) that names the file, the direction and what is wrong */
export function readRateTraces(folder = rateTracesFolder): Record<string, TracedLink> {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
  return Object.fromEntries(names.sort().map((name) => [name, readRateTrace(name, `${folder}/${name}${ending}`)]));
}

function readRateTrace(given: string, path: string): TracedLink {
  const name = nameSchema.safeParse(given);
  if (!name.success) throw usageError(`${path}: ${name.error.issues[0]!.message}`);
  const raw = readYamlFile(path, rateTraceFile);
  const steps = (direction: "down" | "up") => checkedSteps(parseSteps(raw[direction], path), `${path}: ${direction}`);
  const trace = { name: given, down: steps("down"), up: steps("up") };
  const link = {
    downMbps: meanMbps(trace.down),
    upMbps: meanMbps(trace.up),
    rttMs: parseQuantity("rttMs", raw.rtt, `${path}: rtt`),
    lossPercent: parseQuantity("lossPercent", raw.loss, `${path}: loss`),
    ...readQueueLimit(raw.queue, `${path}: queue`),
    trace,
  };
  return { link, trace };
}

function parseSteps(text: string, path: string): RateStep[] {
  return text.split(",").map((pair) => {
    const [, ms, mbps] = /^\s*([\d.]+)\s+([\d.]+)\s*$/.exec(pair) ?? [];
    if (ms === undefined || !(Number(ms) > 0))
      throw usageError(
        `${path}: "${pair.trim()}" is not a step: it must be a time in ms, more than 0, and a rate in Mb/s, as in "500 12.1"`,
      );
    return [Number(ms), Number(mbps)];
  });
}

/** Joins neighbouring steps of the same rate. @throws LabError (usage) if no link can have these steps */
export function checkedSteps(given: readonly RateStep[], where: string): RateStep[] {
  const steps: RateStep[] = [];
  for (const [ms, mbps] of given) {
    const last = steps.at(-1);
    if (last?.[1] === mbps) last[0] += ms;
    else steps.push([ms, mbps === 0 ? 0 : inRange("rateMbps", mbps, where)]);
  }
  if (steps.length === 0 || fastestMbps(steps) === 0) throw usageError(`${where}: the trace carries no bytes`);
  if (steps.length > mostSteps)
    throw usageError(
      `${where}: the trace has ${steps.length} steps of different rates; at most ${mostSteps} are allowed: cut it`,
    );
  const silenceMs = longestSilence(steps);
  if (silenceMs >= longestSilenceMs)
    throw usageError(
      `${where}: the trace carries nothing for ${Math.round(silenceMs / 1000)} s; less than ${longestSilenceMs / 1000} s is allowed`,
    );
  inRange("rateMbps", meanMbps(steps), `${where}: the average rate, Mb/s`);
  return steps;
}

/** Finds the longest time without bytes. A trace repeats, so the end and the beginning may be one such time. */
function longestSilence(steps: readonly RateStep[]): number {
  let [longest, nowMs] = [0, 0];
  for (const [ms, mbps] of [...steps, ...steps]) {
    nowMs = mbps === 0 ? nowMs + ms : 0;
    longest = Math.max(longest, nowMs);
  }
  return Math.min(longest, periodMs(steps));
}

/** Returns the text of a trace's file. @param source a sentence about where the trace is from @param settings values as in links.yml */
export function rateTraceText(
  source: string,
  settings: { rtt: string; loss: string; queue: string },
  trace: Pick<RateTrace, "down" | "up">,
): string {
  const lines = (steps: readonly RateStep[]) => {
    const words = steps.map(([ms, mbps]) => `${ms} ${mbps}`);
    const rows = Array.from({ length: Math.ceil(words.length / 10) }, (_, i) =>
      words.slice(10 * i, 10 * i + 10).join(", "),
    );
    return `>-\n  ${rows.join(",\n  ")}`;
  };
  const { rtt, loss, queue } = settings;
  return `source: ${JSON.stringify(source)}\nrtt: ${rtt}\nloss: ${loss}\nqueue: ${queue}\ndown: ${lines(trace.down)}\nup: ${lines(trace.up)}\n`;
}
