/** A TCP flow that always has more to send, as a large download or a backup has. */
import type { Socket } from "node:net";
import type { SenderState } from "../schema/background.ts";
import { bbrPacingGain, congestionOf, sentOn, setCongestion } from "./tcp-socket.ts";

const chunk = Buffer.alloc(1 << 16);

/** BBR's gain is 2.89 in start-up, then 0.35 until the queue is drained, then 0.75 to 1.25. */
const steadyGains = { from: 0.5, to: 2 };

export class BulkSender {
  readonly #socket: Socket;
  readonly #clientPort: number;
  /** A lost SYN is not a signal that the flow has filled the queue. */
  readonly #signalsBefore: number;

  /** @param socket connected @param clientPort identifies the flow @throws Error if its congestion control cannot be set */
  constructor(socket: Socket, clientPort: number, congestion: string) {
    this.#socket = socket;
    this.#clientPort = clientPort;
    setCongestion(socket, congestion);
    this.#signalsBefore = sentOn(socket).signals;
    socket.on("drain", () => this.#fill());
    this.#fill();
  }

  /** null if its socket is closed. */
  state(): SenderState | null {
    if (this.#socket.destroyed) return null;
    const congestion = congestionOf(this.#socket);
    const { signals, waitingBytes } = sentOn(this.#socket);
    const isPastStart = congestion === "bbr" ? this.#isSteadyBbr() : signals > this.#signalsBefore;
    return { clientPort: this.#clientPort, congestion, isPastStart, waitingBytes };
  }

  #isSteadyBbr(): boolean {
    const gain = bbrPacingGain(this.#socket);
    return gain > steadyGains.from && gain < steadyGains.to;
  }

  #fill(): void {
    while (!this.#socket.destroyed && this.#socket.write(chunk));
  }
}
