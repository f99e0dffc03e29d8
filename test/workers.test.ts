/** A run whose chunks are made by workers, with a real server for the queue: it has the digest of a run without, whatever happens to them. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import pWaitFor from "p-wait-for";
import { LabCopy, RunningLab } from "./lab.ts";

const conditions = ["--only", "page=A", "--only", "servers=1", "--only", "link=10x1-20ms-1%", "--only", "initcwnd=3"];
const makeRun = ["run", "--clock", "virtual", "--loads", "2", "--traces", "none", ...conditions];
const password = "open-sesame";
/** No test takes so long, on any machine. */
const patienceMs = 600_000;

let copy: LabCopy;
let server: Server;

before(async () => {
  copy = await LabCopy.make({ virtualClock: true, whole: true });
  server = await Server.start();
});
after(async () => {
  for (const { child } of started) child.kill("SIGKILL"); // those that a failed test has left
  await server?.stop();
  copy?.remove();
});

const started: RunningLab[] = [];
function lab(...words: string[]): RunningLab {
  const running = new RunningLab(words, { folder: copy.folder });
  started.push(running);
  return running;
}

/** Debian's redis-server, on a port of its own, which keeps what it was given on disk. */
class Server {
  readonly folder = mkdtempSync(`${tmpdir()}/lab-queue-`);
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<Server> {
    const server = new Server(await freePort());
    await server.begin();
    return server;
  }

  get address(): string {
    return `redis://:${password}@127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const words = ["--port", String(this.port), "--bind", "127.0.0.1", "--requirepass", password];
    const kept = ["--appendonly", "yes", "--appendfsync", "always", "--dir", this.folder];
    const child = spawn("redis-server", [...words, ...kept]);
    this.#process = child;
    let said = "";
    await new Promise<void>((ready, failed) => {
      child.stdout.on("data", (text: Buffer) => {
        said += text;
        if (/Ready to accept connections/.test(said)) ready();
      });
      child.once("error", failed).once("exit", () => failed(new Error(`redis-server ended: ${said}`)));
    });
  }

  async end(): Promise<void> {
    this.#process!.kill("SIGKILL");
    await once(this.#process!, "exit");
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

/** Waits until a running lab has printed this. */
async function printed(running: RunningLab, text: RegExp): Promise<void> {
  const ended = running.ended.then(({ stderr }) => assert.fail(`it ended before it printed ${text}:\n${stderr}`));
  await Promise.race([pWaitFor(() => text.test(running.stderr), { interval: 100, timeout: patienceMs }), ended]);
}

async function digestOf(run: RunningLab): Promise<string | undefined> {
  const { code, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  const verified = await lab("verify", run.folder!).ended;
  assert.equal(verified.code, 0, verified.stderr);
  return /Digest of its lines: (\w+)/.exec(verified.stdout)?.[1];
}

test("a run by workers has the digest of a run without, though a worker is killed and the queue's server too", async () => {
  const alone = await digestOf(lab(...makeRun));
  const first = lab("worker", server.address, "--lanes", "1");
  await printed(first, /waits for chunks/);
  const run = lab(...makeRun, "--workers", server.address);
  await printed(first, /made chunk/);
  first.child.kill("SIGKILL");
  await server.end();
  await server.begin();
  const second = lab("worker", server.address, "--lanes", "1");
  assert.equal(await digestOf(run), alone);
  second.child.kill("SIGINT");
  assert.equal((await second.ended).code, 130);
});

test("an audit is made by another worker, and compares all lines", async () => {
  const first = lab("worker", server.address, "--lanes", "1");
  await printed(first, /waits for chunks/);
  const audited = lab(...makeRun, "--workers", server.address, "--audit", "100%");
  await printed(first, /made chunk \w+-0;/);
  const second = lab("worker", server.address, "--lanes", "1"); // until it is there, nobody may audit
  await printed(second, /made chunk \w+-0-audit;/);
  const listed = await lab("workers", server.address).ended;
  assert.match(listed.stdout, /Workers: 2/);
  const { code, stderr } = await audited.ended;
  assert.equal(code, 0, stderr);
  for (const worker of [first, second]) worker.child.kill("SIGINT");
});

test("a wrong address, a wrong password and a server that is not there are named", async () => {
  const ends = async (address: string) => {
    const { code, stderr } = await lab("workers", address).ended;
    return `${code} ${stderr.trim()}`;
  };
  assert.match(await ends("localhost:6379"), /^2 .*"localhost:6379" is no address of a queue; redis:\/\/HOST:PORT/);
  assert.match(await ends(`redis://:guess@127.0.0.1:${server.port}`), /^3 .*cannot use the queue .*WRONGPASS/);
  assert.match(await ends(`redis://127.0.0.1:${await freePort()}`), /^3 .*cannot use the queue .*ECONNREFUSED/);
});
