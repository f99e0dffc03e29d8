/** Connections to one host, up to the limits of client and protocol. Each has one open request, or many with pipelining or multiplexing. */
import { appendFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Protocol } from "../../schema/protocol.ts";
import type { Replays } from "../../schema/registries.ts";
import { keyExchanges } from "../../schema/tls.ts";
import type { Visit } from "../client.ts";
import { isSpdy } from "../spdy-connection.ts";
import type { Kind } from "./markup.ts";
import { speakHttp1 } from "./speak-http1.ts";
import { speakHttp2 } from "./speak-http2.ts";
import { speakSpdyVersion } from "./speak-spdy.ts";
import type { Listener, Speaker, Speech } from "./speech.ts";

/** A request and its response. Times are from performance.now(); they are null for events that have not happened. */
export interface Exchange {
  url: URL;
  kind: Kind;
  startedMs: number;
  connection: Connection | null;
  status: number | null;
  /** Bytes on the wire: the body, and the headers if the protocol's library reports their length. */
  bytes: number;
  server: string | null;
  answeredMs: number | null;
  endedMs: number | null;
  /** Why the response is missing or incomplete. */
  failure: string | null;
}

export interface Reader {
  data?(chunk: Buffer): void;
  end(): void;
}

export interface RequestOptions {
  protocol: Protocol;
  userAgent: string;
  replays: Replays;
  connections?: Visit["connections"];
  /** A file for the TLS keys of the host's connections. */
  keysTo?: string;
}

const http1 = "http/1.1";

function speechOf(alpn: string): Speech {
  if (alpn === http1) return speakHttp1;
  return isSpdy(alpn) ? speakSpdyVersion(alpn) : speakHttp2;
}

/** The cipher list is short, so that the ALPN is among the first bytes of the ClientHello's packet: only these bytes are captured. */
const hello = {
  ciphers:
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256",
  ecdhCurve: [keyExchanges.x25519, keyExchanges.secp256r1].map(({ openssl }) => openssl).join(":"),
  rejectUnauthorized: false, // connections do not leave the lab
};

/** Names the TLS version and group as DevTools does; Node.js has an older name for the group P-256. */
function negotiatedBy(tls: TLSSocket): { version: string; group: string } {
  const { name = "" } = (tls.getEphemeralKeyInfo() ?? {}) as { name?: string };
  const group = name === "prime256v1" ? keyExchanges.secp256r1.devTools : name;
  return { version: String(tls.getProtocol()).replace("TLSv", "TLS "), group };
}

/** The constructor starts to connect; requests wait until the connection is open. */
export class Connection {
  readonly connectMs = performance.now();
  connectedMs: number | null = null;
  /** The server's address, read as soon as the connection is open: it cannot be read after the server has closed the idle connection. */
  address: string | null = null;
  negotiated: { version: string; group: string } | null = null;
  open = 0;
  readonly tcp: Socket;
  readonly tls: TLSSocket | null;
  readonly #speaker: Promise<Speaker>;

  constructor(origin: URL, address: string, { protocol: { alpn, scheme }, replays, keysTo }: RequestOptions) {
    this.tcp = connect({ host: address, port: Number(origin.port), noDelay: true });
    const offer = { servername: origin.hostname, ALPNProtocols: [alpn], ...hello };
    this.tls = scheme === "https" ? connectTls({ socket: this.tcp, ...offer }) : null;
    if (keysTo !== undefined) this.tls?.on("keylog", (line) => appendFileSync(keysTo, line));
    this.#speaker = new Promise((speak, fail) => {
      for (const socket of [this.tcp, ...(this.tls ? [this.tls] : [])]) socket.on("error", fail);
      this.#socket.once(this.tls ? "secureConnect" : "connect", () => {
        this.connectedMs = performance.now();
        this.address = `${this.tcp.remoteAddress}:${this.tcp.remotePort}`;
        this.negotiated = this.tls && negotiatedBy(this.tls);
        this.#gather();
        if (this.protocol === alpn) speak(speechOf(alpn)(this.#socket, origin.origin, replays.pipelines));
        else fail(new Error(`${origin.host} did not negotiate ${alpn}`));
      });
    });
    this.#speaker.catch(() => {}); // each request reports the failure
  }

  get #socket(): Socket {
    return this.tls ?? this.tcp;
  }

  /** The protocol negotiated with ALPN (RFC 7301); HTTP/1.1 without TLS, or if the server chose none. */
  get protocol(): string {
    return this.tls?.alpnProtocol || http1;
  }

  /** Puts simultaneous requests into the fewest possible segments, because the client's initial window is ten segments. */
  #gather(): void {
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }

  async ask(exchange: Exchange, userAgent: string, { data, end }: Reader): Promise<void> {
    this.open++;
    exchange.connection = this;
    if (this.connectedMs !== null) this.#gather();
    const ended = (failure: string | null) => {
      if (exchange.endedMs !== null) return;
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
    // The request fails if there is no connection, or if an HTTP/2 or SPDY session accepts no more requests.
    await this.#speaker.then((speaker) => speaker.ask(request, listener)).catch(({ message }: Error) => ended(message));
  }

  /** Resets the connection, so that no FIN is on its way when the next load begins. */
  close(): void {
    this.tcp.resetAndDestroy();
    this.tls?.destroy();
    void this.#speaker.then(
      (speaker) => speaker.close(),
      () => {},
    );
  }
}

export class HostConnections {
  readonly all: Connection[] = [];
  readonly #waiting: { exchange: Exchange; reader: Reader }[] = [];
  readonly #open: () => Connection;
  /** The largest number of connections; infinite with `each` and `in-turn`, which open a connection for each request. */
  readonly #most: number;
  readonly #isUsedAgain: boolean;
  readonly #shared: boolean;
  readonly #userAgent: string;

  constructor(origin: URL, address: string, options: RequestOptions) {
    const { protocol, replays, userAgent, connections } = options;
    this.#open = () => new Connection(origin, address, options);
    const own = Math.min(replays.connections, protocol.connections);
    this.#isUsedAgain = typeof connections !== "string";
    this.#most = typeof connections === "string" ? Number.POSITIVE_INFINITY : (connections ?? own);
    this.#shared = replays.pipelines || protocol.alpn !== http1;
    this.#userAgent = userAgent;
  }

  ask(exchange: Exchange, reader: Reader): void {
    this.#waiting.push({ exchange, reader });
    this.#next();
  }

  /** @returns an idle connection; else a new one; else, if requests may share connections, the one with the fewest open requests */
  #free(): Connection | undefined {
    const idle = this.#isUsedAgain ? this.all.find(({ open }) => open === 0) : undefined;
    if (idle) return idle;
    if (this.all.length >= this.#most)
      return this.#shared ? this.all.toSorted((a, b) => a.open - b.open)[0] : undefined;
    const opened = this.#open();
    this.all.push(opened);
    return opened;
  }

  #next(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const { exchange, reader } = first;
      const connection = this.#free();
      if (!connection) return;
      this.#waiting.shift();
      const end = () => {
        reader.end();
        this.#next();
      };
      void connection.ask(exchange, this.#userAgent, { ...reader, end });
    }
  }
}
