/** Kills workers, their run and the queue's server at random moments. The digest must still equal the digest of a run on local lanes. */
import { setTimeout as sleep } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { verdictOn } from "../../harness/judge/run/judged-loads.ts";
import { readRun } from "../../harness/record/records.ts";
import type { Lifetime } from "../../harness/run/lifetime.ts";
import { type LabProcess, MarkedLabs } from "./lab-process.ts";
import { QueueServer } from "./queue-server.ts";

const workerCount = 4;
/** The longest pauses in seconds: before the next harm is done, and before a killed process is started again. */
const [betweenSeconds, downSeconds] = [12, 10];
/** The longest time in seconds for which a worker is paused. The worker's lock on a job expires sooner. */
const frozenSeconds = 60;
/** How long to wait before looking for leftover processes: a worker's lanes end a moment after the worker. */
const settleMs = 1000;

/** @param args the command-line arguments of both runs @param seed decides what happens, and when */
export async function workersChaos(
  args: string[],
  kills: number,
  seed: number,
  report: (text: string) => void,
  { signal, onEnd }: Lifetime,
) {
  const labs = new MarkedLabs(signal);
  const server = await QueueServer.start("open-sesame"); // first, because this fails if the server is not installed
  onEnd(() => server.end());
  report("making the run on local lanes");
  const local = await labs.start("run", ...args).finished();
  const scene = await Scene.open(labs, server, { args, seed, signal });
  let made: string;
  try {
    for (let blow = 1; blow <= kills && !scene.complete; blow++) report(`${blow} of ${kills}: ${await scene.blow()}`);
    made = await scene.finish();
  } finally {
    await scene.close();
  }
  const [one, other] = [local, made].map((folder) => verdictOn(readRun(folder)));
  await sleep(settleMs);
  return {
    blows: scene.blows,
    /** The digests of the run on local lanes and of the run on workers. */
    digests: [one!.digest, other!.digest],
    missing: other!.missing,
    left: labs.left().map(({ command }) => command),
  };
}

interface Asked {
  args: string[];
  seed: number;
  signal: AbortSignal;
}

/** A run, its workers and the queue's server between them. */
class Scene {
  readonly blows: Record<string, number> = {};
  readonly #labs: MarkedLabs;
  readonly #server: QueueServer;
  readonly #signal: AbortSignal;
  readonly #below: (limit: number) => number;
  readonly #workers: LabProcess[];
  #run: LabProcess;
  #folder = "";

  private constructor(labs: MarkedLabs, server: QueueServer, { args, seed, signal }: Asked) {
    this.#labs = labs;
    this.#server = server;
    this.#signal = signal;
    const random = xoroshiro128plus(seed);
    this.#below = (limit) => uniformInt(random, 0, limit - 1);
    this.#workers = Array.from({ length: workerCount }, () => this.#startWorker());
    this.#run = labs.start("run", ...args, "--workers", server.address);
  }

  static async open(labs: MarkedLabs, server: QueueServer, asked: Asked): Promise<Scene> {
    const scene = new Scene(labs, server, asked);
    while (scene.#folder === "" && scene.#run.alive) {
      await sleep(50, undefined, asked);
      scene.#folder = scene.#run.folder() ?? "";
    }
    return scene;
  }

  get complete(): boolean {
    return this.#run.child.exitCode === 0;
  }

  /** Waits a random time, then does some harm. @returns a description of the harm */
  async blow(): Promise<string> {
    await this.#pause(betweenSeconds);
    const [what, act] = Object.entries(this.#harms)[this.#below(Object.keys(this.#harms).length)]!;
    await act();
    this.blows[what] = (this.blows[what] ?? 0) + 1;
    return what;
  }

  readonly #harms: Record<string, () => Promise<void>> = {
    "a worker is killed": async () => {
      const at = this.#below(workerCount);
      await this.#workers[at]!.kill();
      await this.#pause(downSeconds);
      this.#workers[at] = this.#startWorker();
    },
    "a worker is paused for a while": async () => {
      const { child } = this.#workers[this.#below(workerCount)]!;
      child.kill("SIGSTOP");
      await this.#pause(frozenSeconds);
      child.kill("SIGCONT");
    },
    "the queue's server is killed": async () => {
      await this.#server.kill();
      await this.#pause(downSeconds);
      await this.#server.begin();
    },
    "the run is killed": async () => {
      await this.#run.kill();
      await this.#pause(downSeconds);
      const words = ["--resume", this.#folder, "--clock", "virtual", "--workers", this.#server.address];
      this.#run = this.#labs.start("run", ...words);
    },
  };

  /** Lets the run make all its loads. @returns the run's folder */
  finish = () => this.#run.finished();

  async close(): Promise<void> {
    for (const lab of [...this.#workers, this.#run]) await lab.kill();
  }

  #pause = (mostSeconds: number) => sleep(1000 * this.#below(mostSeconds), undefined, { signal: this.#signal });
  #startWorker = () => this.#labs.start("worker", this.#server.address, "--lanes", "1");
}
