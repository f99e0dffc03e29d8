import { fullSegmentBytes } from "../schema/link.ts";
import { isBrought } from "../schema/registries.ts";
import { defineAxis, hidden } from "./axis.ts";
import { largestBodyOf } from "./expected.ts";
import { isOverQuic, onlyOverTcp, usedFlows } from "./flows.ts";
import { linkOf, outlastsSynTimer } from "./link-values.ts";
import { unscaledSegments } from "./receive-window.ts";
import { wholeNumber } from "./values.ts";

/** What Linux takes by itself (RFC 6928). */
const kernelsOwn = 10;
const overTcp = onlyOverTcp(kernelsOwn, "initial window");

/** Proven by the segments in flight of each connection, as its server's capture saw them (observe/initial-window.ts). */
export const axis = defineAxis<number>({
  name: "initcwnd",
  title: "the server's initial congestion window, segments",
  example: "10",
  place: 60,
  field: "initcwnd",
  value: wholeNumber(1, 1000),
  usual: 10,
  label: (segments) => `initcwnd ${segments}`,
  id: (segments) => `iw${segments}`,
  sets: (segments) => ({ route: { server: { initcwnd: segments } } }),
  refuses: overTcp.refuses,
  proves(segments, all, evidence, registries) {
    if (isOverQuic(all, registries)) return overTcp.unseen;
    const windows = usedFlows(evidence.packets.flows).map(({ name, server: { initcwnd, hello } }) => ({
      name,
      initcwnd,
      retried: hello?.retry ?? false,
    }));
    const roomFor = Number(all.initrwnd ?? unscaledSegments);
    const problems = windows.flatMap(({ name, initcwnd }) => {
      if (!initcwnd) return [];
      const { atLeast, atMost } = initcwnd;
      if (atLeast > segments)
        return [`${name}: initcwnd at least ${atLeast} instead of ${segments}, by its first flights`];
      // A server stops at the client's receive window, too.
      if (atMost !== null && atMost < segments && atMost < roomFor)
        return [`${name}: initcwnd at most ${atMost} instead of ${segments}, by its first flights`];
      return [];
    });
    if (problems.length) return { contradicts: problems };
    // One bound is reached: the window let out that many at first, or held the server back at that many.
    if (windows.some(({ initcwnd }) => initcwnd?.atLeast === segments || initcwnd?.atMost === segments)) return "held";
    if (roomFor < segments && windows.some(({ initcwnd }) => initcwnd))
      return {
        unseen: `the client's receive window has room for ${roomFor} segments alone; no connection began with more`,
      };
    const between = windows.find(
      ({ initcwnd, retried }) => initcwnd && (initcwnd.atLeast > 1 || retried) && initcwnd.atMost !== null,
    );
    if (between) {
      const { atLeast, atMost } = between.initcwnd!;
      return { unseen: `the handshake let the window grow: by first flights it began with ${atLeast} to ${atMost}` };
    }
    if (outlastsSynTimer(linkOf(all)))
      return {
        unseen:
          "the RTT outlasts the SYN timer (1 s): the SYN goes out twice, and what window Linux then begins with is not told",
      };
    const brought = isBrought(registries.pages[all.page!]!);
    const seen = windows.some(({ initcwnd }) => initcwnd);
    if (seen && all.congestion === "bbr")
      return { unseen: "BBR's window grows while it is not in use, and it stops to pace: it was no larger than asked" };
    const largestBytes = largestBodyOf(all, registries);
    if (seen && brought) return { unseen: `no connection was asked for enough at first to fill ${segments} segments` };
    if (seen && largestBytes === null) return { unseen: "version 2 did not keep whether the page fills the window" };
    if (seen && largestBytes! < segments * fullSegmentBytes)
      return { unseen: `a window of ${segments} segments holds more than any of the page's answers` };
    return hidden(evidence, "no connection's first flights reached the window");
  },
});
