/** What this host's TCP knows of a client, by its connections that are still open. */
import { run } from "../hosts/command.ts";
import type { KnownConnection } from "../schema/known-client.ts";

export async function knownOf(client: string): Promise<KnownConnection[]> {
  const command = ["ss", "--tcp", "--info", "--numeric", "--no-header", "--oneline", "state", "established"];
  return parseKnown(await run(command), client);
}

/**
 * Of what ss(8) says of each socket, those that have sent anything to the client. A server that listens on IPv6 too has its
 * IPv4 clients as "[::ffff:198.18.0.10]:40123".
 * @param client its address
 */
export function parseKnown(sockets: string, client: string): KnownConnection[] {
  const own = sockets
    .split("\n")
    .filter((line) => line.split(/\s+/).some((end) => end.replace(/^\[::ffff:(.+)\]/, "$1").startsWith(`${client}:`)));
  return own.flatMap((line) => {
    const said = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
    const known = {
      minRttMs: said(/\bminrtt:([\d.]+)/),
      rttMs: said(/\brtt:([\d.]+)/),
      deliveryMbps: said(/\bdelivery_rate (\d+)bps/) / 1e6,
      cwnd: said(/\bcwnd:(\d+)/),
      retransmittedSegments: said(/\bretrans:\d+\/(\d+)/),
      deliveredBytes: said(/\bbytes_acked:(\d+)/),
    };
    return known.deliveredBytes > 0 ? [known] : [];
  });
}
