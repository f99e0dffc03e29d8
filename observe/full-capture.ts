import { deviceOf, here } from "../hosts/prepare.ts";
import { attachments, type Topology } from "../hosts/topology.ts";
import { Capture, type Frame } from "./packet-capture.ts";

/** More than any frame of the lab has: superpackets are off everywhere. */
const frameBytes = 2048;
const ringBytes = 32 << 20;
const emptiedEveryMs = 100;

/** Whole frames of a host's device, until its end: for a load that is no sample, for whoever empties the ring wakes up. */
export class FullCapture {
  readonly #capture: Capture;
  readonly #frames: Frame[] = [];
  readonly #emptying: NodeJS.Timeout;

  private constructor(device: string) {
    this.#capture = new Capture(device, { frameBytes, ringBytes });
    this.#emptying = setInterval(() => this.#frames.push(...this.#capture.drain()), emptiedEveryMs);
  }

  static async open(topology: Topology, host: string): Promise<FullCapture> {
    return new FullCapture(await deviceOf(here, attachments(topology, host)[0]?.address ?? ""));
  }

  /** @returns all frames, and how many found the ring full */
  end(): { frames: Frame[]; missed: number } {
    clearInterval(this.#emptying);
    this.#frames.push(...this.#capture.drain());
    const missed = this.#capture.missedFrames();
    this.#capture.close();
    return { frames: this.#frames, missed };
  }
}
