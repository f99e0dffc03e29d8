/** The parts of a load's time. Reports and the columns of files use these names. */
export const parts = {
  connections: "handshakes of TCP and TLS, before a connection's first request",
  propagation:
    "requests and the first bytes of responses cross the link: the link's one-way delay, and the extra delay of hosts that are farther away",
  waiting:
    "a request waits because all connections are busy (over HTTP/2 and HTTP/3: because they already carry as many requests as the server allows at once)",
  window:
    "the sender has more data but waits for an acknowledgment: slow start has not opened the window yet, or the receive window is full",
  "slow start left":
    "the sender waits for an acknowledgment although nothing was lost: CUBIC's HyStart has ended slow start, so that the window hardly grows",
  "window after loss": "the sender waits for an acknowledgment, because a loss has reduced its congestion window",
  pacing: "over QUIC, the sender has more data and room in its congestion window, but spreads its packets over time",
  rate: "the bottleneck transmits what the page needs over this connection",
  queueing: "packets wait in the bottleneck's queue behind those of the page's other connections",
  acknowledgments:
    "the sender waits for an acknowledgment that waits in the bottleneck's queue, behind the page's other packets",
  background: "packets wait in the bottleneck's queue behind packets of background flows",
  "fast retransmit": "a packet was lost, and retransmitted when later packets were acknowledged",
  "tail probe": "a packet was lost at the end of a flight, and a probe found it",
  timeout: "a packet was lost, and retransmitted when the retransmission timer ran out",
  server: "the server computes, or waits as configured",
  browser: "the browser computes: parsing, scripts, layout",
  reaction:
    "programs react to what they waited for; on the virtual clock, where computing takes no time, this time is drawn at random",
  unknown: "neither packets nor the browser's events show what the page waited for",
} as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

/** A number of milliseconds, or another number, for each part. */
export type PartsMs = Record<Part, number>;
export const partsOf = (of: (part: Part) => number) =>
  Object.fromEntries(partNames.map((part) => [part, of(part)])) as PartsMs;

export type WindowPart = Extract<Part, "window" | "slow start left" | "window after loss">;
export const lossParts: ReadonlySet<Part> = new Set(["fast retransmit", "tail probe", "timeout"]);

/** Colours on a light and on a dark background. Waits for acknowledgments are violet, losses are red, and the link is blue. */
export const partColours: Record<Part, { light: string; dark: string }> = {
  connections: { light: "#d98a2b", dark: "#d08a35" },
  propagation: { light: "#6f8fb0", dark: "#86a5c6" },
  waiting: { light: "#b9c0c9", dark: "#59636f" },
  window: { light: "#8d5fb8", dark: "#a985d0" },
  "slow start left": { light: "#b58ad6", dark: "#7f5fa8" },
  "window after loss": { light: "#6a3f94", dark: "#c9a9ea" },
  pacing: { light: "#c06fb0", dark: "#d490c6" },
  rate: { light: "#2f7fca", dark: "#4d97de" },
  queueing: { light: "#7fb8d8", dark: "#2f6d8f" },
  acknowledgments: { light: "#5b62c4", dark: "#8288e6" },
  background: { light: "#4a8a80", dark: "#5f9f95" },
  "fast retransmit": { light: "#e39a92", dark: "#b5655c" },
  "tail probe": { light: "#cf5f52", dark: "#d9776b" },
  timeout: { light: "#a02a1e", dark: "#ee5a4a" },
  server: { light: "#1e7d4f", dark: "#4fb07f" },
  browser: { light: "#8c8f2e", dark: "#b3b650" },
  reaction: { light: "#b98a5e", dark: "#8f6a48" },
  unknown: { light: "#7a7f86", dark: "#8e949c" },
};
