import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { Protocol } from "./protocols.ts";

/**
 * Accepts TCP connections at the port of a server that speaks QUIC alone, and does nothing with them. Links are measured by TCP's handshakes
 * with the first server (harness/lane/calibration.ts). No page uses such a connection: it would be TCP instead of QUIC (axes/protocol.axis.ts).
 */
export class HandshakeListener {
  #open: Server | null = null;

  /** Closes an earlier listener, and opens one unless one of these protocols is over TCP. */
  async listenFor(protocols: readonly Protocol[]): Promise<void> {
    this.#open?.close();
    this.#open = null;
    const [first] = protocols;
    if (!first || protocols.some(({ transport }) => transport === "tcp")) return;
    this.#open = createServer((socket) => socket.on("error", () => {}));
    await once(this.#open.listen(first.port), "listening");
  }
}
