import { expectedRequests, loadPage, totalBytes } from "../../pages/pages.ts";
import type { Condition } from "../../schema/model.ts";
import { readLoads } from "../record/journal.ts";
import { referenceRun } from "../record/run-folder.ts";

let reference: Map<string, number> | null = null;

/** How long a load takes on the wall, seconds: as in the reference run, or a rough formula for what it does not have. */
export function estimateSeconds(condition: Condition): number {
  reference ??= new Map(readLoads(referenceRun).map(({ condition: id, wallMs }) => [id, wallMs / 1000]));
  return reference.get(condition.id) ?? formula(condition);
}

/** Handshakes and slow start, six requests a round trip over HTTP/1.1, and the bytes at the bottleneck's rate. */
function formula({ page: name, channel, protocol }: Condition): number {
  const page = loadPage(name);
  const rounds = 6 + (protocol === "h1" ? expectedRequests(page) / 6 : 4);
  const sending = (totalBytes(page) * 8) / (channel.downMbps * 1e6);
  return 0.3 + (rounds * channel.rttMs) / 1000 + sending * (1 + channel.lossPercent);
}
