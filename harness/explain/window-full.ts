/** Decides whether the congestion window may have delayed a packet, from how much was in flight when an acknowledgment released the packet. */
import type { PacketEvents, SideEvents } from "./link-events.ts";
import { sameBurstUs } from "./recovery.ts";

/** Linux may leave up to a third of a window unused, to send a larger burst later: tcp_tso_win_divisor */
const leastUse = 2 / 3;

/** A window does not shrink before the first loss. So if clearly less data was in flight than at some earlier time, the window was not full. */
export function mayBeFull(packet: PacketEvents, own: SideEvents, answers: SideEvents): boolean {
  if (own.firstRepetitionUs <= packet.sentUs) return true;
  const first = firstOfBurst(packet, own);
  const acknowledged = answers.all.lastAt(first.sentUs - sameBurstUs)?.acknowledged ?? 0;
  const underWay = packetsUnderWay(own, first.place, acknowledged);
  return underWay >= own.leastWindow && underWay >= leastUse * mostUnderWay(own, answers)[first.place]!;
}

/** Counts the packets in flight. @param sent how many of the packets had been sent */
function packetsUnderWay({ packets }: SideEvents, sent: number, acknowledged: number): number {
  let number = 0;
  for (let i = sent - 1; i >= 0; i--) {
    const { offset, bytes } = packets[i]!;
    if (bytes === 0) continue;
    if (offset + bytes <= acknowledged) break;
    number++;
  }
  return number;
}

/** Returns for each packet the largest number of packets in flight until it was sent. */
function mostUnderWay(own: SideEvents, answers: SideEvents): number[] {
  const known = mostOf.get(own);
  if (known) return known;
  let most = 0;
  const all = own.packets.map(({ sentUs, place }) => {
    const acknowledged = answers.all.lastAt(sentUs)?.acknowledged ?? 0;
    most = Math.max(most, packetsUnderWay(own, place, acknowledged));
    return most;
  });
  mostOf.set(own, all);
  return all;
}

const mostOf = new WeakMap<SideEvents, number[]>();

function firstOfBurst(packet: PacketEvents, { packets }: SideEvents): PacketEvents {
  let i = packet.place;
  while (packets[i - 1] && packet.sentUs - packets[i - 1]!.sentUs <= sameBurstUs) i--;
  return packets[i]!;
}
