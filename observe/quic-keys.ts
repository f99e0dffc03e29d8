/** The keys of a QUIC connection, derived from the secrets that one end logged (RFC 9001, sections 5 and 6). */
import { createCipheriv } from "node:crypto";
import { type CipherSuite, expandLabel, ivBytes, openSealed, type SuiteParameters, suiteOf } from "./aead.ts";

/** Header protection derives its mask from this many bytes, which begin four bytes after the start of the packet number. */
export const headerSampleBytes = 16;

/** Decrypts packets of one direction at one encryption level. */
export class PacketKeys {
  readonly #suite: SuiteParameters;
  readonly #headerKey: Buffer;
  /** One entry for each key phase. The next phase's entry is derived from the last one. */
  readonly #phases: { secret: Buffer; key: Buffer; iv: Buffer }[] = [];

  constructor(secret: Buffer, suite: CipherSuite) {
    this.#suite = suiteOf(suite);
    this.#headerKey = this.#expand(secret, "quic hp", this.#suite.keyBytes);
    this.#addPhase(secret);
  }

  /** The five bytes with which a header is masked. */
  headerMask(sample: Buffer): Buffer {
    const { header } = this.#suite;
    if (header === "chacha20") return createCipheriv(header, this.#headerKey, sample).update(Buffer.alloc(5));
    return createCipheriv(header, this.#headerKey, null).update(sample).subarray(0, 5);
  }

  /** @param phase how often the keys were updated @returns the captured part of the frames; null if a whole packet's tag is wrong */
  open(phase: number, number: number, header: Buffer, sealed: Buffer, isWhole: boolean): Buffer | null {
    while (this.#phases.length <= phase) this.#addPhase(this.#expand(this.#phases.at(-1)!.secret, "quic ku"));
    const { cipher } = this.#suite;
    return openSealed({ cipher, ...this.#phases[phase]! }, number, header, sealed, isWhole);
  }

  #addPhase(secret: Buffer): void {
    const [key, iv] = [
      this.#expand(secret, "quic key", this.#suite.keyBytes),
      this.#expand(secret, "quic iv", ivBytes),
    ];
    this.#phases.push({ secret, key, iv });
  }

  #expand(secret: Buffer, label: string, bytes: number = this.#suite.hashBytes): Buffer {
    return expandLabel(this.#suite.hash, secret, label, bytes);
  }
}
