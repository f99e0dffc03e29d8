/** Compresses decoded bodies again, because some recordings have only decoded bodies. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";

type Coding = "gzip" | "deflate" | "br";

interface Compressor {
  compress(body: Buffer, level: number): Buffer;
  levels: readonly [least: number, most: number];
  /** The level that most servers use, for bodies whose size on the network is unknown. */
  usual: number;
}

const compressors: Readonly<Record<Coding, Compressor>> = {
  gzip: { compress: (body, level) => gzipSync(body, { level }), levels: [1, 9], usual: 6 },
  deflate: { compress: (body, level) => deflateSync(body, { level }), levels: [1, 9], usual: 6 },
  br: {
    compress: (body, level) =>
      brotliCompressSync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      }),
    levels: [0, 11],
    usual: 5,
  },
};

/** Returns the coding to use instead of a recorded coding. br replaces codings that Node.js 20 lacks, such as zstd. */
export function codingFor(recorded: string): Coding {
  const name = recorded.trim().toLowerCase().replace(/^x-/, "");
  return name === "gzip" || name === "deflate" ? name : "br";
}

/** Compresses at the level whose result is nearest to the recorded size. */
export function compressedNear(body: Buffer, coding: Coding, wireBytes: number | null): Buffer {
  const { compress, levels, usual } = compressors[coding];
  if (wireBytes === null) return compress(body, usual);
  let [least, most] = levels;
  let best: Buffer | null = null;
  // Binary search works because sizes fall as levels rise. It saves time, because high levels of Brotli take seconds for a large body.
  while (least <= most) {
    const level = Math.floor((least + most) / 2);
    const made = compress(body, level);
    const isNearer = best === null || Math.abs(made.length - wireBytes) < Math.abs(best.length - wireBytes);
    if (isNearer) best = made;
    if (made.length > wireBytes) least = level + 1;
    else most = level - 1;
  }
  return best ?? compress(body, usual);
}
