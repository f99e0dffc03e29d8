import { mkdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenPrivately } from "./private-socket.ts";

/** Where the hosts' control sockets and what they share lie; the same paths on every host of either substrate. */
export const controlDirectory = "/run/lab/control";
export const stateDirectory = "/run/lab/state";

/** More than the slowest answer takes: a server that starts is given 20 s. A host that takes longer hangs. */
const callSeconds = 40;

const socketOf = (host: string) => `${controlDirectory}/${host}.sock`;

type Routes = Record<string, (body: never) => Promise<unknown> | unknown>;

/**
 * Serve a host's control plane: JSON over HTTP on a Unix socket. Requests are answered one at a time, in order.
 * A client that asks for `GET /session` keeps the agent alive by that connection: when it ends, the agent does.
 * @param routes "PUT /link" -> handler of the JSON body; its result is the answer
 */
export async function serveControl(host: string, routes: Routes): Promise<void> {
  let queue: Promise<unknown> = Promise.resolve();
  const server = createServer((incoming, response) => {
    const route = `${incoming.method} ${incoming.url}`;
    if (route === "GET /session") {
      response.flushHeaders();
      response.on("close", () => process.exit(0));
      return;
    }
    const handler = route === "GET /health" ? () => ({ host }) : routes[route];
    if (!handler) return void response.writeHead(404).end(`no route ${route}`);
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      queue = queue.then(async () => {
        try {
          const text = Buffer.concat(chunks).toString();
          response.end(JSON.stringify((await handler((text ? JSON.parse(text) : null) as never)) ?? null));
        } catch (error) {
          response.writeHead(500).end((error as Error).message);
        }
      });
    });
  });
  mkdirSync(controlDirectory, { recursive: true, mode: 0o700 });
  rmSync(socketOf(host), { force: true });
  await listenPrivately(server, socketOf(host));
}

/** Ask a host. @throws Error with the host's own message, or that it gave none in time */
export function callHost<T>(
  host: string,
  method: "GET" | "PUT" | "POST",
  path: string,
  body?: unknown,
  seconds = callSeconds,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(seconds * 1000);
    const fail = (error: Error) => {
      const why = signal.aborted
        ? `did not answer ${method} ${path} within ${seconds} s`
        : `does not answer (${error.message})`;
      reject(new Error(`${host} ${why}`, { cause: error }));
    };
    const outgoing = request({ socketPath: socketOf(host), method, path, signal }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text += chunk))
        .on("error", fail);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${host}: ${method} ${path}: ${text}`));
      });
    });
    outgoing.on("error", fail);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * Hold a session on a host: its agent lives as long as the session, which ends with this process at the latest.
 * @param onLost called when the host goes away first
 * @returns how to end it
 */
export function holdSession(host: string, onLost: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: socketOf(host), path: "/session" }, (response) => {
      response.on("close", onLost).resume();
      resolve(() => {
        response.off("close", onLost);
        outgoing.destroy();
      });
    });
    outgoing.on("error", reject).end();
  });
}

/** Wait until a host's agent answers. @throws Error after `seconds` */
export async function waitForHost(host: string, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ; await sleep(50)) {
    try {
      await callHost(host, "GET", "/health");
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
