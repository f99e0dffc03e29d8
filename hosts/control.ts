import { mkdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import waitFor from "p-wait-for";
import { listenPrivately } from "./private-socket.ts";
import { everyHost, type Handlers, type Route, type Routes } from "./routes.ts";

export const controlDirectory = "/run/lab/control";
/** The folder of certificates and pages, which all hosts share. */
export const stateDirectory = "/run/lab/state";
/** The folder of programs that the lab has built or installed itself. */
export const programsDirectory = "/run/lab/programs";

/** After this time, a request fails. It is longer than any request takes: a server has 20 s to start. */
const callSeconds = 40;
/** How long an agent runs after its session: the command's container ends before the agent's, so `docker compose up` returns the command's code. */
const afterSessionMs = 2000;

const socketOf = (host: string) => `${controlDirectory}/${host}.sock`;

/**
 * Serves a host's control interface: JSON over HTTP on a Unix socket. Requests are handled one at a time, in order.
 * `GET /session` opens a connection that keeps the agent alive. The agent ends `afterSessionMs` after this connection closes.
 */
export async function serveControl<R extends Routes>(
  host: string,
  routes: R,
  handlers: Omit<Handlers<R>, "health">,
): Promise<void> {
  const all: Record<string, (body: unknown) => unknown> = { ...(handlers as object), health: () => ({ host }) };
  const byRequest = new Map(
    Object.entries(routes).map(([name, { request, question }]) => [request, { handle: all[name]!, question }]),
  );
  let queue: Promise<unknown> = Promise.resolve();
  let end: NodeJS.Timeout | undefined;
  const server = createServer(async (incoming, response) => {
    const name = `${incoming.method} ${incoming.url}`;
    if (name === "GET /session") {
      response.flushHeaders();
      clearTimeout(end); // set when the previous session closed
      response.on("close", () => {
        end = setTimeout(() => process.exit(0), afterSessionMs);
      });
      return;
    }
    const route = byRequest.get(name);
    if (!route) return void response.writeHead(404).end(`no route ${name}`);
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

/** Sends a request to a host. @throws Error with the host's message, or if the response is late or invalid */
export async function ask<Question, Answer>(
  host: string,
  { request: name, question, answer }: Route<Question, Answer>,
  ...[body, seconds = callSeconds]: Question extends null
    ? [body?: null, seconds?: number]
    : [body: Question, seconds?: number]
): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const sent = body == null ? undefined : JSON.stringify(question.parse(body));
    const { status, received } = await exchange(socketOf(host), method, path, sent, signal);
    if (status !== 200) throw new Refusal(`${host}: ${name}: ${received}`);
    return answer.parse(JSON.parse(received));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = signal.aborted
      ? `did not answer ${name} within ${seconds} s`
      : `does not answer (${(error as Error).message})`;
    throw new Error(`${host} ${why}`, { cause: error });
  }
}

/** An error that the host reported. */
class Refusal extends Error {}

function exchange(socketPath: string, method: string, path: string, body: string | undefined, signal: AbortSignal) {
  return new Promise<{ status: number; received: string }>((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, signal }, (response) => {
      text(response).then((received) => resolve({ status: response.statusCode ?? 0, received }), reject);
    });
    outgoing.on("error", reject).end(body);
  });
}

/**
 * Opens a session on a host. The session ends with this process, and the host's agent soon after it. @param onLost called if the host ends first
 * @returns a function that releases the session: afterwards the host may end, and the session does not keep this process alive
 */
export function holdSession(host: string, onLost: () => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: socketOf(host), path: "/session" }, (response) => {
      response.on("close", onLost).resume();
      resolve(() => {
        response.off("close", onLost);
        outgoing.socket?.unref();
      });
    });
    outgoing.on("error", reject).end();
  });
}

/** Waits until a host's agent responds. @throws Error with the last failure, after `seconds` */
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
