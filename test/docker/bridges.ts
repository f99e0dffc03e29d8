// Captures all frames on the engine's bridges, except TCP, UDP and ICMP between the lab's hosts, and frames that a bridge itself sends.
import { attachments, readTopology } from "../../hosts/topology.ts";
import { startTcpdump } from "../tcpdump.ts";
import type { LabOnEngine } from "./lab.ts";

const image = "pageload-lab-harness";
const topology = readTopology();
const hosts = Object.keys(topology.services).flatMap((host) =>
  attachments(topology, host).map(({ address }) => address),
);
const either = (direction: "src" | "dst") => `(${hosts.map((address) => `${direction} host ${address}`).join(" or ")})`;
const lawful = `(tcp or udp or icmp) and ${either("src")} and ${either("dst")}`;

export interface Watch {
  /** Ends the capture. @returns its frames, as tcpdump prints them */
  stop(): Promise<string[]>;
}

/** Captures in the engine's network namespace, where the bridges are. Creates the bridges if they are missing. */
export async function watchBridges(lab: LabOnEngine): Promise<Watch> {
  await lab.compose("up", "--no-start");
  const watches = await Promise.all(
    Object.keys(topology.networks).map(async (network) => {
      const id = (
        await lab.run("docker", "network", "inspect", "--format", "{{.Id}}", `${lab.project}_${network}`)
      ).trim();
      const bridge = `br-${id.slice(0, 12)}`;
      const own = (await inEngine(lab, "cat", `/sys/class/net/${bridge}/address`)).trim();
      return capture(lab, bridge, `not (${lawful}) and not ether src ${own}`);
    }),
  );
  return { stop: async () => (await Promise.all(watches.map((watch) => watch.stop()))).flat() };
}

const words = (program: string) => [
  "run",
  "--rm",
  "--network",
  "host",
  "--user",
  "0",
  "--cap-drop",
  "ALL",
  "--cap-add",
  "NET_RAW",
  "--entrypoint",
  program,
];
const inEngine = (lab: LabOnEngine, program: string, ...args: string[]) =>
  lab.run("docker", ...words(program), image, ...args);

async function capture(lab: LabOnEngine, bridge: string, filter: string): Promise<Watch> {
  const name = `${lab.project}-${bridge}`;
  const args = ["-i", bridge, "-n", "-e", "-l", "--immediate-mode", "-Z", "root", filter];
  const child = await startTcpdump(["docker", ...words("tcpdump"), "--name", name, "--init", image, ...args], lab.env);
  let text = "";
  child.stdout!.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return {
    async stop() {
      await lab.run("docker", "stop", name);
      return text.split("\n").filter(Boolean);
    },
  };
}
