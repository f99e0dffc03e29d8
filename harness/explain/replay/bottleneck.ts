/** One direction of the link, as the shaper makes it: random loss, the delay, then a queue that drops what comes when it is full. */
import { packetMs } from "../../../schema/link.ts";
import type { Clock } from "./clock.ts";
import type { Loss } from "./loss.ts";

export interface Direction {
  delayUs: number;
  rateMbps: number;
  queuePackets: number;
  loses: Loss;
}

export class Bottleneck {
  /** Packets that a full queue dropped. */
  dropped = 0;
  readonly #clock: Clock;
  readonly #direction: Direction;
  #waiting = 0;
  #freeUs = 0;

  constructor(clock: Clock, direction: Direction) {
    this.#clock = clock;
    this.#direction = direction;
  }

  /** @param what the packet is called (loss.ts) */
  send(what: string, frameBytes: number, arrives: () => void): void {
    const lost = this.#direction.loses(what);
    if (lost) return;
    this.#clock.at(this.#clock.nowUs + this.#direction.delayUs, () => this.#enqueue(frameBytes, arrives));
  }

  #enqueue(frameBytes: number, arrives: () => void): void {
    // The packet that is being sent counts, as netem's limit has it.
    if (this.#waiting >= this.#direction.queuePackets) {
      this.dropped++;
      return;
    }
    this.#waiting++;
    this.#freeUs = Math.max(this.#freeUs, this.#clock.nowUs) + 1000 * packetMs(frameBytes, this.#direction.rateMbps);
    this.#clock.at(this.#freeUs, () => {
      this.#waiting--;
      arrives();
    });
  }
}
