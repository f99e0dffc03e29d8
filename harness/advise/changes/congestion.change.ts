import type { ChangeKind } from "../change.ts";

const titles = { bbr: "BBR", reno: "Reno", cubic: "CUBIC" } as const;
const controls = Object.keys(titles) as (keyof typeof titles)[];

export const change: ChangeKind = {
  name: "congestion",
  title: "another congestion control at the servers",
  changesOf: ({ now }) =>
    controls
      .filter((control) => control !== now.congestion)
      .map((congestion) => ({
        name: `congestion-${congestion}`,
        title: `let servers use ${titles[congestion]}`,
        values: { congestion },
      })),
};
