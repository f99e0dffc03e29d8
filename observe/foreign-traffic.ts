/** Whether a packet on the lab's networks can be a load's. */
import type { Packet, UdpPacket, Unreachable } from "./packet.ts";

export interface Known {
  /** Addresses of all hosts that loads run between. */
  hosts: ReadonlySet<string>;
  /** Where servers speak QUIC: all other UDP is foreign. */
  quicPorts: ReadonlySet<number>;
}

const addressOf = (end: string) => end.slice(0, end.indexOf(":"));
const portOf = (end: string) => Number(end.slice(end.indexOf(":") + 1));

/** Who sent a datagram to or from a port that QUIC is spoken on. */
export const isToServer = ({ destination }: Pick<UdpPacket, "destination">, { quicPorts }: Pick<Known, "quicPorts">) =>
  quicPorts.has(portOf(destination));

/**
 * What a packet is that no load has, in words, or null. A server's last datagrams may reach the client when the load before is over
 * and its socket closed: they are QUIC, of a connection that began before, and what the client's kernel answers to them
 * crosses the link as they do. TCP's late segments and their resets are taken the same way.
 */
export function strangeness(packet: Packet | UdpPacket | Unreachable, { hosts, quicPorts }: Known): string | null {
  const { source, destination, transport } = packet;
  const { source: from, destination: to } = transport === "icmp" ? packet.about : packet;
  const isOurs = [source, destination, from, to].every((end) => hosts.has(addressOf(end)));
  if (isOurs && (transport === "tcp" || quicPorts.has(portOf(from)) || quicPorts.has(portOf(to)))) return null;
  const about = transport === "icmp" ? `, about UDP from ${from} to ${to}` : "";
  return `${transport.toUpperCase()} from ${source} to ${destination}${about}`;
}
