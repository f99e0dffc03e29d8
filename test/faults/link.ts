/** Faults of the link: it is not as configured, or packets do not go through it. */
import { spawn } from "node:child_process";
import { ask } from "../../hosts/control.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import { client, goAround, type InLab, inServer, netem } from "./in-lab.ts";

export async function formerLink(): Promise<void> {
  const link = { downMbps: 20, upMbps: 2, rttMs: 100, lossPercent: 0, queuePackets: 50 };
  await ask("shaper", shaperRoutes.setLink, link);
}

/** Switches segmentation offload on: TSO for TCP, and GSO, which also applies to UDP. */
export async function segmentationOffload(): Promise<void> {
  await inServer("ethtool", "-K", "eth0", "tx", "on", "sg", "on", "tso", "on", "gso", "on");
}

export const linkFaults = {
  oneNetem: {
    caughtBy: "calibration",
    condition: { link: "20x2-100ms-0%" },
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
    caughtBy: "calibration",
    condition: { link: "20x2-100ms-1%" },
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
    caughtBy: "calibration",
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
    caughtBy: "evidence",
    apply: formerLink,
  },
  superpackets: {
    lasts: true,
    caughtBy: "evidence",
    condition: { page: "C", initcwnd: 10 },
    apply: segmentationOffload,
  },
  aroundTheShaper: {
    lasts: true,
    caughtBy: "evidence",
    apply: goAround,
  },
  foreignTraffic: {
    caughtBy: "evidence",
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
} satisfies Record<string, InLab>;
