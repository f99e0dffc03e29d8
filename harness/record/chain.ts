/**
 * The chain: within a chunk each line, of whichever file, carries the SHA-256 of the one before it (calibrations, the lane,
 * its loads), and the first that of what loads follow from. Whoever deletes, reorders or rewrites a line breaks it, or must write all that
 * follow anew, and with them the head that stands in the tables.
 */
import { createHash } from "node:crypto";

export const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

/** The last line of each chunk, as they are written or read. */
export class Chain {
  readonly #manifest: string;
  readonly #start: string;
  readonly #last = new Map<number, string>();

  /** @param manifest run.json as it is */
  constructor(manifest: Buffer | string) {
    this.#manifest = sha256(manifest);
    this.#start = startOf(manifest);
  }

  /** What the next line of a chunk must carry. */
  before = (chunk: number): string => this.#last.get(chunk) ?? this.#start;

  /** @param line without its line feed */
  add(chunk: number, line: Buffer | string): void {
    this.addHash(chunk, sha256(line));
  }

  addHash(chunk: number, hash: string): void {
    this.#last.set(chunk, hash);
  }

  /** One hash of all: it follows from run.json, whole, and the last line of every chunk. */
  head(): string {
    const chunks = [...this.#last].sort(([a], [b]) => a - b).map(([chunk, hash]) => `${chunk} ${hash}`);
    return sha256([this.#manifest, ...chunks].join("\n"));
  }
}

/** Not when, by whom and how often: the same loads that are made again elsewhere have the same lines. */
function startOf(manifest: Buffer | string): string {
  const { seed, clock, processingMs, timeoutSeconds, experiment, registries } = JSON.parse(manifest.toString());
  return sha256(JSON.stringify({ seed, clock, processingMs, timeoutSeconds, experiment, registries }));
}

/** The chain of lines that are read, in their order. */
export class ChainCheck {
  /** Where it is broken, in words. */
  readonly breaks: string[] = [];
  readonly #chain: Chain;

  constructor(manifest: Buffer | string) {
    this.#chain = new Chain(manifest);
  }

  /** @param previous what the line carries @returns why it does not follow, or null */
  see(chunk: number, previous: unknown, line: Buffer | string): string | null {
    const wrong = previous !== this.#chain.before(chunk);
    this.#chain.add(chunk, line);
    if (!wrong) return null;
    const text = `a line of chunk ${chunk} does not follow the one before it: the chain is broken there`;
    this.breaks.push(text);
    return text;
  }

  /** The hash of a chunk's last line, where it is known already. */
  end(chunk: number, hash: string): void {
    this.#chain.addHash(chunk, hash);
  }

  head = (): string => this.#chain.head();
}

/** The chunk that a calibration was measured in: "3.0" is of chunk 3. */
export const chunkOf = (calibration: string): number => Number(calibration.split(".")[0]);
