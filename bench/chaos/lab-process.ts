import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { nodeCommand } from "../../substrate/substrate.ts";
import { type Process, processesOf } from "./processes.ts";

/** Starts labs that have a mark in the environment of all their processes, so that leftover processes can be found. */
export class MarkedLabs {
  readonly #environment: NodeJS.ProcessEnv;

  /** @param signal kills all labs when it is aborted @param environment variables for the labs, in addition to this process's own */
  constructor(signal: AbortSignal, environment: NodeJS.ProcessEnv = {}) {
    this.#environment = { ...process.env, ...environment, LAB_MARK: String(process.pid) };
    signal.addEventListener("abort", () => this.#kill());
  }

  start(...words: string[]): LabProcess {
    const [program = "", ...rest] = nodeCommand("harness/cli/main.ts", ...words);
    return new LabProcess(spawn(program, rest, { env: this.#environment, stdio: ["ignore", "ignore", "pipe"] }));
  }

  #kill(): void {
    for (const { pid } of this.left())
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it has ended together with another process
      }
  }

  /** Returns the processes of these labs that are still running. */
  left(): Process[] {
    return processesOf(`LAB_MARK=${process.pid}`);
  }
}

export class LabProcess {
  readonly child: ChildProcess;
  /** Exit code or signal. */
  readonly ended: Promise<number | string>;
  #stderr = "";

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr!.setEncoding("utf8").on("data", (chunk: string) => (this.#stderr += chunk));
    this.ended = once(child, "close").then(([code, signal]) => (signal ?? code) as number | string);
  }

  stderr(): string {
    return this.#stderr;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** Returns the run's folder if the lab has already printed it. */
  folder(): string | undefined {
    return /^(results\/\S+):/m.exec(this.#stderr)?.[1];
  }

  /** Waits until the run has ended. @returns the run's folder @throws Error with the run's output, if the run fails */
  async finished(): Promise<string> {
    if ((await this.ended) !== 0) throw new Error(`a run has failed: ${this.#stderr}`);
    return this.folder()!;
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
}
