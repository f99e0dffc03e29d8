/** Decrypts the records of a TLS 1.3 connection over TCP (RFC 8446, section 5), with the secrets that its client logged. */
import {
  type CipherSuite,
  expandLabel,
  isCipherSuite,
  ivBytes,
  openSealed,
  type SealingKey,
  suiteOf,
  tagBytes,
} from "./aead.ts";
import type { ConnectionSecrets, Secrets } from "./key-log.ts";
import type { Conversation } from "./tcp-flows.ts";
import { bytesOf } from "./tcp-stream.ts";
import { chosenCipherSuite } from "./tls-hello.ts";

/** Application data of one record. Byte i of `content` is byte `at` + i of the TCP stream after the SYN, because encryption keeps lengths. */
export interface ClearRun {
  at: number;
  content: Buffer;
}

export interface ClearStreams {
  up: ClearRun[];
  down: ClearRun[];
}

const headerBytes = 5;
const applicationData = 23;
/** The random number in a ClientHello follows the headers of the record and the message, and the version. */
const [randomAt, randomBytes] = [headerBytes + 6, 32];

/** @returns the data before each direction's first gap or undecryptable record; null without TLS 1.3 or secrets, or if a segment was cut */
export function openTls(conversation: Conversation, secrets: readonly ConnectionSecrets[]): ClearStreams | null {
  const [up, down] = [bytesOf(conversation, true), bytesOf(conversation, false)];
  if (!up || !down || down.length <= headerBytes) return null;
  const clientRandom = up.subarray(randomAt, randomAt + randomBytes).toString("hex");
  const own = secrets.find((one) => one.clientRandom === clientRandom);
  const suite = chosenCipherSuite(down.subarray(headerBytes));
  if (!own || suite === null || !isCipherSuite(suite)) return null;
  return { up: clearRuns(up, own.client, suite), down: clearRuns(down, own.server, suite) };
}

function clearRuns(stream: Buffer, secrets: Secrets, suite: CipherSuite): ClearRun[] {
  const keys = new RecordKeys(secrets, suite);
  const runs: ClearRun[] = [];
  for (let at = 0; at + headerBytes <= stream.length; ) {
    const end = at + headerBytes + stream.readUInt16BE(at + 3);
    if (end > stream.length) break;
    if (stream[at] === applicationData) {
      const opened = keys.open(stream.subarray(at, at + headerBytes), stream.subarray(at + headerBytes, end));
      if (!opened) break;
      if (opened.type === applicationData && opened.content.length > 0)
        runs.push({ at: at + headerBytes, content: opened.content });
    }
    at = end;
  }
  return runs;
}

/** The keys of one direction, in the order of their use: the handshake's key, the data's key, and the key after each key update. */
class RecordKeys {
  readonly #suite: CipherSuite;
  /** The logged secrets that follow the current secret. When none is left, a key update derives the next secret. */
  readonly #following: Buffer[];
  #secret: Buffer;
  #key: SealingKey;
  /** The number of the next record with this key. */
  #number = 0;

  constructor({ handshake, data }: Secrets, suite: CipherSuite) {
    this.#suite = suite;
    this.#following = [data];
    this.#secret = handshake;
    this.#key = this.#keyOf(handshake);
  }

  open(header: Buffer, sealed: Buffer): { type: number; content: Buffer } | null {
    if (sealed.length <= tagBytes) return null;
    const opened = openSealed(this.#key, this.#number, header, sealed, true);
    if (opened) this.#number++;
    const inner = opened ?? this.#openWithNext(header, sealed);
    if (!inner) return null;
    let last = inner.length - 1; // zeros may follow the content and its type
    while (last > 0 && inner[last] === 0) last--;
    return { type: inner[last]!, content: inner.subarray(0, last) };
  }

  #openWithNext(header: Buffer, sealed: Buffer): Buffer | null {
    const { hash, hashBytes } = suiteOf(this.#suite);
    const [next = expandLabel(hash, this.#secret, "traffic upd", hashBytes)] = this.#following;
    const key = this.#keyOf(next);
    const opened = openSealed(key, 0, header, sealed, true);
    if (!opened) return null;
    this.#following.shift();
    [this.#secret, this.#key, this.#number] = [next, key, 1];
    return opened;
  }

  #keyOf(secret: Buffer): SealingKey {
    const { hash, cipher, keyBytes } = suiteOf(this.#suite);
    return {
      cipher,
      key: expandLabel(hash, secret, "key", keyBytes),
      iv: expandLabel(hash, secret, "iv", ivBytes),
    };
  }
}
