/** Checks whether the recorded states of a server's TCP fit the packets: it never has more in flight than its congestion window. */
import type { FlowEvidence } from "../../../schema/evidence.ts";
import type { TcpState } from "../../../schema/tcp-states.ts";
import type { TracedPacket } from "../../../schema/trace.ts";
import type { TracedRows } from "./traced-rows.ts";

/** A tail loss probe (RFC 8985, section 7.3) may exceed the window by one segment. */
const probeSegments = 1;
/** How far the captures' and the kernel's times of one moment may differ, because both are rounded to microseconds. */
const roundedUs = 2;

type Server = NonNullable<FlowEvidence["server"]>;

/** Checks only up to the first sign of a loss. Afterwards the number in flight depends on which packets the server believes to be lost. */
export function stateProblems({ initcwnd, congestion }: Server, { states, down, up }: TracedRows): string[] {
  const [first] = states;
  if (!first) return [];
  const endUs = firstLossUs(states, down, up);
  const sent = down.filter(({ bytes, sentUs }) => bytes > 0 && sentUs < endUs);
  const windows = states.filter(({ atUs }) => atUs < endUs);
  return [
    ...beginningProblems(initcwnd, first),
    ...flightProblems(sent, up, windows),
    ...(congestion === "bbr" ? [] : growthProblems(sent, up, windows)),
  ].slice(0, 1);
}

function firstLossUs(states: readonly TcpState[], down: readonly TracedPacket[], up: readonly TracedPacket[]): number {
  return Math.min(
    ...states.flatMap(({ phase, atUs }) => (phase === 0 ? [] : [atUs])),
    ...down.flatMap(({ repeated, sentUs }) => (repeated ? [sentUs] : [])),
    ...up.flatMap(({ sackedTo, acknowledged, arrivedUs }) =>
      arrivedUs !== null && sackedTo > acknowledged ? [arrivedUs] : [],
    ),
  );
}

const beginningProblems = (initcwnd: Server["initcwnd"], { windowSegments }: TcpState): string[] =>
  !initcwnd || (windowSegments >= initcwnd.atLeast && windowSegments <= (initcwnd.atMost ?? Number.POSITIVE_INFINITY))
    ? []
    : [
        `its TCP began with a window of ${windowSegments}, but ${initcwnd.atLeast} to ${initcwnd.atMost ?? "any"} by the evidence`,
      ];

/** A state is recorded before TCP processes a packet, so the segments that this packet releases must fit into the window of the next state. */
function flightProblems(
  sent: readonly TracedPacket[],
  up: readonly TracedPacket[],
  states: readonly TcpState[],
): string[] {
  const acknowledgedAt = acknowledgments(up);
  const segmentBytes = Math.max(0, ...sent.map(({ bytes }) => bytes));
  for (const { sentUs, offset, bytes } of sent) {
    const next = states.findIndex(({ atUs }) => atUs > sentUs + roundedUs);
    if (next < 0) continue; // the window may have grown after the last state
    const window = Math.max(states[next]!.windowSegments, states[next - 1]?.windowSegments ?? 0);
    const inFlight = (offset + bytes - acknowledgedAt(sentUs)) / segmentBytes;
    if (inFlight > window + probeSegments)
      return [
        `its server had ${inFlight.toFixed(1)} segments in flight at ${sentUs / 1000} ms, but a window of only ${window}`,
      ];
  }
  return [];
}

/** Checks that a window grows at most by the segments that were acknowledged (RFC 5681, RFC 9438). */
function growthProblems(
  sent: readonly TracedPacket[],
  up: readonly TracedPacket[],
  states: readonly TcpState[],
): string[] {
  const acknowledgedAt = acknowledgments(up);
  const first = states[0]?.windowSegments ?? 0;
  let segments = 0;
  for (const { atUs, windowSegments } of states) {
    const acknowledged = acknowledgedAt(atUs + roundedUs);
    while (segments < sent.length && sent[segments]!.offset + sent[segments]!.bytes <= acknowledged) segments++;
    if (windowSegments > first + segments)
      return [
        `its TCP's window grew from ${first} to ${windowSegments} until ${atUs / 1000} ms, but only ${segments} segments were acknowledged`,
      ];
  }
  return [];
}

/** @returns a function that gives the number of bytes acknowledged by a time. The times must not decrease from call to call */
function acknowledgments(up: readonly TracedPacket[]): (us: number) => number {
  const arrived = up
    .flatMap(({ arrivedUs, acknowledged }) => (arrivedUs === null ? [] : [{ arrivedUs, acknowledged }]))
    .sort((a, b) => a.arrivedUs - b.arrivedUs);
  let [next, most] = [0, 0];
  return (us) => {
    for (; next < arrived.length && arrived[next]!.arrivedUs <= us; next++)
      most = Math.max(most, arrived[next]!.acknowledged);
    return most;
  };
}
