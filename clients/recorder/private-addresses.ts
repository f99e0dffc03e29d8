/** Addresses to which browsers block a public page's requests (Local Network Access), but not behind a proxy. So the recording proxy blocks them. */
import { BlockList, isIPv6 } from "node:net";

const blocks = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  blocks.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127], // :: and ::1
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  blocks.addSubnet(network, prefix, "ipv6");

/** @param address IPv4, IPv6, or an IPv4-mapped IPv6 address (::ffff:127.0.0.1) */
export const isPrivateAddress = (address: string): boolean => blocks.check(address, isIPv6(address) ? "ipv6" : "ipv4");
