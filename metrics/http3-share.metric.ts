import { http3Alpn } from "../schema/discovery.ts";
import type { Metric } from "./metric.ts";

/** The share of requests whose response came over HTTP/3, as the client reports it (ALPN). The share varies unless HTTP/3 is forced. */
export const metric: Metric = {
  name: "http3Percent",
  title: "requests over HTTP/3",
  unit: "%",
  of({ connections }) {
    const protocols = connections.flatMap(({ protocol, requests }) => requests.map(() => protocol));
    return protocols.length ? (100 * protocols.filter((one) => one === http3Alpn).length) / protocols.length : null;
  },
};
