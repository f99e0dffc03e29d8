import type { Server } from "node:net";

const ownerOnly = 0o177;

/**
 * Listen on a Unix socket that nobody but this user may connect to, not for a moment: bind(2) makes it under the umask,
 * and Node binds before `listen` returns.
 */
export function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(ownerOnly);
  try {
    return new Promise((resolve, reject) => server.once("error", reject).listen(path, resolve));
  } finally {
    process.umask(before);
  }
}
