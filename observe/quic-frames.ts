/** The frames of a decrypted QUIC packet (RFC 9000, section 19). */

/** A range of packet numbers, including both ends. */
export type PacketRange = readonly [from: number, to: number];

export type QuicFrame =
  | { type: "padding" | "ping" | "handshakeDone" }
  /** Ranges from the highest to the lowest. `delay` is in units of 2^exponent microseconds, with the exponent that the frame's sender chose. */
  | { type: "ack"; ranges: PacketRange[]; delay: number }
  /** `dataAt`: where the data begins in the payload. */
  | { type: "crypto"; offset: number; bytes: number; dataAt: number }
  | { type: "stream"; id: number; offset: number; bytes: number; fin: boolean }
  | { type: "reset" | "stopSending"; id: number }
  | { type: "close"; error: number }
  /** How many bidirectional streams the frame's receiver may open in all (MAX_STREAMS). A client needs a stream for each request. */
  | { type: "maxStreams"; streams: number }
  /** The sender has more to send than the receiver's flow control permits (DATA_BLOCKED, STREAM_DATA_BLOCKED). */
  | { type: "blocked"; limitBytes: number }
  /** Any other frame, such as one that changes a limit or a connection ID, with the number of its type. */
  | { type: "other"; number: number };

/** Whether the receiver must acknowledge a packet that contains this frame (RFC 9002, section 2). */
export const isAckEliciting = ({ type }: QuicFrame) => type !== "padding" && type !== "ack" && type !== "close";

export type StreamFrame = Extract<QuicFrame, { type: "stream" }>;

export const isPiece = (frame: QuicFrame): frame is StreamFrame =>
  frame.type === "stream" && (frame.bytes > 0 || frame.fin);

/** For each type of frame that has only variable-length integers: how many integers follow the type. */
const plainFields: Readonly<Record<number, number>> = {
  16: 1, // MAX_DATA
  17: 2, // MAX_STREAM_DATA
  19: 1, // MAX_STREAMS for unidirectional streams
  22: 1, // STREAMS_BLOCKED
  23: 1,
  25: 1, // RETIRE_CONNECTION_ID
  31: 0, // IMMEDIATE_ACK (draft-ietf-quic-ack-frequency)
  175: 4, // ACK_FREQUENCY
};
const pathFrames: ReadonlySet<number> = new Set([26, 27]); // PATH_CHALLENGE, PATH_RESPONSE: 8 bytes
const resetTokenBytes = 16;

/**
 * @param captured the captured part of the payload @param payloadBytes length of the whole payload
 * @returns the frames whose fields were captured, up to the first frame of an unknown type; `isComplete` if these are all frames
 */
export function readFrames(captured: Buffer, payloadBytes: number): { frames: QuicFrame[]; isComplete: boolean } {
  const reader = new FrameReader(captured, payloadBytes);
  const frames: QuicFrame[] = [];
  while (!reader.isAtEnd) {
    const frame = reader.frame();
    if (!frame) return { frames, isComplete: false };
    frames.push(frame);
  }
  return { frames, isComplete: reader.at >= payloadBytes };
}

class FrameReader {
  readonly #bytes: Buffer;
  readonly #payloadBytes: number;
  /** Where the next frame begins; beyond the captured bytes if that frame was not captured. */
  at = 0;
  #isCut = false;

  constructor(bytes: Buffer, payloadBytes: number) {
    this.#bytes = bytes;
    this.#payloadBytes = payloadBytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  frame(): QuicFrame | null {
    const frame = this.#read(this.#number());
    return this.#isCut ? null : frame;
  }

  #read(type: number): QuicFrame | null {
    if (type === 0) return this.#padding();
    if (type === 1) return { type: "ping" };
    if (type === 2 || type === 3) return this.#ack(type === 3);
    if (type === 4) return { type: "reset", id: this.#numbers(3)[0]! };
    if (type === 5) return { type: "stopSending", id: this.#numbers(2)[0]! };
    if (type === 6) {
      const [offset, bytes] = this.#numbers(2) as [number, number];
      const dataAt = this.at;
      this.at += bytes;
      return { type: "crypto", offset, bytes, dataAt };
    }
    if (type === 7) return this.#other(type, this.#number()); // NEW_TOKEN
    if (type >= 8 && type <= 15) return this.#stream(type);
    if (type === 24) {
      this.#numbers(2); // NEW_CONNECTION_ID: the ID's number, and the IDs that it retires
      return this.#other(type, (this.#bytes[this.at] ?? 0) + 1 + resetTokenBytes);
    }
    if (type === 28 || type === 29) {
      const error = this.#numbers(type === 28 ? 2 : 1)[0]!;
      const reasonBytes = this.#number();
      this.at += reasonBytes;
      return { type: "close", error };
    }
    if (type === 18) return { type: "maxStreams", streams: this.#number() };
    if (type === 20 || type === 21) return { type: "blocked", limitBytes: this.#numbers(type - 19).at(-1)! };
    if (type === 30) return { type: "handshakeDone" };
    if (pathFrames.has(type)) return this.#other(type, 8);
    const fields = plainFields[type];
    if (fields === undefined) return null;
    this.#numbers(fields);
    return this.#other(type, 0);
  }

  #padding(): QuicFrame {
    while (this.#bytes[this.at] === 0) this.at++;
    return { type: "padding" };
  }

  #ack(withEcn: boolean): QuicFrame | null {
    const [largest, delay, more, first] = this.#numbers(4) as [number, number, number, number];
    const ranges: PacketRange[] = [[largest - first, largest]];
    for (let i = 0; i < more && !this.#isCut; i++) {
      const [gap, length] = this.#numbers(2) as [number, number];
      const to = ranges.at(-1)![0] - gap - 2;
      ranges.push([to - length, to]);
    }
    if (withEcn) this.#numbers(3);
    return ranges.at(-1)![0] < 0 ? null : { type: "ack", ranges, delay };
  }

  /** Bits of the type show which fields the frame has. Without a length field, the frame extends to the end of the packet. */
  #stream(type: number): QuicFrame {
    const id = this.#number();
    const offset = type & 4 ? this.#number() : 0;
    const bytes = type & 2 ? this.#number() : this.#payloadBytes - this.at;
    this.at += bytes;
    return { type: "stream", id, offset, bytes, fin: (type & 1) !== 0 };
  }

  #other(number: number, skip: number): QuicFrame {
    this.at += skip;
    return { type: "other", number };
  }

  #numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.#number());
  }

  #number(): number {
    const read = readNumber(this.#bytes, this.at);
    if (!read) this.#isCut = true;
    this.at = read?.end ?? this.#bytes.length;
    return read?.value ?? 0;
  }
}

/** Reads a variable-length integer, whose first two bits give its size (section 16); null if it was not captured. */
export function readNumber(bytes: Buffer, at: number): { value: number; end: number } | null {
  if (at >= bytes.length) return null;
  const size = 1 << (bytes[at]! >> 6);
  if (at + size > bytes.length) return null;
  let value = bytes[at]! & 0x3f;
  for (let i = 1; i < size; i++) value = value * 256 + bytes[at + i]!;
  return { value, end: at + size };
}
