/** Summarises a TCP connection while its packets are read, without keeping the packets. */
import { RoundTrips } from "./round-trips.ts";
import type { TracedPacket } from "./tshark.ts";

/** A request (data from the client, the first or after data from the server), and its object: the server's data until the next request. */
interface Exchange {
  objectBytes: number;
  /** Time since the previous request on the connection; null for the first request. */
  sinceRequestMs: number | null;
  /** The retransmission time-out, computed from the round trips before the request; null if there were none. */
  retransmissionTimeoutMs: number | null;
}

export type ConnectionSummary = ReturnType<TracedConnection["summary"]>;

/** The ports of HTTP, HTTPS, and common proxies and development servers. */
const serverPorts = [80, 443, 8080, 8443, 3128];

/**
 * Finds the client by a SYN or a TLS hello. Otherwise it is the end whose port is not in `serverPorts`; if this does not decide, the end with the
 * higher port: systems choose client ports from 1024, 32768 or 49152 up (RFC 6335). @returns null for a packet without SYN, hello and data
 */
function clientOf({ sender, receiver, syn, ack, hello, bytes }: TracedPacket): string | null {
  if (syn) return ack ? receiver : sender;
  if (hello) return hello === "client" ? sender : receiver;
  if (bytes === 0) return null;
  const [fromServer, toServer] = [sender, receiver].map((end) => serverPorts.includes(portOf(end)));
  if (fromServer !== toServer) return fromServer ? receiver : sender;
  return portOf(sender) >= portOf(receiver) ? sender : receiver;
}

const portOf = (end: string) => Number(end.slice(end.lastIndexOf(":") + 1));

export class TracedConnection {
  lastMs: number;
  readonly #firstMs: number;
  #client: string | null = null;
  readonly #whole: boolean;
  readonly #roundTrips = new RoundTrips();
  readonly #exchanges: Exchange[] = [];
  #multiplexed = false;
  #encrypted = false;
  #answered = true;
  #requestMs: number | null = null;
  #server = { bytes: 0, segments: 0, retransmitted: 0 };

  /** @param first the client's SYN or, if the connection began before the capture, any packet */
  constructor(first: TracedPacket) {
    this.#firstMs = first.timeMs;
    this.lastMs = first.timeMs;
    this.#whole = first.syn && !first.ack;
  }

  look(packet: TracedPacket): void {
    this.lastMs = packet.timeMs;
    this.#client ??= clientOf(packet);
    if (this.#client === null) return;
    const byClient = packet.sender === this.#client;
    this.#roundTrips.look(packet, byClient);
    if (packet.offers.includes("h2")) this.#multiplexed = true;
    if (packet.records.includes(22)) this.#encrypted = true;
    if (packet.bytes === 0 || packet.keepAlive) return;
    if (byClient) this.#addRequest(packet);
    else this.#addResponse(packet);
  }

  #addRequest({ timeMs, retransmission, records }: TracedPacket): void {
    if (retransmission || !this.#answered || (this.#encrypted && !records.includes(23))) return;
    this.#exchanges.push({
      objectBytes: 0,
      sinceRequestMs: this.#requestMs === null ? null : timeMs - this.#requestMs,
      retransmissionTimeoutMs: this.#roundTrips.far.timeoutMs,
    });
    this.#requestMs = timeMs;
    this.#answered = false;
  }

  #addResponse({ bytes, retransmission }: TracedPacket): void {
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

  summary() {
    return {
      /** Whether the client's SYN was captured. */
      whole: this.#whole,
      /** Whether the client offers HTTP/2. If so, requests may overlap and cannot be separated. */
      multiplexed: this.#multiplexed,
      durationMs: this.lastMs - this.#firstMs,
      /** Payload bytes from the server, without retransmissions. */
      serverBytes: this.#server.bytes,
      serverSegments: this.#server.segments,
      retransmittedSegments: this.#server.retransmitted,
      averageRttMs: this.#roundTrips.far.averageMs,
      exchanges: this.#exchanges.filter(({ objectBytes }) => objectBytes > 0),
    };
  }
}
