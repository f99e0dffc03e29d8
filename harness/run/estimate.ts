import { loadPage, sizeOf } from "../../pages/pages.ts";
import type { Condition } from "../../schema/plan.ts";
import { judgedLoads } from "../judge/judged-loads.ts";
import { readRun } from "../record/records.ts";
import { blockRun } from "../record/run-folder.ts";

let reference: Map<string, number> | null = null;

/** How long a load takes on the real clock, seconds: as in the committed block, or by a rough formula for other conditions. */
export function estimateSeconds(condition: Condition): number {
  reference ??= readReference();
  return reference.get(condition.id) ?? formula(condition);
}

function readReference(): Map<string, number> {
  try {
    const loads = [...judgedLoads(readRun(blockRun))];
    return new Map(loads.map((load) => [load.condition, load.wallMs / 1000]));
  } catch {
    return new Map(); // an image has no results
  }
}

/** Handshakes and slow start, six requests a round trip over HTTP/1.1, and the bytes at the bottleneck's rate. */
function formula({ settings: { page: asked, link } }: Condition): number {
  const { requests, bytes } = sizeOf(loadPage(asked.name));
  const rounds = 6 + (asked.protocol === "h1" ? requests / 6 : 4);
  const sending = (bytes * 8) / (link.downMbps * 1e6);
  return 0.3 + (rounds * link.rttMs) / 1000 + sending * (1 + link.lossPercent);
}
