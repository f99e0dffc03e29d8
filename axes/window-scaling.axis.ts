import { unscaledSegments } from "../schema/linux.ts";
import { defineAxis, hidden } from "./axis.ts";
import { onlyOverTcp, usedFlows } from "./flows.ts";
import { oneOf } from "./values.ts";

const overTcp = onlyOverTcp("on", "flow control");

declare module "../schema/plan.ts" {
  interface AxisValues {
    windowScaling: "on" | "off";
  }
}

/** Without window scaling (RFC 7323) a connection carries at most 64 KiB per round trip, as on Windows XP. Confirmed by each SYN's option. */
export const axis = defineAxis({
  name: "windowScaling",
  title: "the client's TCP window scaling",
  example: "off",
  follows: "initrwnd",
  field: "windowScaling",
  value: oneOf(["on", "off"]),
  default: "on",
  label: (scaling) => `window scaling ${scaling}`,
  id: (scaling) => `window-scaling-${scaling}`,
  sets: (scaling) => (scaling === "on" ? {} : { client: { sysctls: { "net.ipv4.tcp_window_scaling": "0" } } }),
  refuses: (scaling, all, registries) =>
    scaling === "off" && all.initrwnd > unscaledSegments
      ? `without window scaling no window is larger than ${unscaledSegments} segments; initrwnd ${all.initrwnd} is configured`
      : overTcp.refuses(scaling, all, registries),
  overQuic: overTcp.notObservable,
  proves(scaling, _, evidence) {
    const seen = usedFlows(evidence.packets.flows).flatMap(({ name, receiveWindow }) =>
      receiveWindow ? [{ name, ...receiveWindow }] : [],
    );
    const problems = seen.flatMap(({ name, scale }) =>
      (scale === null) === (scaling === "off")
        ? []
        : [`${name}: its SYN ${scale === null ? "has no window scaling" : `scales windows by 2^${scale}`}`],
    );
    if (problems.length) return { contradicts: problems };
    return seen.length ? "confirmed" : hidden(evidence, "no handshake was fully captured");
  },
});
