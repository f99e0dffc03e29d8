/** The paper's short form of a setting (Table 11): (page,servers,rate,rtt,loss), e.g. (A,1,10,100,0). */
import { printed } from "./format.ts";
import type { Gain } from "./gains.ts";
import type { Setting } from "./setting.ts";

type Component = (setting: Setting) => string | number | undefined;

/** As the paper has them; of the rate it names the downstream half. */
const paperComponents: Component[] = [
  ({ page }) => page,
  ({ servers }) => servers,
  ({ downMbps }) => downMbps,
  ({ rttMs }) => rttMs,
  ({ lossPercent }) => lossPercent,
];

/** Named after the paper's five where an experiment varies them: without them the setting would be ambiguous. */
const otherComponents: Component[] = [
  ({ upMbps, downMbps }) => (upMbps === undefined || downMbps === undefined ? undefined : upMbps / downMbps),
  ({ queuePackets }) => queuePackets,
  ({ protocol }) => protocol,
  ({ initcwnd }) => initcwnd,
  ({ server }) => server,
  ({ congestion }) => congestion,
];

/**
 * The setting of an extreme gain, with "x" for a component whose every value gives the same printed gain.
 * Several components are "x" together only if all their combinations tie; of the possible ways, the one that
 * covers most settings is taken.
 * @param gains all gains of the case, among them the extreme
 */
export function notation(gains: readonly Gain[], extreme: Gain): string {
  const components = componentsOf(gains);
  let covered = 1;
  let freed = components.map(() => false);
  for (let mask = 1; mask < 1 << components.length; mask++) {
    const free = components.map((_, bit) => (mask & (1 << bit)) !== 0);
    const box = gains.filter(({ setting }) =>
      components.every((of, bit) => free[bit] || of(setting) === of(extreme.setting)),
    );
    const varies = components.every((of, bit) => !free[bit] || new Set(box.map(({ setting }) => of(setting))).size > 1);
    if (box.length > covered && varies && box.every(({ gain }) => ties(gain, extreme.gain))) {
      covered = box.length;
      freed = free;
    }
  }
  return `(${components.map((of, bit) => (freed[bit] ? "x" : of(extreme.setting))).join(",")})`;
}

function componentsOf(gains: readonly Gain[]): Component[] {
  const values = (of: Component) => new Set(gains.map(({ setting }) => of(setting)));
  return [
    ...paperComponents.filter((of) => !values(of).has(undefined)),
    ...otherComponents.filter((of) => values(of).size > 1),
  ];
}

const ties = (gain: number | null, other: number | null): boolean =>
  gain !== null && other !== null && printed(gain) === printed(other);
