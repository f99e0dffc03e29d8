/** What a load's time is split into. A part's name is what reports call it, and files' columns follow from it. */
export const parts = {
  connections: "handshakes of TCP and TLS, before a connection's first request",
  propagation: "requests and first answers under way, at the speed of light",
  waiting: "the client has found out what it needs, and waits for a free connection: all are busy",
  window:
    "whoever has more to send waits for an acknowledgment: slow start has not opened the window yet, or the receiver not",
  "slow start left":
    "waits for an acknowledgment though nothing was lost: the window hardly grows, for slow start has ended (CUBIC's HyStart)",
  "window after loss": "waits for an acknowledgment, because a loss has cut its connection's window",
  rate: "the bottleneck sends what the page needs over this connection",
  queueing: "the bottleneck sends what the page needs over other connections, which was there before",
  "fast retransmit": "lost, and sent again when later packets were acknowledged",
  "tail probe": "lost at the end of a flight, and found by a probe",
  timeout: "lost, and sent again when the retransmission timer ran out",
  server: "the server computes",
  browser: "the browser computes: it parses, runs scripts, lays out",
  untold: "what packets and moments do not tell",
} as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

export type WindowPart = Extract<Part, "window" | "slow start left" | "window after loss">;
export const lossParts: ReadonlySet<Part> = new Set(["fast retransmit", "tail probe", "timeout"]);
