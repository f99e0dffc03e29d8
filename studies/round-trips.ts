/** Estimates a connection's RTT and retransmission timeout from a capture anywhere on the path. */
import type { TracedPacket } from "./tshark.ts";

/** Most captures are made near one end, so the round trip between the capture point and the farther end is nearly the whole round trip. */
export class RoundTrips {
  #toServerMs: number | null = null;
  #toClientMs: number | null = null;
  readonly #ofClient = new Estimate();
  readonly #ofServer = new Estimate();

  look({ ackMs, syn, ack, bytes, retransmission }: TracedPacket, byClient: boolean): void {
    if (ackMs === null || retransmission) return;
    // An acknowledgment that carries a response may have waited for the response, so it does not measure the path.
    if (!byClient && bytes > 0) return;
    if (syn && ack) this.#toServerMs ??= ackMs;
    if (byClient && this.#toServerMs !== null) this.#toClientMs ??= ackMs;
    (byClient ? this.#ofClient : this.#ofServer).add(ackMs);
  }

  /** The estimate for the end that the handshake shows to be farther; if none was captured, for the client: most captures are made at servers. */
  get far(): Estimate {
    return this.#toServerMs !== null && this.#toServerMs > (this.#toClientMs ?? 0) ? this.#ofServer : this.#ofClient;
  }
}

/** Jacobson's estimator (RFC 6298) without a minimum, as the Yahoo! paper uses it: RTO = smoothed RTT + 4 * mean deviation. */
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
