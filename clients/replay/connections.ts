/** HTTP/1.1 in the clear to one host: as many connections as a client has, each asked for one object at a time, or for all at once. */
import { connect, type Socket } from "node:net";
import { Client, type Dispatcher } from "undici";

/** How a client asks a host. */
export interface Manner {
  /** The most connections to one host. */
  connections: number;
  /** Whether a connection is asked for the next object before the last one came. */
  pipelines: boolean;
}

/** One request, and what came of it; moments by performance.now(), null for what has not been. */
export interface Exchange {
  url: URL;
  startedMs: number;
  connection: Connection | null;
  status: number | null;
  /** Headers and body, as they came over the wire. */
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

/** How long nothing may be heard: longer than any load, which has a time-out of its own. */
const patienceMs = 4_000_000;

/** undici's client, on a socket that is this module's own: so that it is known, and can be ended without a farewell. */
export class Connection {
  readonly connectMs = performance.now();
  connectedMs: number | null = null;
  socket: Socket | null = null;
  open = 0;
  readonly #client: Client;

  constructor(origin: string, address: string, port: number, { pipelines }: Manner) {
    this.#client = new Client(origin, {
      pipelining: pipelines ? Number.MAX_SAFE_INTEGER : 1,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
      keepAliveTimeout: patienceMs,
      keepAliveMaxTimeout: patienceMs,
      connect: (_, done) => {
        const socket = connect({ host: address, port, noDelay: true });
        this.socket = socket;
        socket.once("error", (error) => done(error, null));
        socket.once("connect", () => {
          this.connectedMs = performance.now();
          this.#gather();
          done(null, socket);
        });
      },
    });
  }

  /** What is asked for at once leaves in as few segments as hold it: a client's own first window has ten. */
  #gather(): void {
    const { socket } = this;
    socket?.cork();
    setImmediate(() => socket?.uncork());
  }

  ask(exchange: Exchange, userAgent: string, { data, end }: Reader): void {
    this.open++;
    exchange.connection = this;
    if (this.connectedMs !== null) this.#gather();
    const ended = (failure: string | null) => {
      this.open--;
      Object.assign(exchange, { endedMs: performance.now(), failure });
      end();
    };
    const { pathname, search } = exchange.url;
    const headers = { "user-agent": userAgent, accept: "*/*" };
    // Undici calls a request blocking, unless told not to, and pipelines nothing behind it.
    this.#client.dispatch(
      { path: pathname + search, method: "GET", headers, blocking: false },
      {
        onRequestStart() {}, // by it undici knows its handlers of today
        onResponseStart(controller, status, fields, words = "") {
          const server = fields.server === undefined ? null : String(fields.server);
          Object.assign(exchange, { status, server, answeredMs: performance.now() });
          exchange.bytes = headerBytes(status, words, controller);
        },
        onResponseData(_, chunk) {
          exchange.bytes += chunk.length;
          data?.(chunk);
        },
        onResponseEnd: () => ended(null),
        onResponseError: (_, error) => ended(error.message),
      },
    );
  }

  /** With a reset: no end of it is under way when the next load begins. */
  close(): void {
    this.socket?.resetAndDestroy();
    void this.#client.destroy().catch(() => {});
  }
}

/** Of an answer's status line and headers, as servers write them: "name: value". */
function headerBytes(status: number, words: string, { rawHeaders }: Dispatcher.DispatchController): number {
  const parts = Array.isArray(rawHeaders)
    ? rawHeaders
    : Object.entries(rawHeaders ?? {})
        .flat()
        .map(String);
  const each = ": ".length / 2 + "\r\n".length / 2;
  return parts.reduce((sum, part) => sum + part.length + each, `HTTP/1.1 ${status} ${words}\r\n\r\n`.length);
}

/** A host's connections, opened as they are needed, and what waits for one. */
export class HostConnections {
  readonly all: Connection[] = [];
  readonly #waiting: { exchange: Exchange; reader: Reader }[] = [];
  readonly #open: () => Connection;
  readonly #manner: Manner;
  readonly #userAgent: string;

  constructor(origin: URL, address: string, manner: Manner, userAgent: string) {
    this.#open = () => new Connection(origin.origin, address, Number(origin.port), manner);
    this.#manner = manner;
    this.#userAgent = userAgent;
  }

  ask(exchange: Exchange, reader: Reader): void {
    this.#waiting.push({ exchange, reader });
    this.#next();
  }

  #next(): void {
    const { connections, pipelines } = this.#manner;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const { exchange, reader } = first;
      const free = this.all.find(({ open }) => open === 0 || pipelines);
      if (!free && this.all.length >= connections) return;
      const connection = free ?? this.#open();
      if (!free) this.all.push(connection);
      this.#waiting.shift();
      const end = () => {
        reader.end();
        this.#next();
      };
      connection.ask(exchange, this.#userAgent, { ...reader, end });
    }
  }
}
