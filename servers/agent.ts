/** A server's agent: runs the server software and sets TCP on the route to the client. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../hosts/command.ts";
import { serveControl, stateDirectory } from "../hosts/control.ts";
import { environment } from "../hosts/environment.ts";
import { here, prepareHost, routeCommand } from "../hosts/prepare.ts";
import { giveAway, unprivileged } from "../hosts/rights.ts";
import { serverRoutes } from "../hosts/routes.ts";
import { attachments, readTopology } from "../hosts/topology.ts";
import { datagrams } from "../observe/datagrams.ts";
import { observeServer, openObserver } from "../observe/observer.ts";
import { readProcessor } from "../observe/processor.ts";
import { lendCertificate } from "./certificates.ts";
import { readProtocols } from "./protocols.ts";
import { servers } from "./registry.ts";
import type { ServerSoftware } from "./software.ts";

const startSeconds = 20;
const host = environment.host;
const topology = readTopology();
const name = topology.services[host]?.hostname ?? "";
let running: { name: string; child: ChildProcess } | null = null;

async function start(serverName: string): Promise<void> {
  const software = servers[serverName];
  if (!software) throw new Error(`there is no server "${serverName}"`);
  if (running) {
    const { child } = running;
    running = null;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const scratch = `${environment.temporary}/${host}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { mode: 0o700 });
  giveAway(scratch, "server");
  const protocols = Object.values(readProtocols()).filter((protocol) => software.protocols.includes(protocol.name));
  const command = software.command({
    root: `${stateDirectory}/site`,
    scratch,
    protocols,
    ...lendCertificate(stateDirectory, name, scratch),
  });
  const child = spawn(command[0] as string, command.slice(1), { stdio: ["ignore", "inherit", "inherit"] });
  // Without its server a host must not stay: the harness notices an agent that is gone, not one that serves nothing.
  child.on("exit", (code, signal) => {
    if (running?.child !== child) return;
    console.error(`${host}: ${serverName} ended (${signal ?? code})`);
    process.exit(1);
  });
  running = { name: serverName, child };
  await Promise.all(protocols.map(({ port }) => waitForPort(port, software)));
}

async function waitForPort(port: number, software: ServerSoftware): Promise<void> {
  for (const end = Date.now() + startSeconds * 1000; Date.now() < end; await sleep(20)) {
    const socket = connect(port, "127.0.0.1");
    const open = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
  }
  throw new Error(`${software.title} does not listen on port ${port} after ${startSeconds} s`);
}

async function version(server: string): Promise<string> {
  const [program = "", ...args] = servers[server]?.versionCommand ?? ["echo", "no such server"];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(child, "close");
  return text.trim();
}

const iperfs = new Map<number, ChildProcess>();

/** An iperf3 server for one test, for calibration; a former one on the port that nobody used is ended. Answers when it listens. */
async function startIperf({ port }: { port: number }): Promise<null> {
  iperfs.get(port)?.kill("SIGKILL");
  observer.keepUp();
  const [program = "", ...words] = [...unprivileged("server"), "iperf3"];
  const child = spawn(program, [...words, "--server", "--one-off", "--json", "--forceflush", "--port", String(port)], {
    stdio: "ignore",
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
  iperfs.set(port, child);
  await Promise.race([failed, waitForListener(port)]);
  return null;
}

/** Not by connecting: that would be its one test. */
async function waitForListener(port: number): Promise<void> {
  for (const end = Date.now() + startSeconds * 1000; Date.now() < end; await sleep(10))
    if ((await run(["ss", "--tcp", "--listening", "--numeric", "--no-header", `sport = :${port}`])).trim()) return;
  throw new Error(`iperf3 does not listen on port ${port} after ${startSeconds} s`);
}

await prepareHost(here, topology, host);
const { address = "" } = attachments(topology, host)[0] ?? {};
const observer = await openObserver(topology, host);
await serveControl(host, serverRoutes, {
  async configure({ software, route }) {
    await run(routeCommand(topology, host, route));
    if (running?.name !== software) await start(software);
    return null;
  },
  version,
  iperf: startIperf,
  datagrams({ fromMs, clientAddress, ports }) {
    const frames = observer.frames().filter(({ timeMs }) => timeMs >= fromMs);
    return { down: datagrams(frames, address, ports.down), up: datagrams(frames, clientAddress, ports.up) };
  },
  observe: (spans) => observeServer(observer, spans),
  processor: readProcessor,
});
