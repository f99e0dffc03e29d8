import { mkdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import waitFor from "p-wait-for";
import { listenPrivately } from "./private-socket.ts";
import { everyHost, type Handlers, type Route, type Routes } from "./routes.ts";

/** Where the hosts' control sockets, what they share, and programs that the lab made itself lie; the same paths on every host. */
export const controlDirectory = "/run/lab/control";
export const stateDirectory = "/run/lab/state";
export const programsDirectory = "/run/lab/programs";

/** More than the slowest answer takes: a server that starts is given 20 s. A host that takes longer hangs. */
const callSeconds = 40;

const socketOf = (host: string) => `${controlDirectory}/${host}.sock`;

/**
 * Serve a host's control plane: JSON over HTTP on a Unix socket. Requests are answered one at a time, in order.
 * A client that asks for `GET /session` keeps the agent alive by that connection: when it ends, the agent does.
 */
export async function serveControl<R extends Routes>(
  host: string,
  routes: R,
  handlers: Omit<Handlers<R>, "health">,
): Promise<void> {
  const all: Record<string, (question: unknown) => unknown> = { ...(handlers as object), health: () => ({ host }) };
  const byRequest = new Map(
    Object.entries(routes).map(([name, { request, question }]) => [request, { handle: all[name]!, question }]),
  );
  let queue: Promise<unknown> = Promise.resolve();
  const server = createServer(async (incoming, response) => {
    const asked = `${incoming.method} ${incoming.url}`;
    if (asked === "GET /session") {
      response.flushHeaders();
      response.on("close", () => process.exit(0));
      return;
    }
    const route = byRequest.get(asked);
    if (!route) return void response.writeHead(404).end(`no route ${asked}`);
    const body = await text(incoming);
    queue = queue.then(async () => {
      try {
        const question = route.question.parse(body ? JSON.parse(body) : null);
        response.end(JSON.stringify((await route.handle(question)) ?? null));
      } catch (error) {
        response.writeHead(500).end((error as Error).message);
      }
    });
  });
  mkdirSync(controlDirectory, { recursive: true, mode: 0o700 });
  rmSync(socketOf(host), { force: true });
  await listenPrivately(server, socketOf(host));
}

/** Ask a host. @throws Error with the host's own message, or that it gave none in time, or none of the route's form */
export async function ask<Question, Answer>(
  host: string,
  { request: asked, question, answer }: Route<Question, Answer>,
  ...[body, seconds = callSeconds]: Question extends null
    ? [body?: null, seconds?: number]
    : [body: Question, seconds?: number]
): Promise<Answer> {
  const [method = "", path = ""] = asked.split(" ");
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const sent = body == null ? undefined : JSON.stringify(question.parse(body));
    const { status, said } = await exchange(socketOf(host), method, path, sent, signal);
    if (status !== 200) throw new Refusal(`${host}: ${asked}: ${said}`);
    return answer.parse(JSON.parse(said));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = signal.aborted
      ? `did not answer ${asked} within ${seconds} s`
      : `does not answer (${(error as Error).message})`;
    throw new Error(`${host} ${why}`, { cause: error });
  }
}

/** A host's own words. */
class Refusal extends Error {}

function exchange(socketPath: string, method: string, path: string, body: string | undefined, signal: AbortSignal) {
  return new Promise<{ status: number; said: string }>((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, signal }, (response) => {
      text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
    });
    outgoing.on("error", reject).end(body);
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

/** Wait until a host's agent answers. @throws Error with its last words, after `seconds` */
export async function waitForHost(host: string, seconds: number): Promise<void> {
  let last: unknown = new Error(`${host} did not answer within ${seconds} s`);
  const answers = () =>
    ask(host, everyHost.health).then(
      () => true,
      (error: unknown) => {
        last = error;
        return false;
      },
    );
  await waitFor(answers, {
    interval: 50,
    timeout: {
      milliseconds: seconds * 1000,
      fallback: () => {
        throw last;
      },
    },
  });
}
