import { deviceOf, here } from "../hosts/prepare.ts";
import { attachments, type Topology } from "../hosts/topology.ts";
import { Capture, type Frame, wholeFrames } from "./packet-capture.ts";

const emptiedEveryMs = 100;

/** Captures whole frames. Only for loads that are not measured: emptying the ring wakes up a process while the page loads. */
export class FullCapture {
  readonly #capture: Capture;
  readonly #frames: Frame[] = [];
  readonly #emptying: NodeJS.Timeout;

  private constructor(device: string) {
    this.#capture = new Capture(device, wholeFrames);
    this.#emptying = setInterval(() => this.#frames.push(...this.#capture.drain()), emptiedEveryMs);
  }

  static async open(topology: Topology, host: string): Promise<FullCapture> {
    return new FullCapture(await deviceOf(here, attachments(topology, host)[0]?.address ?? ""));
  }

  end(): { frames: Frame[]; missed: number } {
    clearInterval(this.#emptying);
    this.#frames.push(...this.#capture.drain());
    const missed = this.#capture.missedFrames();
    this.#capture.close();
    return { frames: this.#frames, missed };
  }
}
