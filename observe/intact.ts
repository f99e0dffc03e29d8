/** Whether a frame arrived as it was sent, according to its checksums. If not, the receiving kernel discards it. */

const ethernetBytes = 14;
const ipv4 = 0x0800;
const [icmp, tcp, udp] = [1, 6, 17];
const udpChecksumAt = 6;

/** The one's complement sum of 16-bit words, from which checksums are computed (RFC 1071). */
function sumOf(bytes: Buffer, start = 0): number {
  let sum = start;
  for (let i = 0; i + 1 < bytes.length; i += 2) sum += bytes.readUInt16BE(i);
  if (bytes.length % 2 === 1) sum += bytes[bytes.length - 1]! << 8;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

/** The sum of all words of a header or segment whose checksum is correct. */
const right = 0xffff;

/**
 * Whether a frame for this host, captured in full, arrived with a wrong bit. All hosts receive a frame with a wrong destination MAC address;
 * only the host that has the frame's destination IP address counts it. @param own the device's addresses, the MAC address without colons
 */
export function isDamaged(frame: Buffer, own: { mac: string; address: string }): boolean {
  const [to, from] = [frame.subarray(0, 6), frame.subarray(6, 12)].map((mac) => mac.toString("hex"));
  if (from === own.mac) return false; // sent by this host
  return to === own.mac ? !isIntact(frame) : frame.subarray(30, 34).join(".") === own.address;
}

function isIntact(frame: Buffer): boolean {
  if (frame.readUInt16BE(12) !== ipv4) return false;
  const ip = frame.subarray(ethernetBytes);
  const headerBytes = (ip[0]! & 15) * 4;
  if (ip[0]! >> 4 !== 4 || headerBytes < 20 || sumOf(ip.subarray(0, headerBytes)) !== right) return false;
  const segment = ip.subarray(headerBytes, ip.readUInt16BE(2)); // Ethernet pads short frames
  const protocol = ip[9];
  if (protocol === icmp) return sumOf(segment) === right;
  if (protocol !== tcp && protocol !== udp) return false;
  if (protocol === udp && segment.readUInt16BE(udpChecksumAt) === 0) return true; // the datagram has no checksum
  return sumOf(segment, sumOf(ip.subarray(12, 20)) + protocol + segment.length) === right;
}
