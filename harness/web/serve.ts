/** The report as a server on this machine has it: made anew when its run has grown, and pages are told. */
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { lookup } from "mrmime";
import { buildReport, type Files, type OpenedRun } from "./build.ts";
import { Pace } from "./pace.ts";

/** A report has nothing to say to a network; a container, whose loopback nobody reaches, has an address of its own. */
export const loopback = "127.0.0.1";

export interface Place {
  address: string;
  /** 0: any. */
  port: number;
}
/** A run's files are looked at so often; making a report anew takes a share of the time at most. */
const lookEveryMs = 2000;
const restShare = 4;

export interface Served {
  url: string;
  close(): void;
}

/** @throws Error when the port is taken */
export async function serveReport(runs: readonly OpenedRun[], place: Place): Promise<Served> {
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
      console.error(`The report was not updated: ${(error as Error).message}`);
    }
    for (const reader of this.#readers) reader.write(`data: ${this.#state}\n\n`);
  }

  async renew(): Promise<void> {
    const began = performance.now();
    this.#state = stateOf(this.#runs);
    const grownAtMs = statSync(loadsOf(this.#runs[0]!), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    this.#files = await buildReport(this.#runs, { state: this.#state, grownAtMs, pace: this.#pace });
    this.#resting = performance.now() + restShare * (performance.now() - began);
  }

  /** Files of the report, and the events that say it was renewed. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURI(new URL(request.url ?? "/", "http://report").pathname).slice(1) || "index.html";
    const content = this.#files.get(path);
    const refused = refusalOf(request);
    if (refused) response.writeHead(refused).end();
    else if (path === "events") this.#tell(response);
    else if (content === undefined) response.writeHead(404).end();
    else if (typeof content === "string") {
      const type = lookup(path) ?? "text/plain";
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(content);
    } else sendCopy(content.copyOf, response);
  }

  #tell(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": it says when the run has grown\n\n");
    this.#readers.add(response);
    response.on("close", () => this.#readers.delete(response));
  }
}

/** A file of the run's: a frame to be looked at, or what another program opens. */
function sendCopy(path: string, response: ServerResponse): void {
  const file = createReadStream(path);
  const type = lookup(path) ?? "application/octet-stream";
  file.once("open", () => response.writeHead(200, { "content-type": type, "cache-control": "no-store" }));
  pipeline(file, response, (error) => error && response.destroy()); // one that has gone since, or a reader who has
}

/** Another site's page could have its own name mean this machine (DNS rebinding), and read along: only its own names are answered. */
function refusalOf({ method, headers }: IncomingMessage): number | null {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "")) return 403;
  return method === "GET" ? null : 405;
}

/** Differs when a run's files do: they only grow. */
const stateOf = (runs: readonly OpenedRun[]): string =>
  runs
    .flatMap(({ folder }) => ["loads", "lanes", "calibration"].map((name) => sizeOf(`${folder}/${name}.jsonl`)))
    .join("-");
const loadsOf = ({ folder }: OpenedRun): string => `${folder}/loads.jsonl`;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
