/** A server's stderr, which is kept in a file if it contains evidence of loads. */
import { openSync, readFileSync, truncateSync } from "node:fs";
import type { ServerObservation } from "../schema/observation.ts";
import type { ServerSoftware } from "./software.ts";

/** Evidence of QUIC connections from a server's log. */
type Told = Pick<ServerObservation, "quicCongestion" | "quicInitialBytes">;

export const isLogRead = ({ quicCongestion, quicWindowsIn }: Partial<ServerSoftware>): boolean =>
  quicCongestion !== undefined || quicWindowsIn !== undefined;

export class ServerLog {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = `${folder}/stderr.log`;
  }

  /** @returns a descriptor of the file, for the server. The server appends, so the file can be emptied while the server runs. */
  open(): number {
    return openSync(this.#file, "a");
  }

  /** @returns what was written since the last call */
  take(): string {
    const text = readFileSync(this.#file, "utf8");
    truncateSync(this.#file);
    return text;
  }

  /** @returns evidence of connections that the server has logged since the last call; empty if its log is not read */
  told(software: Partial<ServerSoftware> = {}): Told {
    if (!isLogRead(software)) return {};
    const text = this.take();
    return { quicCongestion: software.quicCongestion?.usedIn(text), quicInitialBytes: software.quicWindowsIn?.(text) };
  }
}
