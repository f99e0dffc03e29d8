/** This host's TCP connections as ss(8) shows them. */
import { run } from "../hosts/command.ts";
import { isOfBackground } from "../schema/background.ts";
import type { KnownConnection } from "../schema/known-client.ts";

/** Returns a line for each connection. If a server listens on IPv6 too, ss writes IPv4 clients as "[::ffff:198.18.0.10]:40123". */
const openSockets = async (): Promise<string> =>
  plainAddresses(await run("ss --tcp --info --numeric --no-header --oneline state established".split(" ")));

const plainAddresses = (sockets: string) => sockets.replaceAll(/\[::ffff:([\d.]+)\]/g, "$1");

/** Congestion control of the page's connections, by client address and port. ss prints it before `wscale`, or before `rto` if `wscale` is absent. */
export async function congestionByClient(): Promise<Map<string, string>> {
  const sockets = (await openSockets()).matchAll(
    /^\s*\d+\s+\d+\s+(?<source>\S+)\s+(?<destination>\S+)\s.*?\b(?<name>\w+) (?:wscale|rto):/gm,
  );
  return new Map(
    [...sockets].flatMap(({ groups: { source = "", destination = "", name = "" } = {} }): [string, string][] =>
      isOfBackground({ source, destination }) ? [] : [[destination, name]],
    ),
  );
}

/** The client ports of connections that are still open. @param client the client's address */
export const clientPorts = async (client: string): Promise<number[]> =>
  ofClient(await openSockets(), client).map(({ port }) => port);

/** Counts bytes that connections have not delivered to a host yet, including connections whose program has ended. @param host its address */
export const undeliveredTo = async (host: string): Promise<number> =>
  parseUndelivered(await run("ss --tcp --numeric --no-header --oneline state connected".split(" ")), host);

/** @param sockets the connections as ss prints them: state, bytes to read, bytes to deliver, addresses */
export const parseUndelivered = (sockets: string, host: string): number =>
  ofClient(sockets, host).reduce((sum, { line }) => sum + Number(line.trim().split(/\s+/)[2]), 0);

/** Reads TCP's measurements of the path to a client, from open connections. @param except client ports of connections to skip */
export const knownOf = async (client: string, except: readonly number[]): Promise<KnownConnection[]> =>
  parseKnown(await openSockets(), client, except);

function ofClient(sockets: string, client: string): { port: number; line: string }[] {
  const lines = plainAddresses(sockets).split("\n");
  return lines.flatMap((line) => {
    const end = line.split(/\s+/).find((word) => word.startsWith(`${client}:`));
    return end ? [{ port: Number(end.slice(client.length + 1)), line }] : [];
  });
}

/** Reads, from the output of ss, the connections that have delivered data to the client. */
export const parseKnown = (sockets: string, client: string, except: readonly number[] = []): KnownConnection[] =>
  ofClient(sockets, client).flatMap(({ port, line }) => {
    const number = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
    const known = {
      minRttMs: number(/\bminrtt:([\d.]+)/),
      rttMs: number(/\brtt:([\d.]+)/),
      deliveryMbps: number(/\bdelivery_rate (\d+)bps/) / 1e6,
      cwnd: number(/\bcwnd:(\d+)/),
      retransmittedSegments: number(/\bretrans:\d+\/(\d+)/),
      deliveredBytes: number(/\bbytes_acked:(\d+)/),
    };
    return known.deliveredBytes > 0 && !except.includes(port) ? [known] : [];
  });
