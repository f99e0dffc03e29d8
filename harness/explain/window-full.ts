/** Whether it can have been the window that held a packet back: by what was under way when the acknowledgment came that let it go. */
import type { PacketEvents } from "./link-events.ts";
import { sameBurstUs } from "./recovery.ts";
import type { SideEvents } from "./side-events.ts";

/** Linux keeps back less than a third of a window for a larger burst: tcp_tso_win_divisor */
const leastUse = 2 / 3;

/** Until something is lost a window does not shrink: where less was under way than once before, it was not full. */
export function mayBeFull(packet: PacketEvents, own: SideEvents, answers: SideEvents): boolean {
  if (own.firstRepetitionUs <= packet.sentUs) return true;
  const first = firstOfBurst(packet, own);
  const acknowledged = answers.all.lastAt(first.sentUs - sameBurstUs)?.acknowledged ?? 0;
  const underWay = packetsUnderWay(own, first.place, acknowledged);
  return underWay >= own.leastWindow && underWay >= leastUse * mostUnderWay(own, answers)[first.place]!;
}

/** Of the first so many. */
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

/** The most that were under way when each packet was sent, or earlier. */
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
