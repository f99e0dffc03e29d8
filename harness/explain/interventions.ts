/** Changes whose effect a replay foretells, as two conditions have them. */
import type { Condition } from "../../schema/plan.ts";
import type { Settings } from "../../schema/settings.ts";

/** What may differ, and how a difference is called. */
const kinds: Record<string, { of: (settings: Settings) => unknown; named(from: Settings, to: Settings): string }> = {
  RTT: {
    of: ({ link }) => link.rttMs,
    named: ({ link: from }, { link: to }) => `RTT ${from.rttMs} to ${to.rttMs} ms`,
  },
  rate: {
    of: ({ link }) => [link.downMbps, link.upMbps],
    named: ({ link: from }, { link: to }) => `rate ${from.downMbps} to ${to.downMbps} Mb/s`,
  },
  loss: {
    of: ({ link }) => [link.lossPercent, link.lossBurstPackets, link.lossIn],
    named: ({ link: from }, { link: to }) => `loss ${from.lossPercent} to ${to.lossPercent}%`,
  },
  window: {
    of: ({ route }) => route.server.initcwnd,
    named: ({ route: from }, { route: to }) =>
      `window ${from.server.initcwnd ?? "default"} to ${to.server.initcwnd ?? "default"}`,
  },
  HyStart: {
    of: ({ route }) => route.server.hystart ?? true,
    named: (_, { route }) => `${route.server.hystart === false ? "without" : "with"} HyStart`,
  },
};
export const kindNames = Object.keys(kinds);

/** What no replay changes. */
const rest = ({ page, server, client, link, route }: Settings) => [
  page,
  server,
  client,
  route.client,
  route.server.congestion,
  [link.queuePackets, link.jitterMs, link.reorders, link.aqm],
];

/** @returns the kinds of change between two, and whether they differ in nothing else */
export function changesBetween(from: Settings, to: Settings): { kinds: string[]; alone: boolean } {
  const same = (of: (settings: Settings) => unknown) => JSON.stringify(of(from)) === JSON.stringify(of(to));
  return { kinds: kindNames.filter((kind) => !same(kinds[kind]!.of)), alone: same(rest) };
}

export interface Intervention {
  kind: string;
  name: string;
}

/** @returns null where more than one thing differs, or one whose effect is not foretold */
export function interventionOf({ settings: from }: Condition, { settings: to }: Condition): Intervention | null {
  const { kinds: differing, alone } = changesBetween(from, to);
  const [kind] = differing;
  return kind && differing.length === 1 && alone ? { kind, name: kinds[kind]!.named(from, to) } : null;
}
