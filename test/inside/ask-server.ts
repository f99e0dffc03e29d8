/** Runs on the harness's host: sends requests to the first server, which runs the software named by the argument; prints Answers. */
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { isSpdy } from "../../clients/spdy-connection.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { run } from "../../hosts/command.ts";
import { ask, stateDirectory } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { caching } from "../../schema/caching.ts";
import { usualTls } from "../../schema/tls.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { servers } from "../../servers/servers.ts";
import { askOverHttp2, askOverSpdy, headersOverHttp2, inside, outside } from "./outside.ts";

export interface Answers {
  alpn: Record<string, string | false | null>;
  pipelined: number[];
  expectedLengths: number[];
  resumed: boolean;
  /** The Cache-Control of each path's response over HTTP/2, when the server is configured for first views, and for repeat views. */
  keeping: { first: Record<string, string>; repeat: Record<string, string> };
  /** The same as `resumed`, for a server that is configured to issue tickets. */
  resumedByTicket: boolean;
  /** By protocol, the status of each path that leads out of the pages, and of one path that does not. */
  outside: Record<string, Record<string, number>>;
  inside: number[];
  /** Users and capabilities of the server's processes. */
  users: { uid: number; effective: string }[];
  /** The server's route to the client. */
  route: string;
}

const server = process.argv[2] ?? "";
const topology = readTopology();
const { service, address, name } = webHosts(topology)[0]!;
const protocols = readProtocols();
/** The server's protocols over TLS and TCP, which Node.js can speak too. */
const overTls = Object.values(protocols).filter(
  ({ name: protocol, scheme, transport }) =>
    servers[server]?.protocols.includes(protocol) && scheme === "https" && transport === "tcp",
);
const speaksH1 = overTls.some(({ name: protocol }) => protocol === "h1");
const speaksH2 = overTls.some(({ name: protocol }) => protocol === "h2");
const { port = 0 } = overTls[0] ?? {};
const files = ["/A/jquery.js", "/A/1-h1.html", "/B/2-h1.html"];
async function open(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({
    host: address,
    port,
    servername: name,
    rejectUnauthorized: false,
    ALPNProtocols: ["h2", "http/1.1", "spdy/2", "spdy/3.1"],
    ...options,
  });
  await once(socket, "secureConnect");
  return socket;
}

/** Sends pipelined requests on one connection. @returns status and length of each response, in the order of arrival */
async function request(paths: string[]): Promise<{ status: number; length: number }[]> {
  const socket = await open();
  socket.write(
    paths
      .map(
        (path, i) =>
          `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n${i === paths.length - 1 ? "Connection: close\r\n" : ""}\r\n`,
      )
      .join(""),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  let rest = Buffer.concat(chunks);
  const answers = [];
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.subarray(0, end).toString();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? rest.length - end - 4);
    answers.push({ status: Number(head.split(" ")[1]), length });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

const route = { client: { congestion: "cubic" }, server: { initcwnd: 7, congestion: "reno" } };
const clientTcp = await ClientTcp.open(topology);
await clientTcp.set({ route, client: { software: "chromium", sysctls: {} } });
await ask(service, serverRoutes.configure, { software: server, tls: usualTls, route: route.server });

const alpn: Answers["alpn"] = {};
for (const protocol of overTls) {
  const socket = await open({ port: protocol.port });
  alpn[protocol.name] = socket.alpnProtocol;
  socket.destroy();
}
/** Whether a second connection resumes the first one's session. */
async function resumes(): Promise<boolean> {
  const first = await open();
  const session = await Promise.race([
    once(first, "session").then(([ticket]) => ticket as Buffer),
    new Promise<undefined>((resolve) => setTimeout(resolve, 500)),
  ]);
  first.destroy();
  const second = await open(session ? { session } : {});
  const resumed = second.isSessionReused();
  second.destroy();
  return resumed;
}

async function keeping(): Promise<Record<string, string>> {
  if (!speaksH2) return {};
  const headers = await headersOverHttp2(`https://${name}`, () => open({ port: protocols.h2!.port }), files);
  return Object.fromEntries(files.map((path, i) => [path, String(headers[i]![caching.header.toLowerCase()] ?? "")]));
}
const asFirst = { resumed: await resumes(), keeping: await keeping() };
const h1: Record<string, number> = {};
for (const path of speaksH1 ? [...outside, inside] : []) h1[path] = (await request([path]))[0]?.status ?? 0;
const h2 = speaksH2
  ? await askOverHttp2(`https://${name}`, () => open({ port: protocols.h2!.port }), [...outside, inside])
  : {};
const overSpdy: Answers["outside"] = {};
for (const { name: protocol, alpn: spoken, port } of overTls)
  if (isSpdy(spoken)) overSpdy[protocol] = await askOverSpdy(spoken, name, () => open({ port }), [...outside, inside]);
const pids = (
  await run(["ip", "netns", "exec", service, "ss", "--no-header", "--listening", "--tcp", "--processes"])
).matchAll(/pid=(\d+)/g);
const users = [...pids].map(([, pid]) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return { uid: Number(/^Uid:\t(\d+)/m.exec(status)?.[1]), effective: /^CapEff:\t(\w+)/m.exec(status)?.[1] ?? "" };
});

/** Configures the server for repeat views and tickets, and returns its answers. Called last, because this reconfigures the server. */
async function asRepeat(): Promise<Pick<Answers, "keeping" | "resumedByTicket">> {
  const says = servers[server]?.can.includes("caching") ? { caching: true as const } : {};
  const tls = { ...usualTls, resumption: true as const };
  await ask(service, serverRoutes.configure, { software: server, tls, ...says, route: route.server });
  return { resumedByTicket: await resumes(), keeping: { first: asFirst.keeping, repeat: await keeping() } };
}

const answers: Answers = {
  alpn,
  pipelined: speaksH1 ? (await request(files)).map(({ length }) => length) : [],
  expectedLengths: (speaksH1 ? files : []).map((file) => statSync(`${stateDirectory}/site${file}`).size),
  resumed: asFirst.resumed,
  outside: { h1, h2, ...overSpdy },
  inside: [h1, h2, ...Object.values(overSpdy)].flatMap((statuses) => statuses[inside] ?? []),
  users,
  route: await run(["ip", "netns", "exec", service, "ip", "route"]),
  ...(await asRepeat()),
};
console.log(JSON.stringify(answers));
