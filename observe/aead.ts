/** TLS 1.3's encryption, for TLS over TCP and for QUIC: cipher suites, and keys derived from secrets (RFC 8446, RFC 9001). */
import { createDecipheriv, createHmac } from "node:crypto";

/** The TLS 1.3 cipher suites that the lab's servers choose from, by IANA number. */
const suites = {
  4865: { hash: "sha256", hashBytes: 32, keyBytes: 16, cipher: "aes-128-gcm", header: "aes-128-ecb" },
  4866: { hash: "sha384", hashBytes: 48, keyBytes: 32, cipher: "aes-256-gcm", header: "aes-256-ecb" },
  4867: { hash: "sha256", hashBytes: 32, keyBytes: 32, cipher: "chacha20-poly1305", header: "chacha20" },
} as const;
export type CipherSuite = keyof typeof suites;
export type SuiteParameters = (typeof suites)[CipherSuite];

export const isCipherSuite = (number: number): number is CipherSuite => number in suites;
export const suiteOf = (suite: CipherSuite): SuiteParameters => suites[suite];

export const tagBytes = 16;
export const ivBytes = 12;

export interface SealingKey {
  cipher: SuiteParameters["cipher"];
  key: Buffer;
  iv: Buffer;
}

/**
 * Decrypts one packet or record.
 * @param number the packet's or record's number, a part of the nonce (RFC 8446, section 5.3) @param header authenticated by the tag, too
 * @param sealed the encrypted content, followed by the tag if `isWhole`; without the tag, the content is decrypted but not authenticated
 * @returns null if the tag is wrong
 */
export function openSealed(
  { cipher, key, iv }: SealingKey,
  number: number,
  header: Buffer,
  sealed: Buffer,
  isWhole: boolean,
): Buffer | null {
  const nonce = Buffer.from(iv);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ (number % 2 ** 32)) >>> 0, 8);
  nonce.writeUInt32BE((nonce.readUInt32BE(4) ^ Math.floor(number / 2 ** 32)) >>> 0, 4);
  const decipher = createDecipheriv(cipher as "aes-128-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(header, { plaintextLength: sealed.length });
  if (!isWhole) return decipher.update(sealed);
  const opened = decipher.update(sealed.subarray(0, -tagBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return opened;
}

/** HKDF-Expand-Label (RFC 8446, section 7.1), for at most one hash length. */
export function expandLabel(hash: string, secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.from([0, bytes, name.length, ...name, 0, 1]);
  return createHmac(hash, secret).update(info).digest().subarray(0, bytes);
}
