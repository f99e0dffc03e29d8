/** Estimates how many loads fit into the minutes that the user gives, from the time that earlier work took. */
import type { AdviseSession } from "../plan/advise-plan.ts";
import type { StartProgress } from "../run/run-events.ts";

export interface Pace {
  secondsPerLoad: number;
  /** The time to learn a page's requests and what the page looks like. */
  secondsPerDocument: number;
  /** The time from the start of a run's first guest to the run's first load. */
  secondsToStart: number;
}

/** The pace that is assumed until enough work was measured. It is typical of two idle cores. */
const usual: Pace = { secondsPerLoad: 1, secondsPerDocument: 3, secondsToStart: 15 };
/** How many loads and documents are needed to measure the pace. */
const enough = { loads: 20, documents: 4 };

export interface Used extends Pace {
  usedSeconds: number;
}

type Noted = Pick<AdviseSession, keyof Used>;

export interface Work {
  loads: number;
  /** The number of pages whose requests are not known yet. */
  documents?: number;
}

/** Counts time only while a run is being made. So after a pause, `--resume` decides as if there had been no interruption. */
export class Budget {
  readonly #seconds: number;
  readonly #now: () => number;
  #used: Used = { usedSeconds: 0, ...usual };

  /** @param now the present time in ms; tests replace it */
  constructor(minutes: number, now: () => number = Date.now) {
    this.#seconds = minutes * 60;
    this.#now = now;
  }

  get used(): Used {
    return this.#used;
  }

  /** Continues from the time and the pace that an earlier process recorded. */
  restore({ usedSeconds, secondsPerLoad, secondsPerDocument, secondsToStart }: Noted): void {
    this.#used = {
      usedSeconds,
      secondsPerLoad,
      secondsPerDocument: secondsPerDocument ?? usual.secondsPerDocument,
      secondsToStart: secondsToStart ?? usual.secondsToStart,
    };
  }

  /** Measures how long the parts of a run take. @param make makes the run with `watched`, which passes everything on to `progress` */
  async timed<T>({ documents = 0 }: Work, progress: StartProgress, make: (watched: StartProgress) => Promise<T>) {
    const begin = this.#now();
    const loads: number[] = [];
    let learnt = begin;
    const made = await make((start) => {
      learnt = this.#now();
      const inner = progress(start);
      return {
        print: (text) => inner.print(text),
        stop: () => inner.stop(),
        event: (event) => {
          if (event.kind === "message" && event.message.kind === "load") loads.push(this.#now());
          inner.event(event);
        },
      };
    });
    const [first = learnt, last = learnt] = [loads[0], loads.at(-1)];
    this.#used = {
      ...this.#used,
      usedSeconds: this.#used.usedSeconds + (this.#now() - begin) / 1000,
      ...(documents >= enough.documents && { secondsPerDocument: (learnt - begin) / 1000 / documents }),
      ...(loads.length >= enough.loads && {
        secondsToStart: (first - learnt) / 1000,
        secondsPerLoad: Math.max(last - first, 1) / 1000 / (loads.length - 1),
      }),
    };
    return made;
  }

  secondsOf({ loads, documents = 0 }: Work): number {
    const { secondsPerLoad, secondsPerDocument, secondsToStart } = this.#used;
    return secondsToStart + documents * secondsPerDocument + loads * secondsPerLoad;
  }

  /** @returns how many loads the next run has time for @param later the run after it, if any @param documents how many pages it must learn */
  loadsLeft(later: Work | null, documents = 0): number {
    const { usedSeconds, secondsPerLoad } = this.#used;
    const left = this.#seconds - usedSeconds - (later ? this.secondsOf(later) : 0);
    return Math.max(0, Math.floor((left - this.secondsOf({ loads: 0, documents })) / secondsPerLoad));
  }
}
