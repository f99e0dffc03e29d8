/** Serves the report on this machine. When its run has grown, the server rebuilds the report and notifies open pages. */

import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { lookup } from "mrmime";
import { say } from "../output/output.ts";
import { buildReport, type Files, type OpenedRun } from "./build.ts";
import { Pace } from "./pace.ts";

/** The server's default address, for this machine only. In a container, the server needs another address to be reached from outside. */
export const loopback = "127.0.0.1";

export interface Place {
  address: string;
  /** 0 means any free port. */
  port: number;
}
/** How often the run's files are checked. After building a report, the server waits `restShare` times as long as the build took. */
const lookEveryMs = 2000;
const restShare = 4;

/** @throws Error if the port is in use */
export async function serveReport(runs: readonly OpenedRun[], place: Place) {
  const site = new Site(runs);
  await site.renew();
  const server = createServer((request, response) => site.answer(request, response));
  await listening(server, place);
  const timer = setInterval(() => void site.renewIfGrown(), lookEveryMs);
  const { port: bound } = server.address() as { port: number };
  return {
    url: `http://${loopback}:${bound}/`,
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
}

const listening = (server: Server, { address, port }: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });

class Site {
  readonly #runs: readonly OpenedRun[];
  #files: Files = new Map();
  #state = "";
  #resting = 0;
  readonly #pace = new Pace();
  readonly #readers = new Set<ServerResponse>();

  constructor(runs: readonly OpenedRun[]) {
    this.#runs = runs;
  }

  async renewIfGrown(): Promise<void> {
    if (stateOf(this.#runs) === this.#state || performance.now() < this.#resting) return;
    try {
      await this.renew();
    } catch (error) {
      say(`The report was not updated: ${(error as Error).message}`);
      return;
    }
    for (const reader of this.#readers) reader.write(`data: ${this.#state}\n\n`);
  }

  async renew(): Promise<void> {
    const began = performance.now();
    const state = stateOf(this.#runs);
    const grownAtMs = statSync(loadsOf(this.#runs[0]!), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    this.#resting = Infinity; // no second update during this one
    try {
      this.#files = await buildReport(this.#runs, { state, grownAtMs, pace: this.#pace });
      this.#state = state;
    } finally {
      this.#resting = performance.now() + restShare * (performance.now() - began);
    }
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const refused = refusalOf(request);
    const path = refused ? null : pathOf(request);
    if (path === null) {
      response.writeHead(refused ?? 400).end();
      return;
    }
    const content = this.#files.get(path);
    if (path === "events") this.#tell(response);
    else if (content === undefined) response.writeHead(404).end();
    else if (typeof content === "string") {
      const type = lookup(path) ?? "text/plain";
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(content);
    } else sendCopy(content.copyOf, response);
  }

  #tell(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": an event for each update of the report\n\n");
    this.#readers.add(response);
    response.on("close", () => this.#readers.delete(response));
  }
}

/** Responds with a file of the run: a filmstrip frame, or a file for another program. */
function sendCopy(path: string, response: ServerResponse): void {
  const file = createReadStream(path);
  const type = lookup(path) ?? "application/octet-stream";
  file.once("open", () => response.writeHead(200, { "content-type": type, "cache-control": "no-store" }));
  pipeline(file, response, (error) => error && response.destroy()); // the file was removed, or the client has disconnected
}

function pathOf({ url = "/" }: IncomingMessage): string | null {
  try {
    return decodeURI(new URL(url, "http://report").pathname).slice(1) || "index.html";
  } catch {
    return null;
  }
}

/** Refuses requests for host names other than this machine's. Otherwise another site's page could read the report by DNS rebinding. */
function refusalOf({ method, headers }: IncomingMessage): number | null {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "")) return 403;
  return method === "GET" ? null : 405;
}

/** Identifies the state of the runs' files by their sizes, which only grow. */
const stateOf = (runs: readonly OpenedRun[]): string =>
  runs
    .flatMap(({ folder }) => ["loads", "lanes", "calibration"].map((name) => sizeOf(`${folder}/${name}.jsonl`)))
    .join("-");
const loadsOf = ({ folder }: OpenedRun): string => `${folder}/loads.jsonl`;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
