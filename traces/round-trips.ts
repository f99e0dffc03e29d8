/** A connection's round trips, as a capture anywhere on the way sees them. */
import type { TracedPacket } from "./tshark.ts";

/**
 * A capture sees how long the way to either end and back takes. Its handshake shows which end is the farther one; that end's
 * acknowledgments measure the round trip, those of the end beside the capture nearly nothing.
 */
export class RoundTrips {
  #toServerMs: number | null = null;
  #toClientMs: number | null = null;
  readonly #ofClient = new Estimate();
  readonly #ofServer = new Estimate();

  look({ ackMs, syn, ack, bytes, retransmission }: TracedPacket, byClient: boolean): void {
    if (ackMs === null || retransmission) return;
    // What rides on an answer waited for it.
    if (!byClient && bytes > 0) return;
    if (syn && ack) this.#toServerMs ??= ackMs;
    if (byClient && this.#toServerMs !== null) this.#toClientMs ??= ackMs;
    (byClient ? this.#ofClient : this.#ofServer).add(ackMs);
  }

  /** Where the handshake was not seen, the client is the farther end: captures are made at servers. */
  get #far(): Estimate {
    return this.#toServerMs !== null && this.#toServerMs > (this.#toClientMs ?? 0) ? this.#ofServer : this.#ofClient;
  }

  get averageMs(): number | null {
    return this.#far.averageMs;
  }

  get timeoutMs(): number | null {
    return this.#far.timeoutMs;
  }
}

/** Jacobson's estimator (RFC 6298), without a least value: RTO = smoothed RTT + 4 * its mean deviation, as the Yahoo! paper takes it. */
class Estimate {
  #count = 0;
  #sumMs = 0;
  #smoothedMs = 0;
  #deviationMs = 0;

  add(ms: number): void {
    this.#deviationMs = this.#count ? 0.75 * this.#deviationMs + 0.25 * Math.abs(this.#smoothedMs - ms) : ms / 2;
    this.#smoothedMs = this.#count ? 0.875 * this.#smoothedMs + 0.125 * ms : ms;
    this.#count++;
    this.#sumMs += ms;
  }

  get averageMs(): number | null {
    return this.#count ? this.#sumMs / this.#count : null;
  }

  get timeoutMs(): number | null {
    return this.#count ? this.#smoothedMs + 4 * this.#deviationMs : null;
  }
}
