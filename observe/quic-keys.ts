/** The keys of a QUIC connection, derived from the secrets that one end logged (RFC 9001, sections 5 and 6). */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** The cipher suites of TLS 1.3 that QUIC uses, by IANA's numbers. */
const suites = {
  4865: { hash: "sha256", hashBytes: 32, keyBytes: 16, cipher: "aes-128-gcm", header: "aes-128-ecb" },
  4866: { hash: "sha384", hashBytes: 48, keyBytes: 32, cipher: "aes-256-gcm", header: "aes-256-ecb" },
  4867: { hash: "sha256", hashBytes: 32, keyBytes: 32, cipher: "chacha20-poly1305", header: "chacha20" },
} as const;
export type CipherSuite = keyof typeof suites;

export const isCipherSuite = (number: number): number is CipherSuite => number in suites;

/** The secrets with which one end encrypts the handshake, and the data after it. */
export interface Secrets {
  handshake: Buffer;
  data: Buffer;
}

/** The secrets of both ends of a connection. */
export interface ConnectionSecrets {
  client: Secrets;
  server: Secrets;
}

const labels = {
  CLIENT_HANDSHAKE_TRAFFIC_SECRET: ["client", "handshake"],
  SERVER_HANDSHAKE_TRAFFIC_SECRET: ["server", "handshake"],
  CLIENT_TRAFFIC_SECRET_0: ["client", "data"],
  SERVER_TRAFFIC_SECRET_0: ["server", "data"],
} as const;

/** The connections with all four secrets in the log, in the order of their first secret. @param log in the format of SSLKEYLOGFILE (RFC 9850) */
export function readKeyLog(log: string): ConnectionSecrets[] {
  const byRandom = new Map<string, { client: Partial<Secrets>; server: Partial<Secrets> }>();
  for (const line of log.split("\n")) {
    const [label = "", random = "", secret = ""] = line.trim().split(" ");
    if (!(label in labels)) continue;
    const [end, level] = labels[label as keyof typeof labels];
    const known = byRandom.get(random) ?? { client: {}, server: {} };
    known[end][level] = Buffer.from(secret, "hex");
    byRandom.set(random, known);
  }
  const isWhole = (one: Partial<Secrets>): one is Secrets => one.handshake !== undefined && one.data !== undefined;
  return [...byRandom.values()].flatMap(({ client, server }) =>
    isWhole(client) && isWhole(server) ? [{ client, server }] : [],
  );
}

export const tagBytes = 16;
/** Header protection derives its mask from this many bytes, which begin four bytes after the start of the packet number. */
export const headerSampleBytes = 16;

/** Decrypts packets of one direction at one encryption level. */
export class PacketKeys {
  readonly #suite: (typeof suites)[CipherSuite];
  readonly #headerKey: Buffer;
  /** One entry for each key phase. Those of later phases are derived from the last entry. */
  readonly #phases: { secret: Buffer; key: Buffer; iv: Buffer }[] = [];

  constructor(secret: Buffer, suite: CipherSuite) {
    this.#suite = suites[suite];
    this.#headerKey = this.#expand(secret, "quic hp", this.#suite.keyBytes);
    this.#addPhase(secret);
  }

  /** The five bytes that a header is masked with. */
  headerMask(sample: Buffer): Buffer {
    const { header } = this.#suite;
    if (header === "chacha20") return createCipheriv(header, this.#headerKey, sample).update(Buffer.alloc(5));
    return createCipheriv(header, this.#headerKey, null).update(sample).subarray(0, 5);
  }

  /**
   * @param phase how often the keys were updated @param sealed the encrypted payload, with its tag if the whole packet was captured
   * @returns the captured part of the frames; null if the whole packet was captured and its tag is wrong
   */
  open(phase: number, number: number, header: Buffer, sealed: Buffer, isWhole: boolean): Buffer | null {
    while (this.#phases.length <= phase) this.#addPhase(this.#expand(this.#phases.at(-1)!.secret, "quic ku"));
    const { key, iv } = this.#phases[phase]!;
    const nonce = Buffer.from(iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ (number % 2 ** 32)) >>> 0, 8);
    nonce.writeUInt32BE((nonce.readUInt32BE(4) ^ Math.floor(number / 2 ** 32)) >>> 0, 4);
    const decipher = createDecipheriv(this.#suite.cipher as "aes-128-gcm", key, nonce, { authTagLength: tagBytes });
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

  #addPhase(secret: Buffer): void {
    const [key, iv] = [this.#expand(secret, "quic key", this.#suite.keyBytes), this.#expand(secret, "quic iv", 12)];
    this.#phases.push({ secret, key, iv });
  }

  #expand(secret: Buffer, label: string, bytes: number = this.#suite.hashBytes): Buffer {
    return expandLabel(this.#suite.hash, secret, label, bytes);
  }
}

/** HKDF-Expand-Label (RFC 8446, section 7.1), for at most one hash length. */
export function expandLabel(hash: string, secret: Buffer, label: string, bytes: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.from([0, bytes, name.length, ...name, 0, 1]);
  return createHmac(hash, secret).update(info).digest().subarray(0, bytes);
}
