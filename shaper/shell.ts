import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { plainLine } from "../hosts/command.ts";
import type { Host } from "../hosts/prepare.ts";

const endMarker = "@@end";

/**
 * A shell that stays open, so that a command costs a write and a read: the console of a user-mode kernel, or sh.
 * Commands are argument arrays; a word that a shell could read as anything but itself is refused.
 */
export class Shell implements Host {
  readonly #child: ChildProcess;
  #last: Promise<unknown>;
  #line: (line: string) => void = () => {};
  readonly #ended: Promise<never>;

  /**
   * @param greeting a line to wait for before the first command: a console drops what comes while its kernel boots
   * @param inherited file descriptors that it has as 3, 4, …
   * @param onExit called when the shell ends, which it does only when it is stopped or has crashed
   */
  constructor(
    [program = "", ...args]: string[],
    env: NodeJS.ProcessEnv,
    greeting: string | null,
    onExit: (message: string) => void,
    inherited: number[] = [],
  ) {
    this.#child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit", ...inherited] });
    // What ended cannot be written to; its exit says why.
    this.#child.stdin!.on("error", () => {});
    const tail: string[] = [];
    createInterface({ input: this.#child.stdout! }).on("line", (line) => {
      tail.push(line.trimEnd());
      if (tail.length > 10) tail.shift();
      this.#line(line.trimEnd());
    });
    this.#ended = new Promise((_, reject) => {
      const end = (why: string) => {
        const message = `${program} ended (${why}); its last words: ${tail.join(" | ")}`;
        reject(new Error(message));
        onExit(message);
      };
      this.#child.on("error", (error) => end(error.message));
      this.#child.on("exit", (code, signal) => end(String(signal ?? code)));
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

  /**
   * Becomes another program, which reads lines as well, and has nothing more to do with a shell.
   * @returns how to send it lines; what it says comes back when one of its own lines ends it
   */
  become(command: string[], ends: (line: string) => boolean): (lines: string[]) => Promise<string[]> {
    const send = (lines: string[], until: (line: string) => boolean) => this.#inTurn(() => this.#say(lines, until));
    // A shell reads ahead: what came before it has become the other would be lost.
    send([`echo ${endMarker}; exec ${plainLine(command)} 2>&1`], (line) => line === endMarker).catch(() => {});
    return (lines) => send(lines, ends);
  }

  /** It has read its last line, and ends. */
  end(): void {
    this.#child.stdin!.end();
  }

  #say(lines: string[], ends: (line: string) => boolean): Promise<string[]> {
    return new Promise((resolve) => {
      const said: string[] = [];
      this.#line = (text) => {
        said.push(text);
        if (!ends(text)) return;
        this.#line = () => {};
        resolve(said);
      };
      this.#child.stdin!.write(lines.map((line) => `${line}\n`).join(""));
    });
  }

  /** Nothing is asked before the last answer is there. @throws Error when the program ends */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => Promise.race([ask(), this.#ended]));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** @throws Error with the command's own words when it fails */
  #ask(line: string): Promise<string> {
    return this.#inTurn(() => this.#exchange(line));
  }

  #exchange(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const output: string[] = [];
      this.#line = (text) => {
        const status = new RegExp(`^(.*)${endMarker} (\\d+)$`).exec(text);
        if (!status) return void output.push(text);
        if (status[1]) output.push(status[1]);
        this.#line = () => {};
        if (status[2] === "0") resolve(output.join("\n"));
        else reject(new Error(`${line}: ${output.join(" ") || `exit code ${status[2]}`}`));
      };
      this.#child.stdin!.write(`{ ${line}; } 2>&1; echo "${endMarker} $?"\n`);
    });
  }
}
