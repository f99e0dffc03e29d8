import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { ExitCode, LabError } from "../../schema/errors.ts";

/** The programs that serve the queue: valkey-server in Debian 13, redis-server in Debian 12. */
const programs = ["valkey-server", "redis-server"];

/** A server for a queue, on its own port. It keeps its data on disk, so it can be killed and started again. */
export class QueueServer {
  readonly port: number;
  readonly #password: string;
  readonly #program: string;
  readonly #folder = mkdtempSync(`${tmpdir()}/lab-queue-`);
  #process: ChildProcess | undefined;

  private constructor(program: string, port: number, password: string) {
    this.#program = program;
    this.port = port;
    this.#password = password;
  }

  static async start(password: string): Promise<QueueServer> {
    const program = programs.find((name) => !spawnSync(name, ["--version"]).error);
    if (!program) throw new LabError(ExitCode.machineCannot, `install Debian's ${programs.join(" or ")}: none found`);
    const server = new QueueServer(program, await freePort(), password);
    await server.begin();
    return server;
  }

  get address(): string {
    return `redis://:${this.#password}@127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const child = spawn(this.#program, [
      ...["--port", String(this.port), "--bind", "127.0.0.1", "--requirepass", this.#password],
      ...["--appendonly", "yes", "--appendfsync", "always", "--dir", this.#folder],
    ]);
    this.#process = child;
    let said = "";
    await new Promise<void>((ready, failed) => {
      child.stdout.on("data", (text: Buffer) => {
        said += text;
        if (/Ready to accept connections/.test(said)) ready();
      });
      child.once("error", failed).once("exit", () => failed(new Error(`${this.#program} ended: ${said}`)));
    });
  }

  async kill(): Promise<void> {
    this.#process!.kill("SIGKILL");
    await once(this.#process!, "exit");
  }

  end(): void {
    this.#process?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 }); // the server may still be exiting
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
