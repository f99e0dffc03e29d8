/** Faults in what the shaper and its kernel report about the link: values are altered or removed. */
import type { GoodLoad } from "../../schema/records.ts";
import { type Fault, onEvidence } from "./fault.ts";

const isLossy = (load: GoodLoad) => load.lossPercent === 1 && load.page === "A";

export const shaper: Fault[] = [
  onEvidence(
    "a link that was already wrong when the load began",
    ({ link: { down } }) => void (down.atStart.rateMbps = 20),
    /when the load began, the link had down rateMbps 20 instead of 10/,
  ),
  onEvidence(
    "a delay in tc's report that is not configured",
    ({ link: { down } }) => void (down.atStart.delayMs = 90),
    /the link had down delayMs 90 instead of 50/,
  ),
  onEvidence(
    "jitter that is not configured",
    ({ link: { down } }) => void (down.atStart.jitterMs = 10),
    /the link had down jitterMs 10 instead of none/,
  ),
  onEvidence(
    "bursts of losses that are not configured",
    ({ link: { down } }) => void (down.atStart.lossBurstPackets = 4),
    /the link had down lossBurstPackets 4 instead of none/,
  ),
  onEvidence(
    "active queue management that is not configured",
    ({ link: { down } }) => void (down.atStart.aqm = "fq_codel"),
    /the link had down aqm fq_codel instead of none/,
  ),
  onEvidence(
    "loss that is not configured",
    ({ link: { down } }) => void (down.atStart.lossPercent = 1),
    /the link had down lossPercent 1 instead of 0/,
  ),
  onEvidence(
    "a packet lost on a link without loss",
    ({ link: { down } }) => void down.lostPackets++,
    /1 packets were lost on a link that loses none/,
  ),
  onEvidence(
    "losses missing in the counters",
    ({ link }) => void (link.down.lostPackets = 0),
    /packets entered according to the shaper's counters, \d+ according to packets\.path/,
    { isVictim: (load) => isLossy(load) && load.evidence.link.down.lostPackets > 0, notInSample: true },
  ),
  onEvidence(
    "losses missing in the counters and in the path",
    ({ link: { down }, packets: { path } }) => {
      path.down.shapedPackets -= down.lostPackets;
      down.lostPackets = 0;
    },
    /through the shaper: the others went around it/,
    { isVictim: (load) => isLossy(load) && load.evidence.link.down.lostPackets > 5, notInSample: true },
  ),
  onEvidence(
    "a rate in tc's report at the end that is not configured",
    ({ link: { down } }) => void (down.atEnd!.rateMbps = 20),
    /when the load ended, the link had down rateMbps 20/,
  ),
  onEvidence(
    "a queue limit in tc's report at the beginning that is not configured",
    ({ link: { up } }) => void (up.atStart.queuePackets = 1000),
    /when the load began, the link had up queuePackets 1000/,
  ),
  onEvidence(
    "tc's report at the beginning removed",
    ({ link: { up } }) => Object.assign(up, { atStart: null }),
    /link\.up\.atStart: Invalid input/,
    { notInSample: true },
  ),
  onEvidence(
    "more bytes sent than the packets can contain",
    ({ link: { down } }) => void (down.sentBytes *= 10),
    /packets cannot have \d+ bytes/,
  ),
];
