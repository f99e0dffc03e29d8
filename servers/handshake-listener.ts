import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { Protocol } from "./protocols.ts";

/**
 * Accepts TCP connections at the port of a server that speaks only QUIC, and does nothing with them. The lab needs them to measure links
 * by TCP handshakes with the first server (harness/lane/calibration.ts). A page load over TCP stays invalid (axes/protocol.axis.ts).
 */
export class HandshakeListener {
  #open: Server | null = null;

  /** Closes the previous listener. Opens a new listener if none of these protocols uses TCP. */
  async listenFor(protocols: readonly Protocol[]): Promise<void> {
    this.#open?.close();
    this.#open = null;
    const [first] = protocols;
    if (!first || protocols.some(({ transport }) => transport === "tcp")) return;
    this.#open = createServer((socket) => socket.on("error", () => {}));
    await once(this.#open.listen(first.port), "listening");
  }
}
