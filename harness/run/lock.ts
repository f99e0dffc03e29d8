import { closeSync, openSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import koffi from "koffi";
import { listenPrivately } from "../../hosts/private-socket.ts";
import { machineCannot } from "../../schema/errors.ts";

/**
 * Locks this lab for one run, because two runs at once would slow each other down. The lock is flock(2) on the file `${path}ed`; the kernel
 * releases it when the run ends, for any reason. On the socket at `path`, the run listens for requests to stop. @returns what releases the lock
 */
export async function lockLab(path: string): Promise<() => void> {
  const file = openLock(path);
  try {
    if (!lockFile(file))
      // The exit code is not `failed`, because in a gate `failed` means that a page is slower.
      throw machineCannot(
        "another run is active in this lab; wait for it, or stop it (Ctrl-C in its terminal, or ./lab clean)",
      );
    const stop = await listenForStop(path);
    return () => {
      stop();
      closeSync(file);
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @throws LabError if the file cannot be created, or belongs to another user */
function openLock(path: string): number {
  try {
    return openSync(`${path}ed`, "a", 0o600); // close-on-exec: programs that the run starts do not keep the lock
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw machineCannot(
      code === "EACCES"
        ? `${path}ed is another user's lock; use a checkout of your own, or ask that user to run ./lab clean`
        : `cannot lock this lab: ${message}`,
    );
  }
}

const [exclusively, atOnce] = [2, 4];

function lockFile(file: number): boolean {
  const flock = koffi.load("libc.so.6").func("int flock(int file, int operation)");
  return flock(file, exclusively | atOnce) === 0;
}

/** Any data that a client sends ends the run, as Ctrl-C does. */
async function listenForStop(path: string): Promise<() => void> {
  const server = createServer((socket) =>
    socket
      .unref()
      .on("error", () => {})
      .once("data", () => process.kill(process.pid, "SIGTERM")),
  ).unref();
  rmSync(path, { force: true }); // left by a run that was killed
  try {
    await listenPrivately(server, path);
  } catch (error) {
    throw machineCannot(`cannot lock this lab: ${(error as Error).message}`);
  }
  return () => server.close();
}

/** Ends the run that has the lock, and waits for the run's end. @returns whether a run had the lock */
export function stopRun(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write("stop"));
    socket
      .on("error", () => resolve(false))
      .resume()
      .on("close", () => resolve(true));
  });
}
