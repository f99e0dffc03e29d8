/** Changes whose effect an account foretells, as two conditions of a run have them: they differ in that and in nothing else. */
import { packetMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Settings } from "../../schema/settings.ts";
import type { Change } from "./what-if.ts";

export interface Intervention {
  name: string;
  change: Change;
}

/** From so many segments on a window holds no page of the lab back. */
const wideWindow = 300;

/** Linux's own, where none is asked for (RFC 6928). */
const ownWindow = 10;
const windowOf = ({ server }: Settings["route"]) => server.initcwnd ?? ownWindow;

const kinds: { of: (settings: Settings) => unknown; change(from: Settings, to: Settings): Intervention | null }[] = [
  {
    of: ({ link }) => link.rttMs,
    change: ({ link: from }, { link: to }) => ({
      name: `RTT ${from.rttMs} to ${to.rttMs} ms`,
      change: { scale: { rtt: to.rttMs / from.rttMs } },
    }),
  },
  {
    of: ({ link }) => [link.downMbps, link.upMbps],
    change: ({ link: from }, { link: to }) => ({
      name: `rate ${from.downMbps} to ${to.downMbps} Mb/s`,
      change: { scale: { rate: packetMs(1, to.downMbps) / packetMs(1, from.downMbps) } },
    }),
  },
  {
    of: ({ link }) => [link.lossPercent, link.lossBurstPackets],
    change: ({ link: from }, { link: to, route }) =>
      to.lossPercent > 0
        ? null
        : {
            name: `loss ${from.lossPercent} to 0%`,
            change: { lossless: true, slowStart: { from: windowOf(route), inPlaceOf: new Set(["window after loss"]) } },
          },
  },
  {
    of: ({ route }) => route.server.initcwnd,
    change: (from, { route: { server: to } }) =>
      (to.initcwnd ?? 0) < wideWindow
        ? null
        : {
            name: `window ${from.route.server.initcwnd ?? "default"} to ${to.initcwnd}`,
            change: { slowStart: { from: to.initcwnd!, inPlaceOf: new Set(["window", "slow start left"]) } },
          },
  },
  {
    of: ({ route }) => route.server.hystart ?? true,
    change: (_, { route }) =>
      route.server.hystart === false
        ? {
            name: "without HyStart",
            change: { slowStart: { from: windowOf(route), inPlaceOf: new Set(["slow start left"]) } },
          }
        : null,
  },
];

/** @returns null where more than one thing differs, or one whose effect the account does not foretell */
export function interventionOf({ settings: from }: Condition, { settings: to }: Condition): Intervention | null {
  const same = (of: (settings: Settings) => unknown) => JSON.stringify(of(from)) === JSON.stringify(of(to));
  const differing = kinds.filter(({ of }) => !same(of));
  const rest = ({ page, server, client, link, route }: Settings) => [
    page,
    server,
    client,
    route.client,
    route.server.congestion,
    [link.queuePackets, link.jitterMs, link.reorders, link.aqm],
  ];
  const [only] = differing;
  return only && differing.length === 1 && same(rest) ? only.change(from, to) : null;
}
