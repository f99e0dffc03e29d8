/** On the real clock, a load is refused if other programs took processor time from it. If this happens to many loads in a row, the run stops. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { processorProblems } from "../judge/load/load.ts";

/** A run stops after this many refused loads in a row. The limit is higher after a good load, because the machine may become quiet again. */
const mostRefused = { atFirst: 6, later: 60 };

export class BusyMachine {
  #inRow = 0;
  #wasQuiet = false;

  /** @throws LabError if too many loads in a row were refused */
  note(load: LoadRecord): void {
    const isRefused = !load.ok && load.cause === "evidence" && load.evidence;
    const [problem] = isRefused ? processorProblems(load.evidence!.processor) : [];
    this.#wasQuiet ||= load.ok;
    this.#inRow = problem === undefined ? 0 : this.#inRow + 1;
    if (this.#inRow < (this.#wasQuiet ? mostRefused.later : mostRefused.atFirst)) return;
    throw new LabError(
      ExitCode.loadsMissing,
      `this machine is too busy: ${this.#inRow} loads in a row were refused, the last one because ${problem}. End other programs on this machine, or use --clock virtual, where they do not affect load times`,
    );
  }
}
