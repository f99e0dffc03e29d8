/** Finds files that loaded one after another before a paint. Request times show this chain, but not whether the paint waited for it. */

import type { Evidence, PaintEvidence, RequestEvidence } from "../../schema/evidence.ts";
import { importedFile } from "../../sites/paths.ts";
import { median } from "../statistics/quantile.ts";
import type { GateSide } from "./sides.ts";

export interface BeforePaint {
  /** Each file was requested after the previous one was complete. The last file is the last to be complete before the paint. */
  files: string[];
  /** When the last file was complete, from navigation start. */
  completeMs: number;
}

export type PaintTime = Exclude<keyof PaintEvidence, "byProtocol">;

/** The longest gap in a chain, in ms: one frame of 16.7 ms, in which the browser runs scripts and paints, plus 4 ms, the step of paint times. */
const soonMs = 21;
/** The step of paint times. Request times and paint times may differ by one step. */
const stepMs = 4;

type Complete = RequestEvidence & { endMs: number };

/** @returns the chain that most loads have; null if no chain is the same in most loads */
export function beforePaint({ loads }: Pick<GateSide, "loads">, paint: PaintTime): BeforePaint | null {
  const seen = loads.flatMap(({ load }) => inLoad(load.evidence, paint) ?? []);
  for (const { files } of seen) {
    const alike = seen.filter((one) => one.files.join("\0") === files.join("\0"));
    if (2 * alike.length > loads.length) return { files, completeMs: median(alike.map((one) => one.completeMs)) };
  }
  return null;
}

function inLoad({ connections, timing, paint: paints }: Evidence, paint: PaintTime): BeforePaint | null {
  const requests = connections.flatMap((one) => one.requests).sort((a, b) => a.startMs - b.startMs);
  const [document] = requests;
  const paintMs = paints?.[paint];
  if (paintMs === undefined || document?.sentMs === undefined || timing.requestStart === undefined) return null;
  const originMs = timing.requestStart - document.sentMs; // requests are timed from the first request, paints from navigation start
  const complete = requests.filter((one): one is Complete => one.endMs !== null && one.status < 400);
  const chain: Complete[] = [];
  let nextMs = paintMs - originMs + stepMs;
  for (;;) {
    const last = lastBefore(complete, nextMs);
    if (!last || chain.includes(last) || (chain.length > 0 && nextMs - last.endMs > soonMs)) break;
    chain.unshift(last);
    nextMs = last.startMs;
  }
  const last = chain.at(-1);
  return last ? { files: chain.map(({ path }) => importedFile(path)), completeMs: last.endMs + originMs } : null;
}

const lastBefore = (complete: readonly Complete[], ms: number): Complete | undefined =>
  complete
    .filter(({ endMs }) => endMs <= ms)
    .reduce<Complete | undefined>((a, b) => (a && a.endMs > b.endMs ? a : b), undefined);
