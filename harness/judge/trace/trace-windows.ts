/** Recomputes each connection's initial window from its trace. */
import { type Event, initialWindow } from "../../../observe/initial-window.ts";
import type { Packet } from "../../../observe/packet.ts";
import type { FlowEvidence, WindowBounds } from "../../../schema/evidence.ts";
import type { TracedPacket } from "../../../schema/trace.ts";
import type { TracedRows } from "./traced-rows.ts";

/** How many packets of a direction are read, because later packets show nothing more about the initial window (observe/initial-window.ts). */
const enoughPackets = 250;

/** Reports how the traced window differs from the evidence's. If identical packets were confused, the trace may have a larger `atMost` or none. */
export function windowProblems(
  { initcwnd, congestion }: NonNullable<FlowEvidence["server"]>,
  flow: TracedRows,
): string[] {
  const traced = tracedWindow(flow, congestion === "bbr");
  const text = (bounds: WindowBounds | null) => (bounds ? `${bounds.atLeast} to ${bounds.atMost ?? "any"}` : "none");
  const same = initcwnd?.atLeast === traced?.atLeast && (initcwnd?.atMost ?? Infinity) <= (traced?.atMost ?? Infinity);
  return same ? [] : [`its initcwnd is ${text(traced)}, but ${text(initcwnd)} by the evidence`];
}

/** @param paced whether the server's congestion control paces packets */
function tracedWindow({ down, up }: TracedRows, paced: boolean): WindowBounds | null {
  const sent = down.slice(0, enoughPackets).map((row) => ({ atUs: row.sentUs, fromClient: false, row }));
  const arrived = up
    .slice(0, enoughPackets)
    .flatMap((row) => (row.arrivedUs === null ? [] : [{ atUs: row.arrivedUs, fromClient: true, row }]));
  const atServer = [...arrived, ...sent].sort((a, b) => a.atUs - b.atUs);
  return initialWindow(
    atServer.map(({ atUs, fromClient, row }): Event => ({ fromClient, packet: packetOf(row, atUs) })),
    paced,
  );
}

/** Returns a trace's row as a captured packet. Its sequence numbers count from the first byte, and its window is scaled already. */
const packetOf = (row: TracedPacket, atUs: number): Packet => ({
  transport: "tcp",
  timeMs: atUs / 1000,
  frameBytes: row.frameBytes,
  source: "",
  destination: "",
  mark: 0,
  sequence: row.syn ? -1 : row.offset,
  acknowledgment: row.acknowledged,
  syn: row.syn,
  fin: row.fin,
  reset: row.reset,
  push: false,
  window: row.window,
  windowScale: null,
  mssBytes: null,
  sacks: row.sackedTo > row.acknowledged,
  sackedTo: row.sackedTo,
  payloadBytes: row.bytes,
  payload: Buffer.alloc(0),
});
