/** Reads a message of Protocol Buffers without its schema. It supports fields with bytes and fields with a number. */

export type Field = { number: number; bytes: Buffer } | { number: number; value: number };

/** @returns null if the bytes are not a message, or if a field's wire type is not supported */
export function readFields(bytes: Buffer): Field[] | null {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    if (!key) return null;
    const [number, type] = [Math.floor(key.value / 8), key.value % 8];
    if (type !== varint && type !== lengthDelimited) return null;
    const found = readVarint(bytes, key.end);
    if (!found) return null;
    if (type === varint) fields.push({ number, value: found.value });
    else if (found.end + found.value > bytes.length) return null;
    else fields.push({ number, bytes: bytes.subarray(found.end, found.end + found.value) });
    at = type === varint ? found.end : found.end + found.value;
  }
  return fields;
}

/** The wire types that are supported. */
const varint = 0;
const lengthDelimited = 2;
/** Keys and sizes of fields have at most 32 bits, which take five bytes. */
const mostVarintBytes = 5;

function readVarint(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let i = 0; i < mostVarintBytes; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  return null;
}
