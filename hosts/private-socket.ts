import type { Server } from "node:net";

const ownerOnly = 0o177;

/** Listens on a Unix socket to which only this user can ever connect: bind(2) applies the umask, and Node.js binds before `listen` returns. */
export function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(ownerOnly);
  try {
    return new Promise((resolve, reject) => server.once("error", reject).listen(path, resolve));
  } finally {
    process.umask(before);
  }
}
