/** What a load's time is split into. A part's name is what reports call it, and files' columns follow from it. */
export const parts = {
  connections: "handshakes of TCP and TLS, before a connection's first request",
  propagation: "requests and the first bytes of responses are on their way: the link's one-way delay",
  waiting: "a request waits for a free connection, because all connections are busy",
  window:
    "the sender has more data but waits for an acknowledgment: slow start has not opened the window yet, or the receive window is full",
  "slow start left":
    "the sender waits for an acknowledgment although nothing was lost: CUBIC's HyStart has ended slow start, so that the window hardly grows",
  "window after loss": "the sender waits for an acknowledgment, because a loss has reduced its congestion window",
  rate: "the bottleneck transmits what the page needs over this connection",
  queueing: "packets wait in the bottleneck's queue behind those of the page's other connections",
  "fast retransmit": "a packet was lost, and retransmitted when later packets were acknowledged",
  "tail probe": "a packet was lost at the end of a flight, and a probe found it",
  timeout: "a packet was lost, and retransmitted when the retransmission timer ran out",
  server: "the server computes",
  browser: "the browser computes: parsing, scripts, layout",
  unknown: "neither packets nor the browser's events show what was waited for",
} as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

export type WindowPart = Extract<Part, "window" | "slow start left" | "window after loss">;
export const lossParts: ReadonlySet<Part> = new Set(["fast retransmit", "tail probe", "timeout"]);
