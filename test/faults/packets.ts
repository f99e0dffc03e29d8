/** Faults in a load's evidence about its packets and the processor: values are altered or removed. */
import { type Fault, onEvidence } from "./fault.ts";
import type { InLab } from "./in-lab.ts";
import { linkFaults } from "./link.ts";

/** The program that takes processor time runs outside the lab (catch.ts), because the lab counts programs inside as its own. */
export const cpuHog: InLab = { caughtBy: "evidence", lasts: true, apply: async () => {} };

export const packets: Fault[] = [
  onEvidence(
    "packets that go around the shaper",
    ({ packets: { path } }) => void (path.up.shapedPackets = 0),
    /packets sent, 0 through the shaper/,
    { inLab: linkFaults.aroundTheShaper },
  ),
  onEvidence(
    "packets lost behind the shaper",
    ({ packets: { path } }) => {
      const { atLeast, atMost } = path.down.arrivedPackets;
      path.down.arrivedPackets = { atLeast: atLeast - 9, atMost: atMost - 9 };
    },
    /down: \d+ packets left the shaper, \d+( to \d+)? arrived/,
  ),
  onEvidence(
    "another machine on the same processor",
    ({ processor }) => void (processor.stealMs = processor.elapsedMs * 0.3),
    /steal\) took 0\.30 cores/,
  ),
  onEvidence(
    "a machine that pauses for much of the load",
    ({ processor }) => void (processor.pauses = { longestMs: 90, totalMs: processor.elapsedMs * 0.3 }),
    /pauses of the whole machine took 0\.30 cores/,
  ),
  onEvidence(
    "no packet captured at both ends",
    ({ packets: { path } }) => void (path.down.transit = null),
    /its evidence lacks packets\.path\.down\.transit/,
  ),
  onEvidence(
    "no captured packets that queued behind one another",
    ({ packets: { path } }) => void (path.down.transit!.backToBack = null),
    /down: no two packets were seen to leave the queue back to back/,
  ),
  onEvidence(
    "packets at twice the configured rate",
    ({ packets: { path } }) => void (path.down.transit!.backToBack!.ms /= 2),
    /at 20\.\d+ Mb\/s instead of 10|at 19\.\d+ Mb\/s instead of 10/,
  ),
  onEvidence(
    "a packet faster than the link's delay",
    ({ packets: { path } }) => void (path.up.transit!.least.ms -= 5),
    /up: the quickest packet took/,
  ),
  onEvidence(
    "a packet slower than a full queue allows",
    ({ packets: { path } }) => void (path.up.transit!.mostMs += 2000),
    /up: a packet took .* behind a full queue it takes/,
  ),
  onEvidence(
    "fewer packets captured at both ends than arrived",
    ({ packets: { path } }) => void (path.up.transit!.packets -= 20),
    /packets were seen at both ends/,
  ),
  onEvidence(
    "superpackets",
    (evidence) => void (evidence.packets.largestFrameBytes = 2962),
    /a superpacket of \d+ bytes/,
    { inLab: linkFaults.superpackets },
  ),
  onEvidence(
    "frames that a capture missed",
    (evidence) => void (evidence.packets.missedFrames = 4),
    /captures missed 4 frames/,
  ),
  onEvidence(
    "foreign packets",
    (evidence) => void (evidence.packets.foreign = ["EtherType 0x86dd"]),
    /foreign traffic: /,
    { inLab: linkFaults.foreignTraffic },
  ),
  onEvidence(
    "evidence that claims an earlier schema version",
    (evidence) => Object.assign(evidence, { version: 2 }),
    /evidence\.version: Invalid input/,
    { notInSample: true },
  ),
  onEvidence(
    "a part of the lab that ended during the load",
    (evidence) => void (evidence.ended = ["nginx: worker process"]),
    /a part of the lab ended during the load/,
  ),
  onEvidence(
    "the list of ended parts of the lab removed",
    (evidence) => Object.assign(evidence, { ended: undefined }),
    /evidence\.ended: Invalid input/,
    { notInSample: true },
  ),
  onEvidence(
    "the order of packets removed",
    ({ packets: { path } }) => void delete path.down.transit!.reordered,
    /the evidence lacks the order of packets/,
  ),
  onEvidence(
    "more CPU time than the cores have",
    ({ processor }) => void (processor.labMs = 99_999),
    /\d{5,6} ms of CPU time were used on \d+ cores/,
  ),
  onEvidence(
    "other programs that use the processor during the load",
    ({ processor }) => void (processor.otherMs = processor.elapsedMs / 2),
    /other programs took \d\.\d+ cores from the load/,
    { inLab: cpuHog },
  ),
  onEvidence(
    "more cores than the lane's machine has",
    ({ processor }) => void (processor.cores += 64),
    /its processor has \d+ cores, its lane's/,
    { notInSample: true },
  ),
  onEvidence(
    "too few packets in a row to show the rate",
    ({ packets: { path } }) => void (path.down.transit!.backToBack = { packets: 1e9, bytes: 1, ms: 0 }),
    /packets that waited for one another had 1 bytes/,
  ),
  onEvidence(
    "a slowest packet faster than the fastest",
    ({ packets: { path } }) => void (path.down.transit!.mostMs = 0),
    /the slowest packet took 0 ms, the quickest/,
  ),
  onEvidence(
    "packet counts too imprecise to show a missing packet",
    ({ packets: { path } }) => void (path.down.sentPackets = { atLeast: 0, atMost: 1e9 }),
    /a count of 0 to 1000000000 packets is too imprecise/,
  ),
  onEvidence(
    "the time of the last acknowledgment removed",
    ({ packets }) => void (packets.requestToLastAckMs = null),
    /its evidence lacks requestToLastAckMs/,
  ),
  onEvidence(
    "a last acknowledgment long before the last data",
    ({ packets }) => void (packets.requestToLastAckMs! /= 2),
    /its acknowledgment after/,
    { notInSample: true },
  ),
];
