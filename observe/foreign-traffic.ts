/** Finds foreign traffic: packets on the lab's networks that cannot belong to a load. */
import type { Packet, UdpPacket, Unreachable } from "./packet.ts";

export interface OwnTraffic {
  /** Addresses of the client and all web hosts. */
  hosts: ReadonlySet<string>;
  /** The QUIC ports of servers. UDP on any other port is foreign traffic. */
  quicPorts: ReadonlySet<number>;
}

const addressOf = (end: string) => end.slice(0, end.indexOf(":"));
const portOf = (end: string) => Number(end.slice(end.indexOf(":") + 1));

export const isToServer = (
  { destination }: Pick<UdpPacket, "destination">,
  { quicPorts }: Pick<OwnTraffic, "quicPorts">,
) => quicPorts.has(portOf(destination));

/**
 * Describes a packet that cannot belong to a load; null if it can. Late packets of a load that is over are not foreign traffic: TCP segments,
 * the resets in response, QUIC datagrams to a closed socket, and the ICMP messages in response.
 */
export function foreignTraffic(packet: Packet | UdpPacket | Unreachable, own: OwnTraffic): string | null {
  const { hosts, quicPorts } = own;
  const { source, destination, transport } = packet;
  const { source: from, destination: to } = transport === "icmp" ? packet.about : packet;
  const isOurs = [source, destination, from, to].every((end) => hosts.has(addressOf(end)));
  if (isOurs && (transport === "tcp" || quicPorts.has(portOf(from)) || quicPorts.has(portOf(to)))) return null;
  const about = transport === "icmp" ? `, about UDP from ${from} to ${to}` : "";
  return `${transport.toUpperCase()} from ${source} to ${destination}${about}`;
}
