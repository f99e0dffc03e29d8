/** What a server writes to stderr, kept in a file where that tells something about a load. */
import { openSync, readFileSync, truncateSync } from "node:fs";

export class ServerLog {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = `${folder}/stderr.log`;
  }

  /** @returns a descriptor of the file, for the server. It appends, so that the file can be emptied meanwhile. */
  open(): number {
    return openSync(this.#file, "a");
  }

  /** @returns what was written since the last call */
  take(): string {
    const text = readFileSync(this.#file, "utf8");
    truncateSync(this.#file);
    return text;
  }
}
