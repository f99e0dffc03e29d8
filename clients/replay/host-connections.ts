/** Connections to one host: as many as client and protocol have, each asked for one object at a time, or for all at once. */
import { appendFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Protocol } from "../../schema/protocol.ts";
import type { Replays } from "../../schema/registries.ts";
import { keyExchanges } from "../../schema/tls.ts";
import { isSpdy } from "../spdy-connection.ts";
import type { Kind } from "./markup.ts";
import { speakHttp1 } from "./speak-http1.ts";
import { speakHttp2 } from "./speak-http2.ts";
import { speakSpdyVersion } from "./speak-spdy.ts";
import type { Listener, Speaker, Speech } from "./speech.ts";

/** One request, and what came of it; moments by performance.now(), null for what has not been. */
export interface Exchange {
  url: URL;
  kind: Kind;
  startedMs: number;
  connection: Connection | null;
  status: number | null;
  /** Headers, where the protocol's library tells how long they were, and body, as they came over the wire. */
  bytes: number;
  server: string | null;
  answeredMs: number | null;
  endedMs: number | null;
  /** Why it has no answer, or not all of it. */
  failure: string | null;
}

/** Called with each piece of an answer's body, and at its end. */
export interface Reader {
  data?(chunk: Buffer): void;
  end(): void;
}

/** How a host is asked. */
export interface Manner {
  protocol: Protocol;
  userAgent: string;
  replays: Replays;
  keysTo?: string;
}

const http1 = "http/1.1";

function speechOf(alpn: string): Speech {
  if (alpn === http1) return speakHttp1;
  return isSpdy(alpn) ? speakSpdyVersion(alpn) : speakHttp2;
}

/**
 * What a hello offers: one protocol, and so few ciphers that a capture, which keeps the first bytes of a packet, reaches the protocol.
 * Certificates are the lab's own, for connections that go nowhere else.
 */
const hello = {
  ciphers:
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256",
  ecdhCurve: [keyExchanges.x25519, keyExchanges.secp256r1].map(({ openssl }) => openssl).join(":"),
  rejectUnauthorized: false,
};

/** Opened at once; what it is asked for before it is there waits. */
export class Connection {
  readonly connectMs = performance.now();
  connectedMs: number | null = null;
  open = 0;
  readonly tcp: Socket;
  readonly tls: TLSSocket | null;
  readonly #speaker: Promise<Speaker>;

  constructor(origin: URL, address: string, { protocol: { alpn, scheme }, replays, keysTo }: Manner) {
    this.tcp = connect({ host: address, port: Number(origin.port), noDelay: true });
    const offer = { servername: origin.hostname, ALPNProtocols: [alpn], ...hello };
    this.tls = scheme === "https" ? connectTls({ socket: this.tcp, ...offer }) : null;
    if (keysTo !== undefined) this.tls?.on("keylog", (line) => appendFileSync(keysTo, line));
    this.#speaker = new Promise((speak, fail) => {
      for (const socket of [this.tcp, ...(this.tls ? [this.tls] : [])]) socket.on("error", fail);
      this.#socket.once(this.tls ? "secureConnect" : "connect", () => {
        this.connectedMs = performance.now();
        this.#gather();
        if (this.protocol === alpn) speak(speechOf(alpn)(this.#socket, origin.origin, replays.pipelines));
        else fail(new Error(`${origin.host} did not agree to speak ${alpn}`));
      });
    });
    this.#speaker.catch(() => {}); // who asks is told
  }

  get #socket(): Socket {
    return this.tls ?? this.tcp;
  }

  /** As both ends agreed; without a word of it, as in the clear, it is HTTP/1.1. RFC 7301 */
  get protocol(): string {
    return this.tls?.alpnProtocol || http1;
  }

  /** What is asked for at once leaves in as few segments as hold it: a client's own first window has ten. */
  #gather(): void {
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }

  async ask(exchange: Exchange, userAgent: string, { data, end }: Reader): Promise<void> {
    this.open++;
    exchange.connection = this;
    if (this.connectedMs !== null) this.#gather();
    const ended = (failure: string | null) => {
      this.open--;
      Object.assign(exchange, { endedMs: performance.now(), failure });
      end();
    };
    const listener: Listener = {
      answered: (status, server, bytes) =>
        void Object.assign(exchange, { status, server, bytes, answeredMs: performance.now() }),
      data(chunk) {
        exchange.bytes += chunk.length;
        data?.(chunk);
      },
      ended,
    };
    const { url, kind } = exchange;
    const request = { url, kind, headers: { "user-agent": userAgent, accept: "*/*" } };
    await this.#speaker.then(
      (speaker) => speaker.ask(request, listener),
      ({ message }: Error) => ended(message),
    );
  }

  /** With a reset: no end of it is under way when the next load begins. */
  close(): void {
    this.tcp.resetAndDestroy();
    this.tls?.destroy();
    void this.#speaker.then(
      (speaker) => speaker.close(),
      () => {},
    );
  }
}

/** A host's connections, opened as they are needed, and what waits for one. */
export class HostConnections {
  readonly all: Connection[] = [];
  readonly #waiting: { exchange: Exchange; reader: Reader }[] = [];
  readonly #open: () => Connection;
  readonly #most: number;
  readonly #shared: boolean;
  readonly #userAgent: string;

  constructor(origin: URL, address: string, manner: Manner) {
    const { protocol, replays, userAgent } = manner;
    this.#open = () => new Connection(origin, address, manner);
    this.#most = Math.min(replays.connections, protocol.connections);
    this.#shared = replays.pipelines || protocol.alpn !== http1;
    this.#userAgent = userAgent;
  }

  ask(exchange: Exchange, reader: Reader): void {
    this.#waiting.push({ exchange, reader });
    this.#next();
  }

  #next(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const { exchange, reader } = first;
      const free = this.all.find(({ open }) => open === 0 || this.#shared);
      if (!free && this.all.length >= this.#most) return;
      const connection = free ?? this.#open();
      if (!free) this.all.push(connection);
      this.#waiting.shift();
      const end = () => {
        reader.end();
        this.#next();
      };
      void connection.ask(exchange, this.#userAgent, { ...reader, end });
    }
  }
}
