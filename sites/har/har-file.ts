/** Reads a recording's JSON file, which may be compressed by gzip or zlib, in UTF-8 or UTF-16. */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { unzipSync } from "node:zlib";
import { usageError } from "../../schema/errors.ts";

/** The limit of a file's size, because memory has to hold the file both as text and as objects. */
const mostBytes = 256e6;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** @param what the format's name in messages @throws LabError (usage) for a file that is not JSON, is incomplete or is too large */
export function parseHarFile(file: string, what = "HAR"): unknown {
  const text = textOf(unpacked(read(file), file));
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(
      `${file} is not a complete ${what}: its JSON is invalid (${(error as Error).message}); save it again`,
    );
  }
}

function read(file: string): Buffer {
  try {
    const opened = openSync(file, "r");
    try {
      const { size } = fstatSync(opened);
      if (size > mostBytes)
        throw new Error(`it has ${megabytes(size)}; up to ${megabytes(mostBytes)} is allowed: save it without content`);
      return readFileSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Decompresses a file. mitmproxy uses zlib (.zhar), other producers gzip. No JSON text starts with the first bytes of either format. */
function unpacked(bytes: Buffer, file: string): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isZlib = bytes[0] === 0x78 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
  if (!isGzip && !isZlib) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(
      code === "ERR_BUFFER_TOO_LARGE"
        ? `${file} has more than ${megabytes(mostBytes)} after decompression; save it without content`
        : `${file} is compressed, but incomplete (${message}); save it again`,
    );
  }
}

/** A byte order mark shows the encoding. Without a mark, JSON's first character shows it: this character is ASCII, so UTF-16 adds a zero byte. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined);
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && first !== undefined && second === 0);
  const encoding = isBigEndian ? "utf-16be" : isLittleEndian ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
