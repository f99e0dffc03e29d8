/** Finds pairs of conditions in which the second lacks exactly one cause of waiting, and the parts of the time that this cause explains. */
import { isDeepStrictEqual } from "node:util";
import type { Condition } from "../../schema/plan.ts";
import type { Settings } from "../../schema/settings.ts";
import type { Part } from "./parts.ts";

interface Cause {
  name: string;
  /** The parts that this cause explains. */
  parts: readonly Part[];
  /** The share of these parts that the second condition avoids; 0 or less if nothing was removed. */
  removedShare(from: Settings, to: Settings): number;
  /** The settings that both conditions must share: all but those that change this cause. */
  others(settings: Settings): unknown;
}

/** If the initial window is larger by this factor, nothing waits for it any more. */
const amplyLarger = 10;

const causes: readonly Cause[] = [
  {
    name: "RTT",
    parts: ["connections", "propagation", "window", "slow start left", "window after loss", "fast retransmit"],
    removedShare: ({ link: from }, { link: to }) => 1 - to.rttMs / from.rttMs,
    others: (settings) => ({ ...settings, link: { ...settings.link, rttMs: null } }),
  },
  {
    name: "rate",
    parts: ["rate", "queueing"],
    removedShare: ({ link: from }, { link: to }) => 1 - from.downMbps / to.downMbps,
    others: (settings) => ({ ...settings, link: { ...settings.link, downMbps: null, upMbps: null } }),
  },
  {
    name: "initial window",
    parts: ["window"],
    removedShare: ({ route: { server: from } }, { route: { server: to } }) =>
      Number(to.initcwnd) >= amplyLarger * Number(from.initcwnd) ? 1 : 0, // none and "adaptive" are NaN
    others: ({ route, ...rest }) => ({ ...rest, route: { ...route, server: { ...route.server, initcwnd: null } } }),
  },
  {
    name: "HyStart",
    parts: ["slow start left"],
    removedShare: ({ route: { server: from } }, { route: { server: to } }) =>
      from.hystart !== false && to.hystart === false ? 1 : 0,
    others: ({ route, ...rest }) => ({ ...rest, route: { ...route, server: { ...route.server, hystart: null } } }),
  },
  {
    name: "random loss",
    parts: ["window after loss", "fast retransmit", "tail probe", "timeout"],
    removedShare: ({ link: from }, { link: to }) => (from.lossPercent > 0 && to.lossPercent === 0 ? 1 : 0),
    others: (settings) => ({
      ...settings,
      link: { ...settings.link, lossPercent: null, lossBurstPackets: null, lossIn: null },
    }),
  },
];
export const causeNames = causes.map(({ name }) => name);

/** @returns null unless the second condition lacks exactly one cause and is equal otherwise */
export function removedCause({ settings: from }: Condition, { settings: to }: Condition) {
  for (const { name: cause, parts, removedShare, others } of causes) {
    const share = removedShare(from, to);
    if (share > 0 && isDeepStrictEqual(others(from), others(to))) return { cause, parts, share };
  }
  return null;
}
