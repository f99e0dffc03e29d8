import { expect } from "../../../schema/expect.ts";
import { linkName } from "../../../schema/link.ts";
import { maxCalibrations } from "../../../schema/procedure.ts";
import { type Calibration, type Clock, chunkOf, type Lane } from "../../../schema/records.ts";
import { deviations } from "../load/deviations.ts";
import { estimateProblems } from "./estimates.ts";

/** Judges a load by the measurements of its link before and after the load. */
export class LinkHistory {
  /** Link -> its final measurements, in the order of the file. A measurement is final if no other attempt follows. */
  readonly #final = new Map<string, Calibration[]>();
  readonly #problems: Map<Calibration, string[]>;
  readonly #ofLoads = new Map<string, string[]>();

  readonly #clock: Clock;

  constructor(calibrations: readonly Calibration[], clock: Clock = "virtual") {
    this.#clock = clock;
    this.#problems = neighbourProblems(calibrations, clock);
    for (const one of calibrations)
      if (one.final) this.#final.set(one.link, [...(this.#final.get(one.link) ?? []), one]);
  }

  /** Reports problems of the calibration that the lane names for the link. This calibration and the link's next one must be within tolerance. */
  problemsOf(link: string, lane: Pick<Lane, "calibrations" | "startedAt"> | undefined): string[] {
    const named = lane?.calibrations[link];
    const key = `${link} ${named} ${lane?.startedAt}`;
    const known = this.#ofLoads.get(key) ?? this.#find(link, named, lane?.startedAt ?? "");
    this.#ofLoads.set(key, known);
    return known;
  }

  #find(link: string, named: string | undefined, startedAt: string): string[] {
    const own = this.#final.get(link) ?? [];
    const at = own.findIndex(({ calibration }) => calibration === named);
    if (at < 0) return ["its link was not measured before the load"];
    const [before, after] = [own[at]!, own[at + 1]];
    return [
      ...deviationsOf(before, this.#clock).map((text) => `wrong link: ${text}`),
      ...(after ? deviationsOf(after, this.#clock).map((text) => `drifted link: ${text}`) : []),
      ...this.#problems.get(before)!,
      ...expect(before.measuredAt <= startedAt, `its link was measured at ${before.measuredAt}, after its lane began`),
    ];
  }

  /** Returns the problems of all calibrations, including calibrations that no lane names. */
  problems = (): string[] => [...this.#problems.values()].flat();

  last(): Calibration[] {
    const last = [...this.#final.values()].map((all) => all.at(-1)!);
    return last.sort((a, b) => a.link.localeCompare(b.link, "en", { numeric: true }));
  }
}

const deviationsOf = ({ configured, measured, measuredAt }: Calibration, clock: Clock) =>
  deviations(configured, measured, clock).map((deviation) => `${deviation} (measured at ${measuredAt})`);

/** Checks each calibration by itself and against the earlier ones in the file. */
function neighbourProblems(calibrations: readonly Calibration[], clock: Clock): Map<Calibration, string[]> {
  const inChunk = new Map<number, number>();
  const failedAttempts = new Map<string, number>();
  return new Map(
    calibrations.map((one): [Calibration, string[]] => {
      const { calibration, link, configured, attempt, measured, final } = one;
      const name = `calibration ${calibration} of ${link}`;
      const chunk = chunkOf(one);
      const place = inChunk.get(chunk) ?? 0;
      inChunk.set(chunk, place + 1);
      const key = `${chunk} ${link}`;
      const attempts = (failedAttempts.get(key) ?? 0) + 1;
      failedAttempts.set(key, final ? 0 : attempt);
      const found = deviations(configured, measured, clock);
      const problems = estimateProblems(one).map((problem) => `${name}: ${problem}`);
      if (Number.isNaN(chunk)) problems.push(`${name} does not name its chunk`);
      if (linkName(configured) !== link) problems.push(`${name} measured ${linkName(configured)}`);
      if (!Number.isNaN(chunk) && calibration !== `${chunk}.${place}`)
        problems.push(`${name} is out of order; ${chunk}.${place} is expected here`);
      if (attempt !== attempts) problems.push(`${name} is attempt ${attempt}, but attempt ${attempts} has no line`);
      if (final !== (one.deviations.length === 0 || attempt === maxCalibrations))
        problems.push(`${name} is ${final ? "" : "not "}final after ${attempt} attempts`);
      if ((found.length === 0) !== (one.deviations.length === 0))
        problems.push(
          `${name} was recorded as ${one.deviations.length ? "out of" : "within"} tolerance, but its values are not`,
        );
      return [one, problems];
    }),
  );
}
