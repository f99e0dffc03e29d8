import { ringFrames } from "../../observe/packet-capture.ts";
import { loadPage, sizeOf } from "../../pages/pages.ts";
import { usageError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import { counted } from "../../schema/words.ts";

/** Of a full packet over Ethernet, less what IP and TCP take, with timestamps. */
const segmentBytes = 1448;

/**
 * A load is proven by all of its packets, which the captures keep until it is over. How many a page takes is not known
 * before it was loaded, but that its bytes alone are more: each request and each answer is a packet too.
 * @throws LabError (usage) that names the page, its size and what there is room for
 */
export function refusePages(conditions: readonly Condition[], pageOf = (name: string) => sizeOf(loadPage(name))): void {
  for (const name of new Set(conditions.map(({ settings }) => settings.page.name))) {
    const { requests, bytes } = pageOf(name);
    const frames = requests * 2 + Math.floor(bytes / segmentBytes);
    if (frames > ringFrames)
      throw usageError(
        `page ${name} is too large to be proven: ${counted(requests, "request")} and ${(bytes / 1e6).toFixed(1)} MB take more than ${frames} packets, and a load's captures have room for some ${ringFrames}; leave out what is large`,
      );
  }
}
