import type { Cause } from "../cause.ts";

export const cause: Cause = {
  name: "certificates",
  title: "The exchange of certificates",
  instead: "resumed TLS sessions",
  removed: { handshake: "resumed" },
  isIn: ({ protocol }, { protocols }) => protocols[protocol]?.scheme === "https",
  // A TLS 1.3 ticket can be used only once, and servers send two tickets (handshake.axis.ts).
  cannot: ({ protocol, tls }, { protocols }) =>
    (protocols[protocol]?.connections ?? 1) > 1 && tls !== "1.2"
      ? `over ${protocol} a host has several connections, and with TLS 1.3 only one or two of them resume a session`
      : null,
  parts: ["connections"],
};
