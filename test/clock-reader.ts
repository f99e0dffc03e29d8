/** A program of a few instructions that reads the processor's clock (rdtsc). No language in a guest can read this clock directly. */

const loadedAt = 0x400000n;
const headerBytes = 64 + 56;

/** Combines rdx:rax into one number in rax. */
const joined = [0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0];
const start = [0x0f, 0x31, ...joined, 0x49, 0x89, 0xc0]; // rdtsc; mov %rax, %r8
const sinceStart = [...joined, 0x4c, 0x29, 0xc0]; // sub %r8, %rax
const rounds = 100_000_000;

/** The instructions after the first reading of the clock, including the last reading. They leave the ticks between the two readings in rax. */
export const between = {
  /** A hundred million empty iterations, then rdtscp. */
  computes: [0xb9, ...word32(rounds), 0xff, 0xc9, 0x75, 0xfc, 0x0f, 0x01, 0xf9, ...sinceStart],
  /** Reads the clock repeatedly until a million ticks have passed. */
  waits: [0x0f, 0x31, ...sinceStart, 0x48, 0x3d, ...word32(1_000_000), 0x72, 0xec],
} as const;

/** Makes the program, an ELF file for 64-bit Linux. It writes the ticks to stdout, as eight bytes. */
export function clockReader(middle: readonly number[]): Buffer {
  const end = [0x50, 0xbf, ...word32(1), 0x48, 0x89, 0xe6, 0xba, ...word32(8), 0xb8, ...word32(1), 0x0f, 0x05]; // write
  const exit = [0xb8, ...word32(60), 0x31, 0xff, 0x0f, 0x05];
  const code = [...start, ...middle, ...end, ...exit];
  const header = Buffer.alloc(headerBytes);
  header.write("\x7fELF\x02\x01\x01", 0, "latin1");
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(loadedAt + BigInt(headerBytes), 24); // entry point
  header.writeBigUInt64LE(64n, 32); // offset of the program headers
  for (const [i, value] of [64, 56, 1].entries()) header.writeUInt16LE(value, 52 + 2 * i); // sizes of both headers, one segment
  header.writeUInt32LE(1, 64); // the segment is loaded,
  header.writeUInt32LE(5, 68); // readable and executable
  header.writeBigUInt64LE(loadedAt, 80);
  for (const at of [96, 104]) header.writeBigUInt64LE(BigInt(headerBytes + code.length), at);
  header.writeBigUInt64LE(4096n, 112);
  return Buffer.concat([header, Buffer.from(code)]);
}

function word32(value: number): number[] {
  return [0, 8, 16, 24].map((bits) => (value >>> bits) & 0xff);
}
