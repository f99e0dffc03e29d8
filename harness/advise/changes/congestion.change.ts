import { defineChange } from "../change.ts";

const controls = ["bbr", "reno", "cubic"] as const;

export const change = defineChange({
  name: "congestion",
  title: "another congestion control at the servers",
  changesOf: ({ now }) =>
    controls
      .filter((control) => control !== now.congestion)
      .map((congestion) => ({
        name: `congestion-${congestion}`,
        title: `let servers use ${congestion.toUpperCase()}`,
        values: { congestion },
      })),
});
