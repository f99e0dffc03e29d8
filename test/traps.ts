/**
 * Ways to break the lab that silently ruin results. Each breaks a lab of its own, on the harness's host, after the lab
 * was brought to a condition and before its load.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { Browser, BrowserContext } from "puppeteer-core";
import { run } from "../hosts/command.ts";
import { ask } from "../hosts/control.ts";
import { environment } from "../hosts/environment.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { attachments, readTopology, webHosts } from "../hosts/topology.ts";
import type { Values } from "../schema/plan.ts";
import type { configuration as caddyConfiguration } from "../servers/caddy/server.ts";

export interface Trap {
  /** What is wrong. */
  what: string;
  /** Axis values beside page A, one server, 20x2-20ms-0%, h2, initcwnd 3. */
  condition?: Values;
  /** What must name it: the load's own evidence, or the calibration of its link. */
  caughtBy: "evidence" | "calibration" | "nothing";
  message: RegExp;
  /** Called between the condition and the load; of a trap with two loads, before each. */
  spring(): Promise<void>;
  /** Of two loads in one browser context, the second is judged. */
  sharesContext?: boolean;
  /** They share its connections and TLS sessions, not its cache. */
  withoutCache?: boolean;
  /** The browser is not made to use QUIC. */
  withoutQuic?: boolean;
  /** Every name leads to the first host's address, with a certificate for all names. */
  sharesHost?: boolean;
}

/** Where hosts keep what lasts as long as they do. */
export const { temporary } = environment;
const topology = readTopology();
const [server] = webHosts(topology);
const client = attachments(topology, "harness")[0]!;
const gateway = attachments(topology, "shaper").find(({ network }) => network === "core")!;
const inServer = (...command: string[]) => run(["ip", "netns", "exec", "server1", ...command]);
/** The lane's first process stands outside of all hosts, where the bridges are. */
const outside = (...command: string[]) => run(["nsenter", "--net=/proc/1/ns/net", ...command]);
const route = (...tcp: string[]) => inServer("ip", "route", "replace", "198.18.0.0/24", "via", gateway.address, ...tcp);
const netem =
  (...words: string[]) =>
  async () => {
    const { devices } = await ask("shaper", shaperRoutes.describe);
    await ask("shaper", shaperRoutes.tc, [words.map((word) => (word === "ACCESS" ? devices.access : word))]);
  };

/** nginx with another configuration: its own, with words replaced. */
export async function reconfigure(...replacements: [RegExp, string][]): Promise<void> {
  const file = `${temporary}/server1/nginx.conf`;
  writeFileSync(
    file,
    replacements.reduce((text, [from, to]) => text.replace(from, to), readFileSync(file, "utf8")),
  );
  await inServer("nginx", "-e", "stderr", "-c", file, "-s", "reload");
  await new Promise((resolve) => setTimeout(resolve, 300));
}

type CaddyConfiguration = ReturnType<typeof caddyConfiguration>;

/** Caddy with another configuration: its own, altered. It reads its file again at SIGUSR1, and ends its connections. */
async function reconfigureCaddy(alter: (configuration: CaddyConfiguration) => void): Promise<void> {
  const file = `${temporary}/server1/caddy.json`;
  const configuration = JSON.parse(readFileSync(file, "utf8")) as CaddyConfiguration;
  alter(configuration);
  writeFileSync(file, JSON.stringify(configuration));
  const pids = (await run(["ip", "netns", "pids", "server1"])).trim().split("\n");
  for (const pid of pids)
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "caddy") process.kill(Number(pid), "SIGUSR1");
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

/** A cable between the two networks, and both ends on it. */
async function goAround(): Promise<void> {
  await outside("ip", "link", "add", "around.a", "type", "veth", "peer", "name", "around.c");
  for (const [device, network] of [
    ["around.a", "access"],
    ["around.c", "core"],
  ] as const)
    await outside("ip", "link", "set", device, "master", network, "up");
  const serverMac = attachments(topology, "server1")[0]!.mac;
  await run(["ip", "neigh", "replace", server!.address, "lladdr", serverMac, "dev", "eth0", "nud", "permanent"]);
  await run(["ip", "route", "replace", `${server!.address}/32`, "dev", "eth0", "congctl", "cubic"]);
  await inServer("ip", "neigh", "replace", client.address, "lladdr", client.mac, "dev", "eth0", "nud", "permanent");
  await inServer("ip", "route", "replace", `${client.address}/32`, "dev", "eth0", "initcwnd", "3", "congctl", "cubic");
}

let sprung = 0;

export const traps: Record<string, Trap> = {
  none: { what: "nothing: a lab that is well", caughtBy: "nothing", message: /^$/, spring: async () => {} },
  oneNetem: {
    what: "delay and a limit of 50 packets in one netem",
    caughtBy: "calibration",
    condition: { link: "20x2-100ms-0%" },
    message: /down rate, Mb\/s: asked 20\.00, measured/,
    spring: netem(
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
    spring: netem(
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
    spring: async () => {
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
    spring: async () =>
      void (await ask("shaper", shaperRoutes.setLink, {
        downMbps: 20,
        upMbps: 2,
        rttMs: 100,
        lossPercent: 0,
        queuePackets: 50,
      })),
  },
  superpackets: {
    what: "segmentation offload (GSO, TSO) left on",
    caughtBy: "evidence",
    condition: { page: "C", initcwnd: 10 },
    message: /a superpacket of \d+ bytes/,
    spring: async () =>
      void (await inServer("ethtool", "-K", "eth0", "tx", "on", "sg", "on", "tso", "on", "gso", "on")),
  },
  initcwndNotApplied: {
    what: "initcwnd 3 asked, the kernel's default left",
    caughtBy: "evidence",
    message: /initcwnd at least 10 instead of 3/,
    spring: async () => void (await route("congctl", "cubic")),
  },
  initcwndTooSmall: {
    what: "initcwnd 10 asked, 3 applied",
    caughtBy: "evidence",
    condition: { initcwnd: 10 },
    message: /initcwnd at most [3-9] instead of 10/,
    spring: async () => void (await route("initcwnd", "3", "congctl", "cubic")),
  },
  congestionDefault: {
    what: "the default congestion control left, which is another",
    caughtBy: "evidence",
    message: /congestion control (bbr|reno) instead of cubic/,
    spring: async () => {
      const [other] = (await inServer("sysctl", "-n", "net.ipv4.tcp_available_congestion_control"))
        .split(/\s+/)
        .filter((name) => name === "bbr" || name === "reno")
        .sort();
      await inServer("sysctl", "-qw", `net.ipv4.tcp_congestion_control=${other}`).catch(() => {}); // a namespace may have no say: then the machine's default counts
      await route(
        "initcwnd",
        "3",
        ...((await inServer("sysctl", "-n", "net.ipv4.tcp_congestion_control")).trim() === "cubic"
          ? ["congctl", other ?? ""]
          : []),
      );
    },
  },
  coalescing: {
    what: "one certificate and one address for all hosts: HTTP/2 coalesces",
    caughtBy: "evidence",
    condition: { servers: 2 },
    message: /connection \d+ is shared by several hosts/,
    sharesHost: true,
    spring: async () => {},
  },
  sharedCache: {
    what: "a cache that loads share",
    caughtBy: "evidence",
    message: /\d+ responses from a cache/,
    sharesContext: true,
    spring: async () => {},
  },
  resumedSession: {
    what: "TLS sessions that are resumed",
    caughtBy: "evidence",
    message: /a resumed TLS session/,
    sharesContext: true,
    withoutCache: true,
    spring: async () => {
      // The reload ends the first load's connections, so that the second makes new ones, with sessions from nginx's cache.
      await reconfigure(
        [/ssl_session_cache off/, "ssl_session_cache shared:x:1m"],
        [/keepalive_timeout \d+s/, `keepalive_timeout ${600 + sprung++}s`],
      );
    },
  },
  metricsCache: {
    what: "TCP's metrics cache left on",
    caughtBy: "evidence",
    message: /TCP remembers earlier connections .* on server1/,
    spring: async () => void (await inServer("sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=0")),
  },
  otherProtocol: {
    what: "a server that answers HTTP/1.1 when asked for HTTP/2",
    caughtBy: "evidence",
    message: /102 responses over http\/1\.1 instead of h2/,
    spring: () => reconfigure([/ http2(?=;)/g, ""], [/http2 on;/g, "http2 off;"]),
  },
  otherProtocolThanQuic: {
    what: "a server that answers HTTP/2 when asked for HTTP/3",
    caughtBy: "evidence",
    condition: { protocol: "h3", server: "caddy", initcwnd: 10 },
    message: /102 responses over h2 instead of h3/,
    withoutQuic: true,
    spring: () =>
      reconfigureCaddy(({ apps: { http } }) => {
        const { h3 } = http.servers;
        h3!.protocols = ["h2"];
        h3!.tls_connection_policies![0]!.alpn = ["h2"];
      }),
  },
  aroundTheShaper: {
    what: "packets that go around the shaper",
    caughtBy: "evidence",
    message: /packets sent, 0 through the shaper/,
    spring: goAround,
  },
  quicAroundTheShaper: {
    what: "QUIC's packets that go around the shaper",
    caughtBy: "evidence",
    condition: { protocol: "h3", server: "caddy", initcwnd: 10 },
    message: /packets sent, 0 through the shaper/,
    spring: goAround,
  },
  strangers: {
    what: "another program's packets on the lab's network",
    caughtBy: "evidence",
    message: /packets that are not the load's: UDP from/,
    spring: async () =>
      void spawn(
        "node",
        [
          "-e",
          `const s = require("dgram").createSocket("udp4"); let n = 20; setInterval(() => n-- ? s.send("x", 9, "${client.address.replace(/\d+$/, "2")}") : process.exit(), 10)`,
        ],
        { stdio: "ignore" },
      ),
  },
  cpuHog: {
    what: "a CPU hog beside the browser",
    caughtBy: "evidence",
    message: /other programs took \d\.\d+ cores from the load/,
    spring: async () => {}, // traps.test.ts runs it, outside the lab
  },
};

/** A browser that springs the trap whenever a load asks for a fresh context; of a trap that shares one, gives always the same. */
export function trapped(browser: Browser, { spring, sharesContext, withoutCache }: Trap): Browser {
  let shared: BrowserContext | null = null;
  const createBrowserContext = async () => {
    await spring();
    if (!sharesContext) return browser.createBrowserContext();
    shared ??= await browser.createBrowserContext();
    const newPage = async () => {
      const page = await shared!.newPage();
      if (withoutCache) await page.setCacheEnabled(false);
      return page;
    };
    const replaced: Record<string | symbol, unknown> = { newPage, close: async () => {} };
    return new Proxy(shared, { get: (target, key) => replaced[key] ?? bound(target, key) });
  };
  return new Proxy(browser, {
    get: (target, key) => (key === "createBrowserContext" ? createBrowserContext : bound(target, key)),
  });
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === "function" ? value.bind(target) : value;
}
