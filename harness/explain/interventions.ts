/** Changes whose effect a replay foretells, as two conditions of a run have them: they differ in that and in nothing else. */
import type { Condition } from "../../schema/plan.ts";
import type { Settings } from "../../schema/settings.ts";

/** What differs, and how it is called. */
const kinds: { of: (settings: Settings) => unknown; named(from: Settings, to: Settings): string }[] = [
  {
    of: ({ link }) => link.rttMs,
    named: ({ link: from }, { link: to }) => `RTT ${from.rttMs} to ${to.rttMs} ms`,
  },
  {
    of: ({ link }) => [link.downMbps, link.upMbps],
    named: ({ link: from }, { link: to }) => `rate ${from.downMbps} to ${to.downMbps} Mb/s`,
  },
  {
    of: ({ link }) => [link.lossPercent, link.lossBurstPackets, link.lossIn],
    named: ({ link: from }, { link: to }) => `loss ${from.lossPercent} to ${to.lossPercent}%`,
  },
  {
    of: ({ route }) => route.server.initcwnd,
    named: ({ route: from }, { route: to }) =>
      `window ${from.server.initcwnd ?? "default"} to ${to.server.initcwnd ?? "default"}`,
  },
  {
    of: ({ route }) => route.server.hystart ?? true,
    named: (_, { route }) => `${route.server.hystart === false ? "without" : "with"} HyStart`,
  },
];

/** @returns its name; null where more than one thing differs, or one whose effect is not foretold */
export function interventionOf({ settings: from }: Condition, { settings: to }: Condition): string | null {
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
  return only && differing.length === 1 && same(rest) ? only.named(from, to) : null;
}
