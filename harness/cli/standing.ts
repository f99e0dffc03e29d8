/** A run's progress and its remaining time. */

import { inOneLine } from "../../schema/foreign-words.ts";
import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { spoken } from "../../schema/spoken-time.ts";
import { observedIn } from "../judge/load/observed.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { estimateSeconds } from "../run/estimate.ts";
import type { RunEvent, Start } from "../run/run-events.ts";

/** How long measuring a link takes on the real clock if the first measurement is within tolerance. */
const calibrationSeconds = 15;

/** How long a load of each condition takes, relative to other conditions. */
export interface Weights {
  of(condition: string): number;
  /** Whether the weights are seconds. Otherwise they have no unit, and only their ratios matter. */
  inSeconds: boolean;
}

export class Standing {
  readonly total: number;
  done: number;
  doing = "starting";
  readonly #weightOf: (condition: string) => number;
  readonly #now: () => number;
  #weightLeft: number;
  /** The end of the first load. Estimates leave out the time before it, in which links were measured and browsers started. */
  #since: { ms: number; weight: number } | null = null;
  #weightMade = 0;
  /** Links that the current chunk has not measured yet. */
  #linksLeft = 0;
  readonly #inSeconds: boolean;

  /** @param left the planned loads that are still to make */
  constructor(plan: PlannedLoad[], left: PlannedLoad[], { of: weightOf, inSeconds }: Weights, now = Date.now) {
    this.#inSeconds = inSeconds;
    this.total = plan.length;
    this.done = plan.length - left.length;
    this.#weightOf = weightOf;
    this.#now = now;
    this.#weightLeft = left.reduce((sum, { condition }) => sum + weightOf(condition.id), 0);
  }

  event(event: RunEvent): void {
    if (event.kind === "lane starts") {
      this.doing = beginning(event.chunk);
      this.#linksLeft = event.chunk.calibrate.length;
    }
    if (event.kind === "message") this.#message(event.message, event.chunk);
  }

  #message(message: LaneMessage, chunk: LoadChunk): void {
    if (message.kind === "calibration") {
      const { link, final, attempt, deviations } = message.calibration;
      const at = chunk.calibrate.findIndex(({ link }) => linkOf(link) === linkOf(message.calibration.configured));
      const next = chunk.calibrate[at + 1];
      if (final) this.#linksLeft--;
      if (!final)
        this.doing = `${inOneLine(link)} was ${deviations.length ? "out of tolerance" : "measured"}: measuring it again, attempt ${attempt + 1}`;
      else if (next) this.doing = measuring(chunk, at + 1);
      else if (chunk.loads.length > 0) this.doing = startingBrowser;
    } else if (message.kind === "lane" && chunk.loads.length > 0) this.doing = "making a warm-up load";
    else if (message.kind === "load") this.#load(message.load, chunk);
  }

  #load(load: LoadRecord, chunk: LoadChunk): void {
    this.doing = describe(load);
    if (observedIn(chunk, load) === null) return;
    const weight = this.#weightOf(load.condition);
    this.done++;
    this.#weightLeft = Math.max(0, this.#weightLeft - weight);
    this.#since ??= { ms: this.#now(), weight: this.#weightMade + weight };
    this.#weightMade += weight;
  }

  left(): string {
    const seconds = this.secondsLeft();
    if (seconds !== null) return `${spoken(seconds)} left`;
    if (this.done >= this.total) return "done";
    if (!this.#inSeconds) return "time left not known yet";
    return `about ${spoken(this.#weightLeft + this.#linksLeft * calibrationSeconds)} left`;
  }

  /** Estimates the remaining time from this run's loads. Returns null before two loads have ended, and at the end. */
  secondsLeft(): number | null {
    if (this.done >= this.total || !this.#since || this.#weightMade <= this.#since.weight) return null;
    const secondsPerWeight = (this.#now() - this.#since.ms) / 1000 / (this.#weightMade - this.#since.weight);
    return this.#weightLeft * secondsPerWeight;
  }
}

const linkOf = (link: object) => JSON.stringify(link);
const measuring = (chunk: LoadChunk, at: number) => {
  const { downMbps, upMbps, rttMs, lossPercent } = chunk.calibrate[at]!.link;
  return `measuring link ${at + 1} of ${chunk.calibrate.length}: ${downMbps}/${upMbps} Mb/s, ${rttMs} ms, ${lossPercent}%`;
};
const startingBrowser = "starting the browser";
const beginning = (chunk: LoadChunk) => (chunk.calibrate.length ? measuring(chunk, 0) : startingBrowser);

export const describe = (load: LoadRecord) =>
  `${inOneLine(load.condition)}: ${load.ok ? `${Math.round(load.pageLoadMs)} ms` : inOneLine(load.reason)}`;

/** On the real clock, a load's weight is its estimated duration; on the virtual clock, loads of all conditions take about the same time. */
export function standingOf({ manifest, plan, missing }: Start): Standing {
  const inSeconds = manifest.clock === "real";
  const conditions = inSeconds ? conditionsOfRun(manifest) : [];
  const seconds = new Map(
    conditions.map((condition) => [condition.id, estimateSeconds(condition, manifest.registries.protocols)]),
  );
  return new Standing(plan, missing, { of: (condition) => seconds.get(condition) ?? 1, inSeconds });
}
