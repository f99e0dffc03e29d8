import type { Metric } from "./metric.ts";

/** SPDY draft, section 6: the load on the routers of the path. Counts the packets that left the shaper, with Ethernet headers. */
export const metric: Metric[] = [
  {
    name: "packets",
    title: "packets over the link, both ways",
    unit: "",
    of: ({ link: { down, up } }) => down.sentPackets + up.sentPackets,
  },
  {
    name: "linkKB",
    title: "data over the link, both ways",
    unit: "KB",
    of: ({ link: { down, up } }) => (down.sentBytes + up.sentBytes) / 1000,
  },
  {
    name: "upKB",
    title: "data over the link towards the servers: requests, handshakes and acknowledgments",
    unit: "KB",
    of: ({ link: { up } }) => up.sentBytes / 1000,
  },
  {
    name: "lostPackets",
    title: "packets lost at random",
    unit: "",
    tables: false,
    compared: 7,
    of: ({ link: { down, up } }) => down.lostPackets + up.lostPackets,
  },
  {
    name: "queueDrops",
    title: "packets that the link's queues dropped",
    unit: "",
    tables: false,
    compared: 8,
    of: ({ link: { down, up } }) => down.queueDroppedPackets + up.queueDroppedPackets,
  },
];
