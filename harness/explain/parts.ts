/** What a load's time is split into. A part's name is what reports call it, and files' columns follow from it. */
export const parts = {
  connections: "handshakes of TCP and TLS, before a connection's first request",
  propagation: "requests and the first bytes of responses travel: the link's one-way delay",
  waiting: "the client knows what it needs and waits for a free connection, because all are busy",
  window:
    "the sender has more to send and waits for an acknowledgment: slow start has not opened the window yet, or the receiver has no room",
  "slow start left":
    "the sender waits for an acknowledgment though nothing was lost: the window hardly grows, because CUBIC's HyStart has ended slow start",
  "window after loss": "the sender waits for an acknowledgment, because a loss has cut its connection's window",
  rate: "the bottleneck sends what the page needs over this connection",
  queueing: "the bottleneck first sends what was queued before, for the page's other connections",
  "fast retransmit": "a packet was lost, and retransmitted when later packets were acknowledged",
  "tail probe": "a packet was lost at the end of a flight, and a probe found it",
  timeout: "a packet was lost, and retransmitted when the retransmission timer ran out",
  server: "the server computes",
  browser: "the browser computes: it parses, runs scripts, lays out",
  untold: "what packets and moments do not tell",
} as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

export type WindowPart = Extract<Part, "window" | "slow start left" | "window after loss">;
export const lossParts: ReadonlySet<Part> = new Set(["fast retransmit", "tail probe", "timeout"]);
