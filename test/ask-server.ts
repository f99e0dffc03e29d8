/** Run on the harness's host: asks the first server, running the software named by the argument; prints Answers. */
import { once } from "node:events";
import { statSync } from "node:fs";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { callHost, stateDirectory } from "../harness/control.ts";
import { run } from "../harness/command.ts";
import { prepareClient } from "../harness/host.ts";
import { readTopology, webHosts } from "../harness/topology.ts";
import { readProtocols } from "../servers/protocols.ts";

export interface Answers {
  alpn: Record<string, string | false | null>;
  pipelined: number[];
  expectedLengths: number[];
  resumed: boolean;
  /** Status by path, of paths that lead out of the pages. */
  outside: Record<string, number>;
  /** The server's route to the client. */
  route: string;
}

const server = process.argv[2] ?? "";
const topology = readTopology();
const { service, address, name } = webHosts(topology)[0]!;
const protocols = readProtocols();
const port = protocols.get("h1")!.port;
const files = ["/A/jquery.js", "/A/1-h1.html", "/B/2-h1.html"];
const climbs = ["../", "%2e%2e/", "..%2f", "%2e%2e%2f", "%252e%252e%252f", "..%255c", "..\\", "..%5c", "....//", "..;/", "%c0%ae%c0%ae/", "..%00/"];
const outside = [
  ...climbs.flatMap((up) => [`/${up}certificates/ca.pem`, `/A/${up.repeat(2)}certificates/ca.pem`, `/A/${up.repeat(9)}etc/passwd`]),
  "//etc/passwd", "/A//../../../../etc/passwd", "/A/.stamp.json/..", "/nothing.jpg", "/A", "/", "etc/passwd", "*",
  ...["https://s1.lab", "http://localhost", "file://"].flatMap((origin) => [`${origin}/../certificates/ca.pem`, `${origin}/etc/passwd`, `${origin}${stateDirectory}/certificates/ca.pem`]),
  // What the test has put into the site: links that lead out of it.
  ...["/link-to-file", "/link-to-folder/ca.pem", "/link-to-folder/passwd", "/linked/passwd", "/linked/folder/passwd"],
];

async function open(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: address, port, servername: name, rejectUnauthorized: false, ALPNProtocols: ["h2", "http/1.1"], ...options });
  await once(socket, "secureConnect");
  return socket;
}

/** Send requests at once on one connection. @returns status and length of each answer, in the order they came */
async function ask(paths: string[]): Promise<{ status: number; length: number }[]> {
  const socket = await open();
  socket.write(paths.map((path, i) => `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n${i === paths.length - 1 ? "Connection: close\r\n" : ""}\r\n`).join(""));
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

await prepareClient(topology);
await callHost(service, "PUT", "/server", { server, initcwnd: 7, congestion: "reno" });

const alpn: Answers["alpn"] = {};
for (const protocol of protocols.values()) {
  const socket = await open({ port: protocol.port });
  alpn[protocol.name] = socket.alpnProtocol;
  socket.destroy();
}
const first = await open();
const session = await Promise.race([once(first, "session").then(([ticket]) => ticket as Buffer), new Promise<undefined>((resolve) => setTimeout(resolve, 500))]);
first.destroy();
const second = await open(session ? { session } : {});
const statuses: Record<string, number> = {};
for (const path of outside) statuses[path] = (await ask([path]))[0]?.status ?? 0;

const answers: Answers = {
  alpn,
  pipelined: (await ask(files)).map(({ length }) => length),
  expectedLengths: files.map((file) => statSync(`${stateDirectory}/site${file}`).size),
  resumed: second.isSessionReused(),
  outside: statuses,
  route: await run(["ip", "netns", "exec", service, "ip", "route"]),
};
second.destroy();
console.log(JSON.stringify(answers));
