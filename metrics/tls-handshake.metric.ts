import { type Metric, ofConnections } from "./metric.ts";

/** The time until a client can send a request over TCP and TLS, as in Paquin et al. (ePrint 2019/1447), but measured by packets. */
export const metric: Metric = {
  name: "tlsHandshakeMs",
  title: "handshake of TCP and TLS, from the SYN to the client's Finished",
  unit: "ms",
  ...ofConnections(({ packets: { flows } }) => flows.flatMap(({ tlsHandshakeMs }) => tlsHandshakeMs ?? [])),
};
