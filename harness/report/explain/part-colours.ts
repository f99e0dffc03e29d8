import type { Part } from "../../explain/parts.ts";

/** On a light and on a dark ground. Waits for an acknowledgment are violet, losses red, the link blue. */
export const partColours: Record<Part, readonly [light: string, dark: string]> = {
  connections: ["#d98a2b", "#d08a35"],
  propagation: ["#6f8fb0", "#86a5c6"],
  waiting: ["#b9c0c9", "#59636f"],
  window: ["#8d5fb8", "#a985d0"],
  "slow start left": ["#b58ad6", "#7f5fa8"],
  "window after loss": ["#6a3f94", "#c9a9ea"],
  rate: ["#2f7fca", "#4d97de"],
  queueing: ["#7fb8d8", "#2f6d8f"],
  "fast retransmit": ["#e39a92", "#b5655c"],
  "tail probe": ["#cf5f52", "#d9776b"],
  timeout: ["#a02a1e", "#ee5a4a"],
  server: ["#1e7d4f", "#4fb07f"],
  browser: ["#8c8f2e", "#b3b650"],
  untold: ["#7a7f86", "#8e949c"],
};
