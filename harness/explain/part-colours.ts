import type { Part } from "./parts.ts";

/** On a light and on a dark ground. Waits for an acknowledgment are violet, losses red, the link blue. */
export const partColours: Record<Part, { light: string; dark: string }> = {
  connections: { light: "#d98a2b", dark: "#d08a35" },
  propagation: { light: "#6f8fb0", dark: "#86a5c6" },
  waiting: { light: "#b9c0c9", dark: "#59636f" },
  window: { light: "#8d5fb8", dark: "#a985d0" },
  "slow start left": { light: "#b58ad6", dark: "#7f5fa8" },
  "window after loss": { light: "#6a3f94", dark: "#c9a9ea" },
  rate: { light: "#2f7fca", dark: "#4d97de" },
  queueing: { light: "#7fb8d8", dark: "#2f6d8f" },
  "fast retransmit": { light: "#e39a92", dark: "#b5655c" },
  "tail probe": { light: "#cf5f52", dark: "#d9776b" },
  timeout: { light: "#a02a1e", dark: "#ee5a4a" },
  server: { light: "#1e7d4f", dark: "#4fb07f" },
  browser: { light: "#8c8f2e", dark: "#b3b650" },
  unknown: { light: "#7a7f86", dark: "#8e949c" },
};
