/** Kills parts of a lab at random moments, again and again, and checks the effects. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { loadsIn } from "../../harness/record/records.ts";
import type { Lifetime } from "../../harness/run/lifetime.ts";
import { ExitCode } from "../../schema/errors.ts";
import { aftermath, type Kill, surroundings } from "./aftermath.ts";
import { type LabProcess, MarkedLabs } from "./lab-process.ts";

/** The parts that are killed: patterns that match the command lines of their processes. */
const parts: Record<string, RegExp> = {
  runner: /harness\/cli\/main\.ts run/,
  lane: /netns-lane\.ts|harness\/lane\/lane\.ts/,
  browser: /headless-shell.*--host-resolver-rules/,
  renderer: /--type=renderer/,
  server: /nginx: (master|worker)|nginx -e/,
  agent: /servers\/agent\.ts|shaper\/agent\.ts/,
  "user-mode kernel": /^linux\.uml /,
};
/** The pause before a kill is `shortestMs` plus a random time below `longestMs`. */
const [longestMs, shortestMs] = [2500, 100];
/** The percentage of kills that first wait until one more load is recorded. Other kills often hit a lane that is still starting. */
const duringLoadsPercent = 60;
const patienceMs = 90_000;
/** The maximum number of resumes after the last kill. One may not be enough, because what the last lane left behind can end the run again. */
const lastResumes = 5;

/** @param args the run's command-line arguments @param seed decides which parts are killed, and when */
export async function chaos(
  args: string[],
  kills: number,
  seed: number,
  report: (text: string) => void,
  { signal, onEnd }: Lifetime,
) {
  const temporary = mkdtempSync(`${tmpdir()}/lab-chaos-`);
  onEnd(() => rmSync(temporary, { recursive: true }));
  chmodSync(temporary, 0o1777); // iperf3, which runs as an ordinary user, writes there too
  const before = await surroundings(temporary);
  const start = performance.now();
  const victim = new Victim(new MarkedLabs(signal, { TMPDIR: temporary }), { args, seed, signal });
  const folder = await victim.folder();
  const struck: Kill[] = [];
  const counts: Record<string, number> = {};
  while (struck.length < kills && !victim.complete) {
    const hit = await victim.strike(folder);
    if (!hit) continue; // the chosen part had no running process
    struck.push(hit);
    const { part } = hit;
    counts[part] = (counts[part] ?? 0) + 1;
    if (struck.length % 10 === 0)
      report(`${struck.length} kills, ${loadsIn(folder).length} lines recorded, resumed ${victim.resumed} times`);
  }
  if (struck.length < kills) victim.problems.push(`the run was complete after only ${struck.length} of ${kills} kills`);
  await victim.finish(folder);
  const loads = loadsIn(folder);
  const problems = [...victim.problems, ...(await aftermath(folder, struck, victim.labs, before, temporary))];
  return {
    kills: counts,
    resumed: victim.resumed,
    recordedLoads: loads.filter(({ ok }) => ok).length,
    failedAttempts: loads.filter(({ ok }) => !ok).length,
    seconds: (performance.now() - start) / 1000,
    problems,
  };
}

/** A run whose parts are killed, and which is resumed when a kill has ended it. */
class Victim {
  readonly labs: MarkedLabs;
  readonly problems: string[] = [];
  resumed = 0;
  readonly #random: RandomGenerator;
  readonly #signal: AbortSignal;
  #current: LabProcess;
  /** The last known content of loads.jsonl, which may only grow. */
  #recorded = "";

  constructor(labs: MarkedLabs, { args, seed, signal }: { args: string[]; seed: number; signal: AbortSignal }) {
    this.labs = labs;
    this.#signal = signal;
    this.#random = xoroshiro128plus(seed);
    this.#current = this.labs.start("run", ...args);
  }

  /** Whether the run has made all its loads, so that nothing is left to kill. */
  get complete(): boolean {
    return this.#current.child.exitCode === 0;
  }

  folder = () => until(() => this.#current.folder(), this.#current);

  /** Waits a random time, then kills a random process of a random part. @returns what was killed, or null if nothing was */
  async strike(folder: string): Promise<(Kill & { part: string }) | null> {
    if (!this.#current.alive) this.#resume(folder);
    const had = loadsIn(folder).length;
    if (this.#below(100) < duringLoadsPercent)
      await until(() => loadsIn(folder).length > had || undefined, this.#current).catch(() => {});
    await sleep(shortestMs + this.#below(longestMs), undefined, { signal: this.#signal });
    const [part, pattern] = Object.entries(parts)[this.#below(Object.keys(parts).length)]!;
    const running = this.labs.left();
    const processes = running.filter(({ command }) => pattern.test(command));
    if (processes.length === 0) return null;
    const { pid, parentPid, command } = processes[this.#below(processes.length)]!;
    const parent = running.find((one) => one.pid === parentPid)?.command ?? "";
    // Loads need neither the script that started a browser and waits for it, nor the process in which a user-mode kernel runs a program.
    const bystander =
      /^\/bin\/sh |--type=(renderer|utility|zygote)/.test(command) ||
      [command, parent].every((line) => parts["user-mode kernel"]!.test(line));
    const atMs = Date.now();
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      return null; // it has ended by itself
    }
    this.#look(folder);
    return { atMs, command, bystander, part };
  }

  /** Lets the run make all its loads. */
  async finish(folder: string): Promise<void> {
    for (let resumes = 0; (await this.#current.ended) !== 0 && resumes < lastResumes; resumes++) this.#resume(folder);
    if ((await this.#current.ended) !== 0)
      this.problems.push(`the run fails repeatedly: ${this.#current.stderr().trim().split("\n").at(-1)}`);
    this.#look(folder);
  }

  /** Resumes the run. @throws Error with the run's output, if the run ended for a reason that no kill causes */
  #resume(folder: string): void {
    if ([ExitCode.usage, ExitCode.machineCannot, ExitCode.wrongLink].includes(this.#current.child.exitCode as never))
      throw new Error(this.#current.stderr());
    this.resumed++;
    this.#current = this.labs.start("run", "--resume", folder);
  }

  #look(folder: string): void {
    const now = readFileSync(`${folder}/loads.jsonl`, "utf8");
    if (!now.startsWith(this.#recorded)) this.problems.push("recorded lines have changed");
    this.#recorded = now;
  }

  #below = (limit: number) => uniformInt(this.#random, 0, limit - 1);
}

/** Waits until `probe` returns a value. @throws Error if the run ends first, or after `patienceMs` */
async function until<T>(probe: () => T | undefined, current: LabProcess): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(50)) {
    const found = probe();
    if (found !== undefined) return found;
    if (!current.alive) throw new Error(`the run has ended: ${current.stderr()}`);
  }
  throw new Error(`timed out after waiting ${patienceMs / 1000} s for the run: ${current.stderr()}`);
}
