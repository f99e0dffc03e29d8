import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { listenPrivately } from "../../hosts/private-socket.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";

/**
 * Hold this lab for one run: two at once on one machine would slow each other down. A Unix socket, so that the lock of
 * a run that was killed is known to be dead: nobody answers.
 * @returns how to let go
 */
export async function lockLab(path: string): Promise<() => void> {
  // Who connects and sends anything asks the run to end, as Ctrl-C does.
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
        ExitCode.failed,
        "another run is under way in this lab; wait for it, or stop it (Ctrl-C where it runs, or ./lab clean)",
      );
    rmSync(path, { force: true });
    await listenPrivately(server, path);
  }
  return () => server.close();
}

/** Whether somebody listens. @throws LabError when only another user may know */
function answers(path: string): Promise<boolean> {
  const foreign = new LabError(
    ExitCode.machineCannot,
    `${path} is another user's lock; use a checkout of your own, or have them ./lab clean`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => (code === "EACCES" ? reject(foreign) : resolve(false)));
  });
}

/** End the run that holds the lock. @returns whether there was one; it is gone when this resolves */
export function stopRun(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write("stop"));
    socket
      .on("error", () => resolve(false))
      .resume()
      .on("close", () => resolve(true));
  });
}
