/** Makes a long run from copies of a committed block, because a real run of a million loads takes ten days. */
import { once } from "node:events";
import { appendFileSync, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { orderOfBlock } from "../harness/plan/blocks.ts";
import { blockRun } from "../harness/record/find-run.ts";
import { conditionsOfRun } from "../harness/record/manifest.ts";
import { readRun } from "../harness/record/records.ts";
import { restMs } from "../schema/procedure.ts";
import type { GoodLoad } from "../schema/records.ts";
import { virtualTimeOf } from "../substrate/substrate.ts";

/** In each block, some times are this much later than in the block before, so that all fingerprints differ (harness/judge/load/fingerprints.ts). */
const apartMs = 1e-6;

/** Writes whole blocks in planned order, each lane's loads one after the other. @returns the run's number of loads */
export async function makeLongRun(folder: string, loads: number, signal: AbortSignal): Promise<number> {
  mkdirSync(folder);
  const { manifest, lanes, calibrations, ...run } = readRun(blockRun);
  const conditions = conditionsOfRun(manifest).map(({ id }) => id);
  const templates = new Map(
    [...run.loads()].flatMap((line) => ("load" in line && line.load.ok ? [[line.load.condition, line.load]] : [])),
  );
  const blocks = Math.ceil(loads / conditions.length);
  writeFileSync(`${folder}/run.json`, JSON.stringify({ ...manifest, loads: blocks, traces: "none" }));
  const linesOf = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(`${folder}/calibration.jsonl`, linesOf(calibrations));
  const stream = createWriteStream(`${folder}/loads.jsonl`);
  for (let block = 1; block <= blocks; block++) {
    signal.throwIfAborted();
    const earlier = (block - 1) * lanes.length; // the number of lanes of all earlier blocks; each lane's virtual clock starts on another day
    const laterMs = virtualTimeOf(earlier).getTime() - virtualTimeOf(0).getTime();
    const own = lanes.map((one) => {
      const startedAt = new Date(Date.parse(one.startedAt) + laterMs).toISOString();
      return { ...one, lane: one.lane + earlier, startedAt };
    });
    appendFileSync(`${folder}/lanes.jsonl`, linesOf(own));
    const endsMs = new Map(own.map(({ lane, startedAt }) => [lane, Date.parse(startedAt)]));
    const copies = orderOfBlock(conditions, block, manifest.seed).map((id) => {
      const { trace: _, ...load } = templates.get(id)!;
      const lane = load.lane + earlier;
      const startMs = endsMs.get(lane)! + restMs;
      endsMs.set(lane, startMs + load.wallMs);
      const startedAt = new Date(startMs).toISOString();
      return { ...load, block, lane, startedAt, evidence: movedBy(block * apartMs, load) };
    });
    if (!stream.write(linesOf(copies))) await once(stream, "drain");
  }
  await new Promise<void>((resolve) => stream.end(resolve));
  return blocks * conditions.length;
}

function movedBy(ms: number, { evidence }: GoodLoad): GoodLoad["evidence"] {
  const { packets, connections } = evidence;
  const { transit } = packets.path.down;
  const [connection, ...others] = connections;
  const [request, ...requests] = connection!.requests;
  return {
    ...evidence,
    connections: [
      { ...connection!, requests: [{ ...request!, endMs: (request!.endMs ?? 0) + ms }, ...requests] },
      ...others,
    ],
    packets: {
      ...packets,
      flows: packets.flows.map((flow) => ({
        ...flow,
        handshakeMs: flow.handshakeMs === null ? null : flow.handshakeMs + ms,
      })),
      path: {
        ...packets.path,
        down: { ...packets.path.down, transit: transit && { ...transit, mostMs: transit.mostMs + ms } },
      },
    },
  };
}
