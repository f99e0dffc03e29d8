import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { keyLog } from "./client.ts";

export const keyLogOf = ({ scratch, logs = scratch }: { scratch: string; logs?: string | undefined }) =>
  `${logs}/${keyLog}`;

/** Reads new lines of the file to which a client logs its connections' TLS secrets (`keyLog` in client.ts). */
export class KeyLog {
  readonly #file: string;
  #readBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the complete lines added since the last call; empty if the client has logged nothing yet. */
  added(): string {
    let file: number;
    try {
      file = openSync(this.#file, "r");
    } catch {
      return "";
    }
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#readBytes));
    readSync(file, bytes, 0, bytes.length, this.#readBytes);
    closeSync(file);
    const lines = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    this.#readBytes += lines.length;
    return lines.toString("latin1");
  }
}
