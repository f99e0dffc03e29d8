/** Compares the load event's time by Navigation Timing with its time by the browser's protocol, which does not depend on the page's objects. */
import type { Evidence } from "../../../schema/evidence.ts";
import { tolerance } from "../../../schema/tolerances.ts";

export function loadEventWitnesses({ timing, loadedByProtocolMs }: Evidence): string[] {
  const { loadEventStart = Number.NaN, loadEventEnd } = timing;
  if (loadEventEnd === undefined && loadedByProtocolMs === undefined) return []; // recorded before 2026-11-26, or not by a browser
  if (loadEventEnd === undefined || loadedByProtocolMs === undefined)
    return ["its evidence has the end of the load event from one source only"];
  return [
    ...(loadEventEnd >= loadEventStart
      ? []
      : [`its load event began after ${loadEventStart} ms, but ended after ${loadEventEnd} ms`]),
    ...(Math.abs(loadEventEnd - loadedByProtocolMs) <= tolerance.browserMs
      ? []
      : [
          `its load event ended after ${loadEventEnd} ms by the page's Navigation Timing, but after ${loadedByProtocolMs} ms by the browser's protocol: the page changed its times`,
        ]),
  ];
}
