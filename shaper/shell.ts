import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { plainLine } from "../hosts/command.ts";
import type { Host } from "../hosts/prepare.ts";

/** The longest wait for a shell's output to close after the shell has ended. A child of the shell may keep the output open. */
const lastOutputMs = 200;
const endMarker = "@@end";
/** Matches the last line of a command's output: the command's unfinished line, if any, then the marker and the exit code. */
const lastLine = new RegExp(`^(.*)${endMarker} (\\d+)$`);

/** A shell that stays open, for fast commands: sh, or a user-mode kernel's console. Words with a special meaning to a shell are refused. */
export class Shell implements Host {
  readonly #child: ChildProcess;
  #last: Promise<unknown>;
  #line: (line: string) => void = () => {};
  readonly #ended: Promise<never>;

  /**
   * @param greeting the output line after which commands can be sent: a console drops input while its kernel boots; null to send at once
   * @param inherited file descriptors that become 3, 4, … in the shell
   */
  constructor(
    [program = "", ...args]: string[],
    env: NodeJS.ProcessEnv,
    greeting: string | null,
    onExit: (message: string) => void,
    inherited: number[] = [],
  ) {
    this.#child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit", ...inherited] });
    // Writing to a shell that has ended fails. The exit event reports why it ended.
    this.#child.stdin!.on("error", () => {});
    const tail: string[] = [];
    createInterface({ input: this.#child.stdout! }).on("line", (line) => {
      tail.push(line.trimEnd());
      if (tail.length > 10) tail.shift();
      this.#line(line.trimEnd());
    });
    this.#ended = new Promise((_, reject) => {
      const end = (why: string) => {
        const message = `${program} ended (${why}); its last output: ${tail.join(" | ")}`;
        reject(new Error(message));
        onExit(message);
      };
      this.#child.on("error", (error) => end(error.message));
      this.#child.on("exit", async (code, signal) => {
        await Promise.race([once(this.#child, "close"), sleep(lastOutputMs)]);
        end(String(signal ?? code));
      });
    });
    this.#ended.catch(() => {});
    this.#last =
      greeting === null
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            this.#line = (line) => line === greeting && resolve();
          });
  }

  async run(command: string[]): Promise<string> {
    return this.#ask(plainLine(command));
  }

  async batch(program: string[], commands: string[][]): Promise<string> {
    const lines = commands.map((command) => `"${plainLine(command)}"`);
    return this.#ask(`printf "%s\\n" ${lines.join(" ")} | ${plainLine(program)} -batch -`);
  }

  /** Replaces the shell by a program that reads lines. @param ends whether a line ends a response @returns sends lines, and returns the response */
  become(command: string[], ends: (line: string) => boolean): (lines: string[]) => Promise<string[]> {
    const send = (lines: string[], until: (line: string) => boolean) => this.#inTurn(() => this.#send(lines, until));
    // Lines must wait for the marker, because the shell reads ahead and would consume lines for the new program.
    send([`echo ${endMarker}; exec ${plainLine(command)} 2>&1`], (line) => line === endMarker).catch(() => {});
    return (lines) => send(lines, ends);
  }

  end(): void {
    this.#child.stdin!.end();
  }

  #send(lines: string[], ends: (line: string) => boolean): Promise<string[]> {
    return new Promise((resolve) => {
      const output: string[] = [];
      this.#line = (text) => {
        output.push(text);
        if (!ends(text)) return;
        this.#line = () => {};
        resolve(output);
      };
      this.#child.stdin!.write(lines.map((line) => `${line}\n`).join(""));
    });
  }

  /** Waits for the response to the previous command first. @throws Error when the program ends */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => Promise.race([ask(), this.#ended]));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** @throws Error with the command's output when it fails */
  #ask(line: string): Promise<string> {
    return this.#inTurn(async () => {
      const output = await this.#send([`{ ${line}; } 2>&1; echo "${endMarker} $?"`], (text) => lastLine.test(text));
      const [, rest, status] = lastLine.exec(output.pop()!)!;
      if (rest) output.push(rest);
      if (status === "0") return output.join("\n");
      throw new Error(`${line}: ${output.join(" ") || `exit code ${status}`}`);
    });
  }
}
