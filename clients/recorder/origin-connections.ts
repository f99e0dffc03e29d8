/** Connects to the recorded sites, and keeps for each host name its addresses, the names in its certificate, and its TCP handshake time. */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import type { SeenName } from "../../sites/recorder/seen-exchange.ts";
import { isPrivateAddress } from "./private-addresses.ts";

export interface Address {
  address: string;
  port: number;
}

/** Finds the addresses of a name; rejects with an error that has a `code`, such as ENOTFOUND. */
export type Resolve = (hostname: string, port: number) => Promise<Address[]>;

/** Resolves "localhost" and all names below it to this machine, as browsers do; not every system does (RFC 6761, section 6.3). */
export const bySystem: Resolve = async (hostname, port) => {
  const own = /(^|\.)localhost\.?$/i.test(hostname) ? ["127.0.0.1", "::1"] : null;
  const known = isIP(hostname) ? [hostname] : own;
  const found = known ?? (await lookup(hostname, { all: true })).map(({ address }) => address);
  return found.map((address) => ({ address, port }));
};

const endpointOf = ({ address, port }: Address): string => `${address} ${port}`;

const connectLimitMs = 15_000;
const timesMeasured = 3;

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

export class OriginConnections {
  readonly #resolve: Resolve;
  readonly #insecure: boolean;
  readonly #names = new Map<string, SeenName>();
  readonly #addresses = new Map<string, Address>();
  /** Whether the first host has a public address. If so, its page must not reach this machine or its local networks. */
  #isPublic: boolean | null = null;

  /** @param insecure accepts invalid certificates */
  constructor({ resolve, insecure }: { resolve: Resolve; insecure: boolean }) {
    this.#resolve = resolve;
    this.#insecure = insecure;
  }

  readonly connect: buildConnector.connector = (options, callback) => {
    this.#open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };

  /** Returns what is known about a name. @param name the host of a URL, with the port if the URL has a port */
  of(name: string): SeenName {
    return this.#names.get(name) ?? { name, endpoints: [], covered: [], handshakeMs: null };
  }

  /** Measures the TCP handshakes again, while this process is otherwise idle: a busy process notices late that a connection is open. */
  async measureHandshakes(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const address = this.#addresses.get(name);
      for (let times = 0; address && times < timesMeasured; times++) {
        const connected = await this.#connectFirst([address]).catch(() => null);
        if (!connected) break;
        connected.socket.destroy();
        this.#keep({ ...this.of(name), handshakeMs: connected.handshakeMs });
      }
    }
  }

  async #open({ protocol, hostname, port }: buildConnector.Options): Promise<Socket | TLSSocket> {
    const isTls = protocol === "https:";
    const plainName = hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = await this.#resolve(plainName, Number(port) || (isTls ? 443 : 80));
    const { socket, handshakeMs } = await this.#connectFirst(addresses);
    const secure = isTls ? await withTls(socket, plainName, this.#insecure) : null;
    const { remoteAddress: address = "", remotePort = 0 } = socket;
    const name = new URL(`${protocol}//${hostname}${port ? `:${port}` : ""}`).host;
    this.#addresses.set(name, { address, port: remotePort });
    this.#keep({
      name,
      endpoints: [endpointOf({ address, port: remotePort }), ...addresses.map(endpointOf)],
      covered: secure ? namesIn(secure) : [],
      handshakeMs,
    });
    return secure ?? socket;
  }

  async #connectFirst(addresses: readonly Address[]): Promise<{ socket: Socket; handshakeMs: number }> {
    let failure: unknown = withCode("ENOTFOUND", "the name has no address");
    for (const { address, port } of addresses) {
      try {
        this.#isPublic ??= !isPrivateAddress(address);
        if (this.#isPublic && isPrivateAddress(address))
          throw withCode("EPRIVATE", `a public page must not request from a private address, ${address}`);
        const startMs = performance.now();
        const socket = connectTcp({ host: address, port, noDelay: true });
        await inTime(socket, "connect");
        return { socket, handshakeMs: performance.now() - startMs };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Prefers what a TLS connection showed about a name, because only TLS shows the certificate's names. */
  #keep(one: SeenName): void {
    const { name, handshakeMs } = one;
    const known = this.#names.get(name);
    const better = known && (known.covered.length || !one.covered.length) ? known : one;
    const shortest = Math.min(handshakeMs ?? Number.POSITIVE_INFINITY, known?.handshakeMs ?? Number.POSITIVE_INFINITY);
    this.#names.set(name, { ...better, handshakeMs: Math.round(shortest * 10) / 10 });
  }
}

async function withTls(socket: Socket, hostname: string, insecure: boolean): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    ...(isIP(hostname) ? {} : { servername: hostname }),
    host: hostname,
    ALPNProtocols: ["h2", "http/1.1"],
    rejectUnauthorized: !insecure,
  });
  await inTime(secure, "secureConnect");
  return secure;
}

async function inTime(socket: Socket, event: string): Promise<void> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(connectLimitMs) });
  } catch (error) {
    socket.destroy();
    const isLate = (error as Error).name === "AbortError";
    throw isLate ? withCode("ETIMEDOUT", `no connection within ${connectLimitMs / 1000} s`) : error;
  }
}

/** Returns the names in the server's certificate, which lists them as in "DNS:a.example, DNS:*.b.example, IP Address:192.0.2.1". */
const namesIn = (socket: TLSSocket): string[] =>
  (socket.getPeerCertificate().subjectaltname ?? "").split(", ").flatMap((one) => {
    const [, name] = /^(?:DNS|IP Address):(.+)$/.exec(one) ?? [];
    return name === undefined ? [] : [name];
  });
