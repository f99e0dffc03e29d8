import type { ChangeKind } from "../change.ts";

/** The initial windows to try, in segments: twice Linux's default, and the initial window of quic-go. */
const windows = [20, 32];

export const change: ChangeKind = {
  name: "initial-window",
  title: "a larger initial congestion window",
  changesOf: ({ now: { initcwnd } }) =>
    windows
      .filter((segments) => typeof initcwnd === "number" && segments > initcwnd)
      .map((segments) => ({
        name: `initial-window-${segments}`,
        title: `let servers begin with ${segments} segments`,
        values: { initcwnd: segments },
      })),
};
