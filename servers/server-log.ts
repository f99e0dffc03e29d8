/** Keeps a server's stderr in a file, for servers that print the congestion control or the window of QUIC connections there. */
import { openSync, readFileSync, truncateSync } from "node:fs";
import type { ServerObservation } from "../schema/observation.ts";
import type { ServerSoftware } from "./software.ts";

type Told = Pick<ServerObservation, "quicCongestion" | "quicInitialBytes">;

export const isLogRead = ({ quicCongestion, quicWindowsIn }: Partial<ServerSoftware>): boolean =>
  quicCongestion !== undefined || quicWindowsIn !== undefined;

export class ServerLog {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = `${folder}/stderr.log`;
  }

  /** @returns a file descriptor for the server's stderr. The server appends to the file, so the file can be emptied while the server runs. */
  open(): number {
    return openSync(this.#file, "a");
  }

  /** Empties the file. @returns what the server has written since the last call */
  take(): string {
    const text = readFileSync(this.#file, "utf8");
    truncateSync(this.#file);
    return text;
  }

  /** @returns what the server has logged about QUIC connections since the last call; {} if `isLogRead` is false */
  told(software: Partial<ServerSoftware> = {}): Told {
    if (!isLogRead(software)) return {};
    const text = this.take();
    return { quicCongestion: software.quicCongestion?.usedIn(text), quicInitialBytes: software.quicWindowsIn?.(text) };
  }
}
