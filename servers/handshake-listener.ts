import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { Protocol } from "./protocols.ts";

/** Accepts TCP connections to a server that speaks only QUIC, so that calibrations can measure RTTs by TCP handshakes with the first server. */
export class HandshakeListener {
  #open: Server | null = null;

  async listenFor(protocols: readonly Protocol[]): Promise<void> {
    this.#open?.close();
    this.#open = null;
    const [first] = protocols;
    if (!first || protocols.some(({ transport }) => transport === "tcp")) return;
    this.#open = createServer((socket) => socket.on("error", () => {}));
    await once(this.#open.listen(first.port), "listening");
  }
}
