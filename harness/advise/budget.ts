/** How many loads fit into the minutes that the user gives, by how long loads have taken so far. */

/** Until enough loads are made: what a virtual load takes on two idle cores, with all that belongs to it. */
const usualSecondsPerLoad = 1;
/** In shorter runs, starting guests and measuring links take most of the time. */
const enoughLoads = 20;
/** A page whose requests are learnt is loaded until it stands still, and pictures of it are taken. */
const loadsPerDocument = 2;

export interface Used {
  usedSeconds: number;
  secondsPerLoad: number;
}

/** The work of a run. */
export interface Work {
  loads: number;
  /** Pages whose requests are not known yet. */
  documents?: number;
}

const asLoads = ({ loads, documents = 0 }: Work): number => loads + loadsPerDocument * documents;

/** Time passes only while loads are made, so that a resumed advice decides as it would have without the interruption. */
export class Budget {
  readonly #seconds: number;
  readonly #now: () => number;
  #used: Used = { usedSeconds: 0, secondsPerLoad: usualSecondsPerLoad };

  /** @param now the present in ms, for tests */
  constructor(minutes: number, now: () => number = Date.now) {
    this.#seconds = minutes * 60;
    this.#now = now;
  }

  get used(): Used {
    return this.#used;
  }

  /** Continues from what an earlier process noted. */
  restore({ usedSeconds, secondsPerLoad }: Used): void {
    this.#used = { usedSeconds, secondsPerLoad };
  }

  /** Makes loads, and learns how long they take. */
  async timed<T>(work: Work, make: () => Promise<T>): Promise<T> {
    const begin = this.#now();
    const made = await make();
    const seconds = (this.#now() - begin) / 1000;
    const { usedSeconds, secondsPerLoad } = this.#used;
    const loads = asLoads(work);
    this.#used = {
      usedSeconds: usedSeconds + seconds,
      secondsPerLoad: loads >= enoughLoads && seconds > 0 ? seconds / loads : secondsPerLoad,
    };
    return made;
  }

  secondsOf = (work: Work): number => asLoads(work) * this.#used.secondsPerLoad;

  /** The number of loads for which there is time. @param reserved work that is done later */
  loadsLeft(reserved: Work = { loads: 0 }): number {
    const left = this.#seconds - this.#used.usedSeconds - this.secondsOf(reserved);
    return Math.max(0, Math.floor(left / this.#used.secondsPerLoad));
  }
}
