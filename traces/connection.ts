/** What a TCP connection's packets say of it, in a few numbers: kept while it lasts, however much it carries. */
import { RoundTrips } from "./round-trips.ts";
import type { TracedPacket } from "./tshark.ts";

/** What the client sends after what the server has sent is a request; what the server sends until the next, its object. */
export interface Exchange {
  objectBytes: number;
  /** Since the request before it on the connection began; null for the first. */
  sinceRequestMs: number | null;
  /** As the connection's round trips made it, when the request began; null before any was seen. */
  retransmissionTimeoutMs: number | null;
}

export interface ConnectionSummary {
  /** Its first SYN was seen. */
  whole: boolean;
  /** Requests cannot be told apart: its client offers HTTP/2, which has many at a time. */
  multiplexed: boolean;
  durationMs: number;
  /** Of payload, sent by the server, each once. */
  serverBytes: number;
  serverSegments: number;
  retransmittedSegments: number;
  averageRttMs: number | null;
  exchanges: Exchange[];
}

export class TracedConnection {
  lastMs: number;
  readonly #firstMs: number;
  readonly #client: string;
  readonly #whole: boolean;
  readonly #roundTrips = new RoundTrips();
  readonly #exchanges: Exchange[] = [];
  #multiplexed = false;
  #encrypted = false;
  #answered = true;
  #requestMs: number | null = null;
  #server = { bytes: 0, segments: 0, retransmitted: 0 };

  /** @param first its first packet: a client's SYN, or of one that began before the capture, whoever's */
  constructor(first: TracedPacket) {
    this.#firstMs = first.timeMs;
    this.lastMs = first.timeMs;
    this.#whole = first.syn && !first.ack;
    // A server's port is the lower one; of one that began earlier, nothing better is known.
    this.#client = this.#whole || first.senderPort >= 32_768 ? first.sender : "";
  }

  look(packet: TracedPacket): void {
    this.lastMs = packet.timeMs;
    const byClient = packet.sender === this.#client || (this.#client === "" && packet.senderPort >= 32_768);
    this.#roundTrips.look(packet, byClient);
    if (packet.offers.includes("h2")) this.#multiplexed = true;
    if (packet.records.includes(22)) this.#encrypted = true;
    if (packet.bytes === 0 || packet.keepAlive) return;
    if (byClient) this.#asks(packet);
    else this.#answers(packet);
  }

  #asks({ timeMs, retransmission, records }: TracedPacket): void {
    if (retransmission || !this.#answered || (this.#encrypted && !records.includes(23))) return;
    this.#exchanges.push({
      objectBytes: 0,
      sinceRequestMs: this.#requestMs === null ? null : timeMs - this.#requestMs,
      retransmissionTimeoutMs: this.#roundTrips.timeoutMs,
    });
    this.#requestMs = timeMs;
    this.#answered = false;
  }

  #answers({ bytes, retransmission }: TracedPacket): void {
    this.#server.segments++;
    if (retransmission) {
      this.#server.retransmitted++;
      return;
    }
    this.#server.bytes += bytes;
    this.#answered = true;
    const exchange = this.#exchanges.at(-1);
    if (exchange) exchange.objectBytes += bytes;
  }

  summary(): ConnectionSummary {
    return {
      whole: this.#whole,
      multiplexed: this.#multiplexed,
      durationMs: this.lastMs - this.#firstMs,
      serverBytes: this.#server.bytes,
      serverSegments: this.#server.segments,
      retransmittedSegments: this.#server.retransmitted,
      averageRttMs: this.#roundTrips.averageMs,
      exchanges: this.#exchanges.filter(({ objectBytes }) => objectBytes > 0),
    };
  }
}
