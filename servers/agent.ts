/** A web host's agent: runs the server software, sets TCP's parameters on the route to the client, and reports what the host observes. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { withAddedPaths } from "../hosts/added.ts";
import { asBundled } from "../hosts/bundled.ts";
import { run } from "../hosts/command.ts";
import { serveControl, stateDirectory } from "../hosts/control.ts";
import { environment } from "../hosts/environment.ts";
import { setHystart } from "../hosts/hystart.ts";
import { deviceOf, here, prepareHost, routeCommand } from "../hosts/prepare.ts";
import { Qdisc } from "../hosts/qdisc.ts";
import { makeOwner, unprivileged } from "../hosts/rights.ts";
import { serverRoutes } from "../hosts/routes.ts";
import { setSlowStartAfterIdle } from "../hosts/slow-start-after-idle.ts";
import { Sysctls, sysctlOrNone } from "../hosts/sysctls.ts";
import { attachments, readTopology } from "../hosts/topology.ts";
import { datagrams } from "../observe/datagrams.ts";
import { observeServer, openObserver } from "../observe/observer.ts";
import { clientPorts, knownOf, undeliveredTo } from "../observe/open-sockets.ts";
import { mostFrames } from "../observe/packet-capture.ts";
import { readProcessor } from "../observe/processor.ts";
import { backgroundPorts } from "../schema/background.ts";
import { announcingAlpn } from "../schema/discovery.ts";
import { delayMsOf } from "../schema/host-rtts.ts";
import { quicPorts } from "../schema/protocol.ts";
import type { RouteTcp, Settings } from "../schema/settings.ts";
import { BackgroundFlows } from "./background-flows.ts";
import { certified, copyCertificate, replayedCertificates } from "./certificates.ts";
import { DatagramStreams } from "./datagram-streams.ts";
import { HandshakeListener } from "./handshake-listener.ts";
import { waitForListener, waitForPort } from "./listening.ts";
import { PortRoute } from "./port-route.ts";
import { type Protocol, readProtocols } from "./protocols.ts";
import { type QuicOptions, quicAbilities, quicOptions } from "./quic-options.ts";
import { isLogRead, ServerLog } from "./server-log.ts";
import { servers } from "./servers.ts";
import { warmingPathOf } from "./software.ts";
import { spokenHere } from "./spoken.ts";
import { warm } from "./warm.ts";

/** If a server ends, the agent prints this many characters from the end of the server's log. */
const lastCharacters = 2000;
const host = environment.host;
const topology = readTopology();
const name = topology.services[host]?.hostname ?? "";
let route: RouteTcp | null = null;
/** The settings of the running server, and the folder of its imported page, if any. */
type Configured = Omit<Settings["server"], "sysctls" | "qdisc" | "recordedRtts"> &
  QuicOptions & { folder?: string | undefined };
const sysctls = new Sysctls();
let running: { server: Configured; child: ChildProcess } | null = null;

const scratch = `${environment.temporary}/${host}`;
const qlogs = `${scratch}/qlogs`;
const log = new ServerLog(scratch);
const handshakes = new HandshakeListener();

async function stop(): Promise<void> {
  if (!running) return;
  const { child, server } = running;
  running = null;
  child.kill(servers[server.software]?.endsAt ?? "SIGTERM");
  await once(child, "exit");
}

/** Stops the server, and returns its logs. They are compressed, because they are megabytes of text. */
async function takeLogs(): Promise<Record<string, string>> {
  await stop();
  const names = existsSync(qlogs) ? readdirSync(qlogs) : [];
  return Object.fromEntries(
    names.map((file) => [`${name}-${file}.gz`, gzipSync(readFileSync(`${qlogs}/${file}`)).toString("base64")]),
  );
}

async function start(server: Configured): Promise<void> {
  const { software: serverName, folder, logs, ...asked } = server;
  const software = servers[serverName];
  if (!software) throw new Error(`unknown server "${serverName}"; known: ${Object.keys(servers).join(", ")}`);
  await stop();
  rmSync(scratch, { recursive: true, force: true });
  for (const made of [scratch, ...(logs ? [qlogs] : [])]) {
    mkdirSync(made, { mode: 0o700 });
    makeOwner(made, "server");
  }
  const spoken = await spokenHere(software);
  const protocols = Object.values(readProtocols()).filter((protocol) => spoken.includes(protocol.name));
  await handshakes.listenFor(protocols);
  const imported = folder !== undefined;
  const words = software.command({
    root: join(stateDirectory, "site", folder ?? ""),
    imported,
    scratch,
    ...asked,
    qlogs: logs && qlogs,
    protocols,
    replayed: replayedCertificates(join(stateDirectory, "site"), folder, scratch, asked.tls.certificates),
    ...copyCertificate(stateDirectory, name, scratch, asked.tls.certificates),
  });
  const command = environment.virtualClock ? asBundled(words) : withAddedPaths(words);
  const stderr = isLogRead(software) ? log.open() : "inherit";
  const child = spawn(command[0] as string, command.slice(1), { stdio: ["ignore", "inherit", stderr] });
  if (stderr !== "inherit") closeSync(stderr);
  // When the server ends, its agent ends too, because the harness notices only the end of an agent.
  child.on("exit", (code, signal) => {
    if (running?.child !== child) return;
    if (isLogRead(software)) console.error(log.take().slice(-lastCharacters));
    console.error(`${host}: ${serverName} ended (${signal ?? code})`);
    process.exit(1);
  });
  running = { server, child };
  try {
    await Promise.all(
      protocols
        .flatMap((protocol) => listenersOf(protocol, server))
        .map(async (protocol) => {
          await waitForPort(protocol, software.title);
          await warm(protocol, warmingPathOf({ imported }));
        }),
    );
  } catch (error) {
    running = null; // so that the next load starts the server again
    await end(child);
    throw error;
  }
}

const listenersOf = (protocol: Protocol, { announces }: Configured): Protocol[] =>
  protocol.transport === "quic" && announces
    ? [protocol, { ...protocol, transport: "tcp", alpn: announcingAlpn }]
    : [protocol];

/** Returns what the version command prints on both streams, because nginx prints its version on stderr. */
async function version(server: string): Promise<string> {
  const [program = "", ...args] = servers[server]?.versionCommand ?? ["echo", "no such server"];
  const { stdout, stderr } = await promisify(execFile)(program, args);
  return `${stdout}${stderr}`.trim();
}

const iperfs = new Map<number, ChildProcess>();

/** Waits for the exit, which frees the program's port. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Starts an iperf3 server for one calibration test. First ends an unused earlier server on the same port. */
async function startIperf({ port }: { port: number }): Promise<null> {
  await end(iperfs.get(port));
  observer.keepUp();
  const [program = "", ...words] = [...unprivileged("server"), "iperf3"];
  const child = spawn(program, [...words, "--server", "--one-off", "--json", "--forceflush", "--port", String(port)], {
    stdio: "ignore",
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
  iperfs.set(port, child);
  await Promise.race([failed, waitForListener("tcp", port, "iperf3")]);
  return null;
}

await prepareHost(here, topology, host);
const { address = "" } = attachments(topology, host)[0] ?? {};
const observer = await openObserver(topology, host, quicPorts(readProtocols()));
const streams = new DatagramStreams(address);
const background = new BackgroundFlows(address, () => certified(stateDirectory, name, "ec2"));
const pageRoute = new PortRoute(backgroundPorts.page);
const qdisc = new Qdisc(await deviceOf(here, address));
await serveControl(host, serverRoutes, {
  async configure({
    route: wanted,
    sysctls: parameters = {},
    qdisc: queueing,
    checksPackets = false,
    isLong,
    ...server
  }) {
    observer.checkPackets(checksPackets);
    if (isLong) observer.keepUp(mostFrames);
    if (!isDeepStrictEqual(wanted, route)) await run(routeCommand(topology, host, wanted));
    setHystart(wanted.hystart ?? true);
    setSlowStartAfterIdle(wanted.slowStartAfterIdle ?? true);
    sysctls.set(parameters);
    await qdisc.set(queueing);
    route = wanted;
    const software = servers[server.software];
    const configured = { ...server, ...(software && quicOptions(quicAbilities(software), wanted)) };
    if (!isDeepStrictEqual(running?.server, configured)) await start(configured);
    return null;
  },
  sysctls: (names) => Object.fromEntries(names.map((name) => [name, sysctlOrNone(name)])),
  version,
  startIperf,
  async endIperf({ port }) {
    await end(iperfs.get(port));
    return null;
  },
  startStream(asked) {
    observer.keepUp();
    return streams.start(asked);
  },
  finishStream: (asked) => streams.finish(asked),
  async startBackground(asked) {
    observer.keepUp();
    const { initcwnd } = asked;
    await pageRoute.set(initcwnd ? routeCommand(topology, host, { ...route!, initcwnd }) : null);
    return background.start(asked);
  },
  background: () => background.states(),
  async endBackground() {
    background.stop();
    await pageRoute.set(null);
    return null;
  },
  undelivered: () => undeliveredTo(attachments(topology, "harness")[0]!.address),
  datagrams({ fromMs, clientAddress, ports }) {
    const frames = observer.frames().filter(({ timeMs }) => timeMs >= fromMs);
    return { down: datagrams(frames, address, ports.down), up: datagrams(frames, clientAddress, ports.up) };
  },
  clientPorts: () => clientPorts(attachments(topology, "harness")[0]!.address),
  known: (except) => knownOf(attachments(topology, "harness")[0]!.address, except),
  async observe({ spans, keyLog }) {
    const queueing = await qdisc.read();
    return {
      ...(await observeServer(observer, spans, keyLog, delayMsOf(queueing))),
      sysctls: sysctls.read(),
      qdisc: queueing,
      ...log.told(servers[running?.server.software ?? ""]),
    };
  },
  logs: takeLogs,
  processor: readProcessor,
});
