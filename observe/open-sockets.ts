/** What ss(8) shows of this host's established TCP connections. */
import { run } from "../hosts/command.ts";
import type { KnownConnection } from "../schema/known-client.ts";

/** A line for each connection. Where a server listens on IPv6 too, ss writes IPv4 clients as "[::ffff:198.18.0.10]:40123". */
const openSockets = async (): Promise<string> =>
  plainAddresses(await run("ss --tcp --info --numeric --no-header --oneline state established".split(" ")));

const plainAddresses = (sockets: string) => sockets.replaceAll(/\[::ffff:([\d.]+)\]/g, "$1");

/** Each client's congestion control: in ss's output the word before the window scale or, without one, the retransmission timeout. */
export async function congestionByClient(): Promise<Map<string, string>> {
  const sockets = (await openSockets()).matchAll(/^\s*\d+\s+\d+\s+\S+\s+(\S+)\s.*?\b(\w+) (?:wscale|rto):/gm);
  return new Map([...sockets].map(([, client = "", name = ""]) => [client, name]));
}

/** What TCP has learned about a client from connections that are still open. @param client its address */
export const knownOf = async (client: string): Promise<KnownConnection[]> => parseKnown(await openSockets(), client);

/** Only connections that have sent data to the client. @param sockets as ss prints them */
export function parseKnown(sockets: string, client: string): KnownConnection[] {
  const own = plainAddresses(sockets)
    .split("\n")
    .filter((line) => line.split(/\s+/).some((end) => end.startsWith(`${client}:`)));
  return own.flatMap((line) => {
    const number = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
    const known = {
      minRttMs: number(/\bminrtt:([\d.]+)/),
      rttMs: number(/\brtt:([\d.]+)/),
      deliveryMbps: number(/\bdelivery_rate (\d+)bps/) / 1e6,
      cwnd: number(/\bcwnd:(\d+)/),
      retransmittedSegments: number(/\bretrans:\d+\/(\d+)/),
      deliveredBytes: number(/\bbytes_acked:(\d+)/),
    };
    return known.deliveredBytes > 0 ? [known] : [];
  });
}
