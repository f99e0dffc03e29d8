import type { Calibration } from "../../schema/records.ts";
import { deviations } from "./deviations.ts";

/** What the measurements of links say of loads that were made between them. */
export class LinkHistory {
  /** The final ones, by link, in the order in which they were made. */
  readonly #final = new Map<string, Calibration[]>();
  readonly #doubts = new Map<string, string[]>();

  constructor(calibrations: readonly Calibration[]) {
    for (const one of calibrations)
      if (one.final) this.#final.set(one.link, [...(this.#final.get(one.link) ?? []), one]);
  }

  /** @param vouching the calibration that the load's lane names for its link: before it, and what followed it, must be right */
  doubts(link: string, vouching: string | undefined): string[] {
    const key = `${link} ${vouching}`;
    const known = this.#doubts.get(key) ?? this.#find(link, vouching);
    this.#doubts.set(key, known);
    return known;
  }

  #find(link: string, vouching: string | undefined): string[] {
    const own = this.#final.get(link) ?? [];
    const at = own.findIndex(({ calibration }) => calibration === vouching);
    if (at < 0) return ["its link was not measured before it"];
    const after = own[at + 1];
    return [
      ...problemsOf(own[at]!).map((text) => `wrong link: ${text}`),
      ...(after ? problemsOf(after).map((text) => `drifted link: ${text}`) : []),
    ];
  }

  /** The last final measurement of each link, by its name. */
  last(): Calibration[] {
    const last = [...this.#final.values()].map((all) => all.at(-1)!);
    return last.sort((a, b) => a.link.localeCompare(b.link, "en", { numeric: true }));
  }
}

const problemsOf = ({ asked, measured, measuredAt }: Calibration) =>
  deviations(asked, measured).map((deviation) => `${deviation} (measured at ${measuredAt})`);
