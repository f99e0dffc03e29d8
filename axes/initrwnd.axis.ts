import { expect } from "../schema/expect.ts";
import { unscaledSegments } from "../schema/linux.ts";
import { defineAxis, hidden } from "./axis.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { wholeNumber } from "./values.ts";

const mssBytes = 1460;
const overTcp = onlyOverTcp(unscaledSegments, "flow control");
/** Linux's default minimum and maximum in tcp_rmem. */
const [leastBytes, mostBytes] = [4096, 32 << 20];

declare module "../schema/plan.ts" {
  interface AxisValues {
    initrwnd: number;
  }
}

/**
 * Confirmed by the window in each connection's SYN. A SYN cannot offer more than 44 segments, so for larger windows the first ACK's window
 * counts. The kernel offers at most half of its receive buffer, so the buffer is set too (tcp(7)).
 */
export const axis = defineAxis({
  name: "initrwnd",
  title: "the client's initial receive window, segments",
  example: "44",
  follows: "initcwnd",
  field: "initrwnd",
  value: wholeNumber(1, 1000),
  default: unscaledSegments,
  label: (segments) => `initrwnd ${segments}`,
  id: (segments) => `rw${segments}`,
  sets(segments) {
    if (segments === unscaledSegments) return {};
    const bufferBytes = 2 * (segments + 1) * mssBytes;
    const wider = { sysctls: { "net.ipv4.tcp_rmem": `${leastBytes} ${bufferBytes} ${mostBytes}` } };
    return { route: { client: { initrwnd: segments } }, ...(segments > unscaledSegments ? { client: wider } : {}) };
  },
  refuses: overTcp.refuses,
  overQuic: overTcp.notObservable,
  proves(segments, _, evidence) {
    const seen = usedFlows(evidence.packets.flows).flatMap(({ name, receiveWindow }) =>
      receiveWindow ? [{ name, ...receiveWindow }] : [],
    );
    const problems = seen.flatMap(({ name, synBytes, ackBytes, mssBytes: mss }) => {
      const offered = segments <= unscaledSegments ? synBytes : ackBytes;
      return expect(
        offered >= segments * mss && offered < (segments + 1) * mss,
        `${name}: a receive window of ${offered} bytes (${(offered / mss).toFixed(1)} segments) instead of ${segments}`,
      );
    });
    if (problems.length) return { contradicts: problems };
    return seen.length ? "confirmed" : hidden(evidence, "no handshake was fully captured");
  },
});
