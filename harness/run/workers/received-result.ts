/** The only place where a run accepts a worker's result. If any part of the result does not belong to the chunk, nothing is kept. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { attemptInWords } from "../../../schema/attempt.ts";
import type { LaneMessage, LoadChunk } from "../../../schema/lane-messages.ts";
import { type Calibration, chunkOf, type LoadRecord } from "../../../schema/records.ts";
import { lineOf } from "../../record/journal.ts";
import { linkOf } from "../share-work.ts";
import { unpackMessages } from "./packed-messages.ts";

/** The name that a worker gives itself, from its host's name and its process number. */
export const workerNameSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][\w.-]*$/i, "a worker's name has only letters, digits, _, - and .");

export const resultSchema = z.strictObject({
  worker: workerNameSchema,
  /** The lane's messages (packed-messages.ts). */
  messages: z.base64(),
  /** If the lane ended early: the reason. */
  broke: z.string().max(10_000).optional(),
});
export type Result = z.infer<typeof resultSchema>;

/** A chunk's messages, all of which have been checked. */
export interface Received {
  worker: string;
  messages: LaneMessage[];
  broke: string | undefined;
}

export class RefusedResult extends Error {}

/** @param result what the queue has as the chunk's result @throws RefusedResult */
export function receivedResult(result: unknown, chunk: LoadChunk): Received {
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RefusedResult(
      `it is not a result (${[issue!.path.join("."), issue!.message].filter(Boolean).join(": ")})`,
    );
  }
  const { worker, messages, broke } = parsed.data;
  const order = new ChunkOrder(chunk);
  const accepted: LaneMessage[] = [];
  try {
    for (const message of unpackMessages(messages)) {
      order.take(message);
      lineOf({ ...message, trace: undefined }, `its ${message.kind}'s line`); // a trace has a file of its own
      accepted.push(message);
    }
    if (broke === undefined) order.end();
  } catch (error) {
    throw new RefusedResult((error as Error).message);
  }
  return { worker, messages: accepted, broke };
}

/** Checks the order of a lane's messages: links' measurements, then the lane's description, then the loads (harness/lane/load-chunk.ts). */
class ChunkOrder {
  readonly #chunk: LoadChunk;
  #measurements = 0;
  /** Attempts so far for the link that is being measured. */
  #attempts = 0;
  #links = 0;
  #isDescribed = false;
  #loads = 0;

  constructor(chunk: LoadChunk) {
    this.#chunk = chunk;
  }

  /** @throws Error if the message is not the next message that the chunk allows */
  take(message: LaneMessage): void {
    const { number } = this.#chunk;
    if (message.kind === "calibration") this.#measurement(message.calibration);
    else if (message.kind === "lane") {
      refuseIf(
        chunkOf(message.lane) !== number,
        `it describes lane ${chunkOf(message.lane)}, but belongs to chunk ${number}`,
      );
      refuseIf(this.#isDescribed, "it describes its lane twice");
      refuseIf(this.#links < this.#chunk.calibrate.length, "it describes its lane before all links are measured");
      this.#isDescribed = true;
    } else if (message.kind === "load") this.#load(message.load);
    else throw new Error(`it has a message of kind "${message.kind}", which a chunk of loads does not have`);
  }

  /** @throws Error if the lane did no work. The chunk's last loads may be missing, because a client that hangs ends its lane. */
  end(): void {
    refuseIf(!this.#isDescribed, "it ends before its lane is described");
    refuseIf(this.#loads === 0 && this.#chunk.loads.length > 0, "it has no load");
  }

  #measurement({ calibration, link, configured, attempt, final }: Calibration): void {
    const { number, calibrate } = this.#chunk;
    const asked = calibrate[this.#links];
    const expected = `${number}.${this.#measurements}`;
    refuseIf(this.#isDescribed || !asked, `it has a measurement ${calibration}, which the chunk does not ask for`);
    refuseIf(calibration !== expected, `it has measurement ${calibration} instead of ${expected}`);
    refuseIf(
      attempt !== this.#attempts + 1,
      `measurement ${calibration} is attempt ${attempt} instead of ${this.#attempts + 1}`,
    );
    refuseIf(
      link !== linkOf(asked!) || !isDeepStrictEqual(configured, asked!.link),
      `measurement ${calibration} is for another link or another configuration of the link: ${link}`,
    );
    this.#measurements++;
    this.#attempts = final ? 0 : attempt;
    if (final) this.#links++;
  }

  #load(load: LoadRecord): void {
    const { number, loads } = this.#chunk;
    const planned = loads[this.#loads];
    const words = attemptInWords(load);
    refuseIf(!this.#isDescribed, `it has a load (${words}) before its lane is described`);
    refuseIf(!planned, `it has an extra load (${words}), which the chunk does not ask for`);
    refuseIf(
      chunkOf(load) !== number,
      `its load (${words}) names lane ${chunkOf(load)}, but belongs to chunk ${number}`,
    );
    const expected = attemptInWords(planned!);
    refuseIf(words !== expected, `it has another load (${words}) instead of ${expected}`);
    const fields = load as unknown as Record<string, unknown>;
    const wrong = Object.entries(planned!.condition.fields).find(([name, value]) => fields[name] !== value);
    refuseIf(wrong !== undefined, `its load (${words}) has a different ${wrong?.[0]} than its condition`);
    this.#loads++;
  }
}

function refuseIf(isWrong: boolean, why: string): void {
  if (isWrong) throw new Error(why);
}
