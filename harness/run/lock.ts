import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { listenPrivately } from "../../hosts/private-socket.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";

/**
 * Locks this lab for one run, because two at once would slow each other down. The lock is a Unix socket that the run listens on:
 * when nothing answers there, its run was killed, and the lock is taken over.
 * @returns a function that releases the lock
 */
export async function lockLab(path: string): Promise<() => void> {
  // A client that sends anything asks the run to end, as Ctrl-C does.
  const server = createServer((socket) =>
    socket
      .unref()
      .on("error", () => {})
      .once("data", () => process.kill(process.pid, "SIGTERM")),
  ).unref();
  try {
    await listenPrivately(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE")
      throw new LabError(ExitCode.machineCannot, `cannot lock this lab: ${(error as Error).message}`);
    if (await answers(path))
      throw new LabError(
        ExitCode.machineCannot, // not "failed", which a gate's slower page has
        "another run is active in this lab; wait for it, or stop it (Ctrl-C in its terminal, or ./lab clean)",
      );
    rmSync(path, { force: true });
    await listenPrivately(server, path);
  }
  return () => server.close();
}

/** Whether a run listens. @throws LabError when the socket is another user's */
function answers(path: string): Promise<boolean> {
  const foreign = new LabError(
    ExitCode.machineCannot,
    `${path} is another user's lock; use a checkout of your own, or ask them to run ./lab clean`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => (code === "EACCES" ? reject(foreign) : resolve(false)));
  });
}

/** Ends the run that holds the lock. @returns whether there was one, once it has ended */
export function stopRun(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write("stop"));
    socket
      .on("error", () => resolve(false))
      .resume()
      .on("close", () => resolve(true));
  });
}
