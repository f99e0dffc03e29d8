/** A link that is not what was asked for, and packets that do not take it. */
import { spawn } from "node:child_process";
import { ask } from "../../hosts/control.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import { client, type Fault, goAround, inServer, netem } from "./fault.ts";

export async function formerLink(): Promise<void> {
  const link = { downMbps: 20, upMbps: 2, rttMs: 100, lossPercent: 0, queuePackets: 50 };
  await ask("shaper", shaperRoutes.setLink, link);
}

/** GSO is UDP's too. */
export async function segmentationOffload(): Promise<void> {
  await inServer("ethtool", "-K", "eth0", "tx", "on", "sg", "on", "tso", "on", "gso", "on");
}

export const linkFaults: Record<string, Fault> = {
  oneNetem: {
    what: "delay and a limit of 50 packets in one netem",
    caughtBy: "calibration",
    condition: { link: "20x2-100ms-0%" },
    message: /down rate, Mb\/s: asked 20\.00, measured/,
    apply: netem(
      "qdisc",
      "replace",
      "dev",
      "ACCESS",
      "root",
      "handle",
      "9:",
      "netem",
      "delay",
      "50ms",
      "rate",
      "20mbit",
      "limit",
      "50",
    ),
  },
  oneWayLoss: {
    what: "loss in one direction only",
    caughtBy: "calibration",
    condition: { link: "20x2-100ms-1%" },
    message: /down loss, %: asked 1\.00, measured 0\.00/,
    apply: netem(
      "qdisc",
      "change",
      "dev",
      "ACCESS",
      "handle",
      "1:",
      "root",
      "netem",
      "delay",
      "50ms",
      "limit",
      "100000",
    ),
  },
  oneWayDelay: {
    what: "the whole RTT in one direction",
    caughtBy: "calibration",
    message: /down delay with serialisation, ms: asked 10\.\d+, measured 20/,
    apply: async () => {
      const { devices } = await ask("shaper", shaperRoutes.describe);
      await ask(
        "shaper",
        shaperRoutes.tc,
        [
          ["access", "20ms"],
          ["core", "0ms"],
        ].map(([network, delay]) => [
          "qdisc",
          "change",
          "dev",
          devices[network as "access" | "core"],
          "handle",
          "1:",
          "root",
          "netem",
          "delay",
          delay!,
          "limit",
          "100000",
        ]),
      );
    },
  },
  formerLink: {
    what: "the link of another condition",
    caughtBy: "evidence",
    message: /the quickest handshake took 1\d\d\.?\d* ms; the RTT is 20 ms/,
    apply: formerLink,
  },
  superpackets: {
    what: "segmentation offload (GSO, TSO) left on",
    lasts: true,
    caughtBy: "evidence",
    condition: { page: "C", initcwnd: 10 },
    message: /a superpacket of \d+ bytes/,
    apply: segmentationOffload,
  },
  aroundTheShaper: {
    what: "packets that go around the shaper",
    lasts: true,
    caughtBy: "evidence",
    message: /packets sent, 0 through the shaper/,
    apply: goAround,
  },
  strangers: {
    what: "another program's packets on the lab's network",
    caughtBy: "evidence",
    message: /packets that are not the load's: UDP from/,
    apply: async () =>
      void spawn(
        "node",
        [
          "-e",
          `const s = require("dgram").createSocket("udp4"); let n = 20; setInterval(() => n-- ? s.send("x", 9, "${client.address.replace(/\d+$/, "2")}") : process.exit(), 10)`,
        ],
        { stdio: "ignore" },
      ),
  },
};
