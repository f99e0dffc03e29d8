/** New entries for the lab's registries, as a user would add them: files, and lines for existing files, by path. */

/** An axis of the client's ports. Captures show the client's port of every connection. */
const axis = `import { z } from "zod";
import { defineAxis } from "./axis.ts";
import { usedFlows } from "./flows.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    ports: "any" | "high";
  }
}

const highest = 60_000;

export const axis = defineAxis({
  name: "ports",
  title: "the client's ports",
  example: "high",
  follows: "delayedAcks",
  field: "ports",
  value: z.enum(["any", "high"]),
  default: "any",
  id: (ports) => \`ports-\${ports}\`,
  sets: (ports) =>
    ports === "any" ? {} : { client: { sysctls: { "net.ipv4.ip_local_port_range": \`\${highest}\t65535\` } } },
  proves(ports, _, evidence) {
    const flows = usedFlows(evidence.packets.flows);
    const problems = flows.flatMap(({ name, clientPort }) =>
      ports === "any" || clientPort >= highest ? [] : [\`\${name}: its port is not one of the high ports\`],
    );
    return problems.length || !flows.length ? { contradicts: problems } : "confirmed";
  },
});
`;

/** An axis of a kernel parameter of the servers' hosts; each server reads the parameter's value back. */
export const serverAxis = `import { defineAxis } from "./axis.ts";
import { provesServerSysctl } from "./server-kernel.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    recovery: "rack" | "dupacks";
  }
}

const parameter = "net.ipv4.tcp_recovery";
const bits = { rack: "1", dupacks: "0" };

export const axis = defineAxis({
  name: "recovery",
  title: "how servers detect losses: by time (RACK), or by duplicate acknowledgments",
  example: "dupacks",
  follows: "congestion",
  field: "recovery",
  value: oneOf(["rack", "dupacks"]),
  default: "rack",
  unknownBefore: "the lab could set it",
  id: (how) => how,
  sets: (how) => ({ server: { sysctls: { [parameter]: bits[how] } } }),
  proves: (how, _, evidence) => provesServerSysctl(evidence, parameter, bits[how]),
});
`;

/** An axis of how servers send packets on the virtual clock: it sets a queueing discipline, and a parameter of a kernel module. */
export const egressAxis = `import { defineAxis } from "./axis.ts";
import { provesServerQdisc, provesServerSysctl } from "./server-kernel.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    egress: "plain" | "fair";
  }
}

const parameter = "module.tcp_cubic.beta";

export const axis = defineAxis({
  name: "egress",
  title: "the queueing discipline of the servers' packets",
  example: "fair",
  follows: "congestion",
  field: "egress",
  value: oneOf(["plain", "fair"]),
  default: "plain",
  id: (how) => how,
  sets: (how) => (how === "plain" ? {} : { server: { qdisc: "fq flow_limit 50", sysctls: { [parameter]: "600" } } }),
  proves(how, _, evidence) {
    if (how === "plain") return { notObservable: "no queueing discipline is configured, so no server reports its own" };
    const verdicts = [provesServerQdisc(evidence, /^fq .*flow_limit 50p/), provesServerSysctl(evidence, parameter, "600")];
    return verdicts.find((verdict) => verdict !== "confirmed") ?? "confirmed";
  },
});
`;

/** The node server under another name; ALPN selects the protocol. */
const server = `import { server as node } from "../node/server.ts";
import type { ServerOptions, ServerSoftware } from "../software.ts";

const byAlpn = (options: ServerOptions): ServerOptions => ({
  ...options,
  protocols: options.protocols.map((protocol) => ({ ...protocol, name: protocol.alpn === "h2" ? "h2" : "h1" })),
});

export const server: ServerSoftware = {
  ...node,
  title: "My own server",
  header: "mine",
  protocols: ["h1", "h2", "h2b"],
  command: (options) => node.command(byAlpn(options)).map((word) => word.replace("servers/node/", "servers/mine/")),
};
`;
const serverMain = `import { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";

type Head = { writeHead(status: number, headers?: object): unknown };
for (const prototype of [ServerResponse.prototype, Http2ServerResponse.prototype] as Head[]) {
  const { writeHead } = prototype;
  prototype.writeHead = function (status, headers) {
    return writeHead.call(this, status, { ...headers, server: "mine" });
  };
}
await import("../node/main.ts");
`;

/** Chromium under another name. */
const client = `import { startBrowser } from "../chromium/start-chromium.ts";
import { clientOf } from "../chromium/client.ts";
import type { Client } from "../client.ts";

const userAgent = "MyOwnBrowser/1.0";

export const client: Client = {
  title: "My own browser",
  userAgent,
  protocols: ["h1", "h2", "h2b"],
  async open(options) {
    const browser = await startBrowser(options);
    const createContext = browser.createBrowserContext.bind(browser);
    browser.createBrowserContext = async () => {
      const context = await createContext();
      const newPage = context.newPage.bind(context);
      context.newPage = async () => {
        const page = await newPage();
        const session = await page.createCDPSession();
        await session.send("Emulation.setUserAgentOverride", { userAgent });
        return page;
      };
      return context;
    };
    return clientOf(browser, options);
  },
};
`;

/** A metric with every optional field, so that it appears in reports and gates too. */
export const metric = `import type { Metric } from "./metric.ts";

export const metric: Metric = {
  name: "parsedMs",
  title: "time to the parsed page",
  unit: "ms",
  compared: 99,
  gate: { name: "parsed", place: 99, comparedFromMs: 0 },
  of: ({ timing }) => timing.domContentLoadedEventStart ?? null,
};
`;

const page = `title: a few small pictures
seed: 4
html: 2.0 KB
images:
  - {count: 4, formats: [jpeg], distribution: power, min: 2.0 KB, mean: 4.0 KB, max: 6.0 KB}
`;

/** An experiment with all new entries except the axes `recovery` and `egress`. */
export const experiment = `title: All that is new
source: test/all/alone/registries.test.ts
loads: 20
seed: 1
timeout: 30 s
metric: parsedMs
axes:
  page: [mini]
  servers: [1]
  link: [home]
  protocol: [h2b]
  initcwnd: [10]
  server: [mine]
  client: [mine]
  ports: [any, high]
baseline: {ports: any}
comparisons:
  1: {title: high ports, option: {ports: high}}
tables:
  - {id: "1", title: Speedup of high ports, comparison: 1, rows: page, columns: link}
`;

/** Entries that are files. */
export const files: Record<string, string> = {
  "axes/ports.axis.ts": axis,
  "axes/recovery.axis.ts": serverAxis,
  "servers/mine/server.ts": server,
  "servers/mine/main.ts": serverMain,
  "clients/mine/client.ts": client,
  "metrics/parsed.metric.ts": metric,
  "pages/mini/page.yml": page,
  "experiments/mini.yml": experiment,
};

/** Entries that are appended to a file as a line. */
export const lines: Record<string, string> = {
  "servers/protocols.yml": "h2b: {title: HTTP/2 by another door, port: 4440, alpn: h2, connections: 1}\n",
  "shaper/links.yml": "home: {down: 16 Mb/s, up: 4 Mb/s, rtt: 30 ms, loss: 0 %, queue: 60 packets}\n",
};
