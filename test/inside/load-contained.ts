/** Runs on the harness's host: captures all traffic while a browser starts, loads a page and ends, then during a deliberate leak. Prints Contained. */
import { createSocket } from "node:dgram";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { coldLoad } from "../../clients/chromium/cold-load.ts";
import type { ClientOptions, Loaded } from "../../clients/client.ts";
import { run } from "../../hosts/command.ts";
import { ask, controlDirectory } from "../../hosts/control.ts";
import { everyHost, serverRoutes } from "../../hosts/routes.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { pagePath } from "../../sites/paths.ts";
import { atTheEdge, type Seen, watch } from "./edge.ts";
import { bringUp, hosts, openBrowser, openClient } from "./lab-browser.ts";

export interface Contained {
  /** Devices of the namespace in which all cables end, and each device's peer namespace. A way out of the lab would be a further device. */
  devices: { ifname: string; link_netnsid?: number }[];
  load: Seen;
  /** The traffic while Firefox runs, the problem of its load, and the problem of a load without the lab's certificate authorities. */
  firefox: { seen: Seen; problem: string | null; untrusting: string | null };
  leak: Seen;
  /** Users, effective capabilities, no_new_privs and user namespaces, by kind of process. */
  processes: Record<string, { uid: number; effective: string; noNewPrivileges: string; userNamespace: string }[]>;
  /** Ports open on the harness's host while the browser runs. */
  listening: string;
  /** Octal modes of the control directory and of each socket in it. */
  modes: Record<string, string>;
  /** The error of a call to a host that does not answer. */
  hang: string;
}

const idleMs = 2000; // for a browser's background activity
const kinds = {
  browser: /^\S*chromium-headless-shell .*--user-data-dir/,
  renderer: /--type=renderer/,
  nginx: /^nginx/,
  iperf3: /^iperf3/,
};

const processes = (): Contained["processes"] => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = new Map(
          readFileSync(`/proc/${pid}/status`, "utf8")
            .split("\n")
            .map((line) => line.split(":\t") as [string, string]),
        );
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [
          {
            command,
            uid: Number(status.get("Uid")?.split("\t")[0]),
            effective: status.get("CapEff") ?? "",
            noNewPrivileges: status.get("NoNewPrivs") ?? "",
            userNamespace: readlinkSync(`/proc/${pid}/ns/user`),
          },
        ];
      } catch {
        return []; // the process has ended meanwhile
      }
    });
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, pattern]) => [
      kind,
      all.filter(({ command }) => pattern.test(command)).map(({ command: _, ...process }) => process),
    ]),
  );
};

/** Sends two datagrams to port 53, the port of DNS: one to a server, and one to an address outside every lab. */
async function leakOnPurpose(): Promise<void> {
  const socket = createSocket("udp4");
  const send = (address: string) => new Promise((resolve) => socket.send("leak", 53, address, resolve));
  await send(hosts[1]!.address);
  await send("192.0.2.1");
  socket.close();
}

async function watchFirefox(): Promise<Contained["firefox"]> {
  const look = async ({ failure }: Loaded) => failure?.reason ?? null;
  const load = async (other: Partial<ClientOptions> = {}) => {
    const client = await openClient("firefox", other);
    const problem = await client.load({ url, timeoutMs: 30_000 }, { look });
    await sleep(idleMs);
    await client.close();
    return problem;
  };
  let problem: string | null = null;
  const seen = await watch(async () => {
    problem = await load();
  });
  return { seen, problem, untrusting: await load({ authorities: [] }) };
}

await bringUp();
await ask("server1", serverRoutes.startIperf, { port: 5201 });
let seen: Contained["processes"] = {};
let listening = "";
const url = `https://${hosts[0]?.name}:${readProtocols().h1?.port}${pagePath({ name: "A" }, 4, "h1")}`;
const load = await watch(async () => {
  const { browser } = await openBrowser();
  await coldLoad(browser, { url, timeoutMs: 30_000 }, { look: async () => {} });
  await browser.newPage();
  seen = processes();
  listening = await run(["ss", "--no-header", "--listening", "--tcp", "--udp", "--numeric"]);
  await sleep(idleMs);
  await browser.close();
});
const firefox = await watchFirefox();
const leak = await watch(leakOnPurpose);

const agent = (await run(["pgrep", "--full", "servers/agent.ts"]))
  .trim()
  .split("\n")
  .find((pid) => readFileSync(`/proc/${pid}/environ`, "utf8").includes("LAB_HOST=server1\0"));
process.kill(Number(agent), "SIGSTOP");
const answers = await Promise.all(
  hosts.map(({ service }) =>
    ask(service, everyHost.health, null, 1).then(
      () => "",
      (error: Error) => error.message,
    ),
  ),
);
process.kill(Number(agent), "SIGCONT");

const contained: Contained = {
  devices: JSON.parse(await run([...atTheEdge, "ip", "-json", "link", "show"])) as Contained["devices"],
  load,
  firefox,
  leak,
  processes: seen,
  listening,
  modes: Object.fromEntries(
    ["", ...readdirSync(controlDirectory)].map((file) => [
      file || "control",
      (statSync(`${controlDirectory}/${file}`).mode & 0o777).toString(8),
    ]),
  ),
  hang: answers.join(""),
};
console.log(JSON.stringify(contained));
process.exit(0);
