/** A replayed load in the form of one that was made, so that the same account says where its time goes. */
import type { RequestEvidence } from "../../../schema/evidence.ts";
import type { Link } from "../../../schema/link.ts";
import { rateOf } from "../../../schema/link.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import type { Trace } from "../../../schema/trace.ts";
import type { RequestEvents } from "../load-events.ts";
import type { Replay } from "./replay.ts";
import type { Side } from "./wire.ts";

/** @param load that was replayed, with its trace @param link of the world it was replayed in */
export function replayAsLoad(
  replay: Replay,
  load: GoodLoad,
  trace: Trace,
  link: Link,
): { load: GoodLoad; trace: Trace } {
  const { evidence } = load;
  const connections = replay.wires.map(({ connection, wire }) => ({
    ...connection.evidence,
    requests: wire.carried.flatMap((one) => requestOf(one, replay)),
  }));
  const atStart = (side: Side) => ({
    ...evidence.link[side],
    atStart: { ...evidence.link[side].atStart!, delayMs: link.rttMs / 2, rateMbps: rateOf(link, side) },
  });
  const flows = replay.wires.map(({ connection, wire: { recorded } }, clientPort) => ({
    server: connection.evidence.address!,
    clientPort,
    up: recorded.up.columns(),
    down: recorded.down.columns(),
  }));
  return {
    load: {
      ...load,
      pageLoadMs: replay.ms,
      evidence: { ...evidence, connections, link: { ...evidence.link, down: atStart("down"), up: atStart("up") } },
    },
    trace: { ...trace, firstRequestUs: 0, flows },
  };
}

/** None for one that was not sent before the load's end. */
function requestOf({ request, start, sent, end }: RequestEvents, { atUs }: Replay): RequestEvidence[] {
  const [startUs, sentUs, endUs] = [atUs(start), atUs(sent), atUs(end)];
  if (startUs === null || sentUs === null) return [];
  return [{ ...request, startMs: startUs / 1000, sentMs: sentUs / 1000, endMs: endUs === null ? null : endUs / 1000 }];
}
