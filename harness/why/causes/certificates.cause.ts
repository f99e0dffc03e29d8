import { defineCause } from "../cause.ts";

export const cause = defineCause({
  name: "certificates",
  title: "Certificates and their signatures",
  instead: "resumed TLS sessions",
  removed: { handshake: "resumed" },
  isIn: ({ protocol }, { protocols }) => protocols[protocol]?.scheme === "https",
  parts: ["connections"],
});
