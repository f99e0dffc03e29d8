/** Sends a TCP flow that always has more to send, as in a large download or a backup, or that sends a segment of a video at regular intervals. */
import type { Socket } from "node:net";
import type { Background, SenderState } from "../schema/background.ts";
import { bbrPacingGain, congestionOf, sentOn, setCongestion } from "./tcp-socket.ts";

const chunk = Buffer.alloc(1 << 16);

/** Bounds that identify BBR's steady phase: its pacing gain is 2.89 during start-up, 0.35 during drain, and 0.75 to 1.25 afterwards. */
const steadyGains = { from: 0.5, to: 2 };

export class BackgroundSender {
  readonly #socket: Socket;
  readonly #clientPort: number;
  /** The congestion signals before the first data, which do not count: a lost SYN does not show that the flow has filled the queue. */
  readonly #signalsBefore: number;
  readonly #segment: Background["segment"];
  #hasDelivered = false;

  /** @param socket a connected socket @param clientPort identifies the flow @throws Error if the congestion control cannot be set */
  constructor(socket: Socket, clientPort: number, { congestion, segment }: Pick<Background, "congestion" | "segment">) {
    this.#socket = socket;
    this.#clientPort = clientPort;
    setCongestion(socket, congestion);
    this.#signalsBefore = sentOn(socket).signals;
    this.#segment = segment;
    if (segment) this.#sendSegments(segment);
    else {
      socket.on("drain", () => this.#fill());
      this.#fill();
    }
  }

  state(): SenderState | null {
    if (this.#socket.destroyed) return null;
    const congestion = congestionOf(this.#socket);
    const { signals, waitingBytes: inTcp } = sentOn(this.#socket);
    const waitingBytes = inTcp + this.#socket.writableLength;
    this.#hasDelivered ||= waitingBytes === 0;
    const isFilling = () => (congestion === "bbr" ? this.#isSteadyBbr() : signals > this.#signalsBefore);
    const isPastStart = this.#segment ? this.#hasDelivered : isFilling();
    return { clientPort: this.#clientPort, congestion, isPastStart, waitingBytes };
  }

  #isSteadyBbr(): boolean {
    const gain = bbrPacingGain(this.#socket);
    return gain > steadyGains.from && gain < steadyGains.to;
  }

  #sendSegments({ bytes, everyMs }: NonNullable<Background["segment"]>): void {
    const content = Buffer.alloc(bytes);
    this.#socket.write(content);
    const timer = setInterval(() => this.#socket.write(content), everyMs);
    this.#socket.on("close", () => clearInterval(timer));
  }

  #fill(): void {
    while (!this.#socket.destroyed && this.#socket.write(chunk));
  }
}
