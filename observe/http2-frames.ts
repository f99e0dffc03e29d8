/** Finds HTTP/2's frames in a connection's application data (RFC 9113, section 4). */
import type { ClearRun } from "./tls-records.ts";

/** A contiguous part of a frame or of its header. A frame that continues in another TLS record has several parts. */
export interface FramePart {
  type: number;
  /** 0 for the connection itself. */
  stream: number;
  /** The position of the part's first byte in the TCP stream. */
  at: number;
  bytes: number;
}

export const frameTypes = { data: 0, headers: 1, continuation: 9 } as const;

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const headerBytes = 9;

/** Whether a client's application data starts with HTTP/2's connection preface. */
export const isHttp2 = ([first]: readonly ClearRun[]): boolean =>
  first?.content.subarray(0, preface.length).equals(preface) ?? false;

/** @param byClient whether this is the client's data, which starts with the connection preface */
export function framePartsOf(runs: readonly ClearRun[], byClient: boolean): FramePart[] {
  const reader = new FrameReader(byClient ? preface.length : 0);
  for (const run of runs) reader.read(run);
  return reader.parts;
}

class FrameReader {
  readonly parts: FramePart[] = [];
  /** How many bytes of the connection preface, or of the current frame's payload, are still to come. */
  #prefaceLeft: number;
  #payloadLeft = 0;
  #header = Buffer.alloc(0);
  #headerParts: { at: number; bytes: number }[] = [];
  #frame = { type: 0, stream: 0 };

  constructor(prefaceBytes: number) {
    this.#prefaceLeft = prefaceBytes;
  }

  read({ at, content }: ClearRun): void {
    for (let i = 0; i < content.length; ) i += this.#readSome(at + i, content.subarray(i));
  }

  #readSome(at: number, content: Buffer): number {
    if (this.#prefaceLeft > 0) {
      const bytes = Math.min(this.#prefaceLeft, content.length);
      this.#prefaceLeft -= bytes;
      return bytes;
    }
    if (this.#payloadLeft > 0) {
      const bytes = Math.min(this.#payloadLeft, content.length);
      this.#payloadLeft -= bytes;
      this.#add({ at, bytes });
      return bytes;
    }
    const more = content.subarray(0, headerBytes - this.#header.length);
    this.#header = Buffer.concat([this.#header, more]);
    this.#headerParts.push({ at, bytes: more.length });
    if (this.#header.length === headerBytes) this.#beginFrame();
    return more.length;
  }

  #beginFrame(): void {
    this.#payloadLeft = this.#header.readUIntBE(0, 3);
    this.#frame = { type: this.#header[3]!, stream: this.#header.readUInt32BE(5) & 0x7fffffff };
    for (const part of this.#headerParts) this.#add(part);
    this.#header = Buffer.alloc(0);
    this.#headerParts = [];
  }

  /** Adds a part of the current frame, or extends the last part if this one continues it. */
  #add({ at, bytes }: { at: number; bytes: number }): void {
    const last = this.parts.at(-1);
    if (last?.stream === this.#frame.stream && last.type === this.#frame.type && last.at + last.bytes === at)
      last.bytes += bytes;
    else this.parts.push({ ...this.#frame, at, bytes });
  }
}
