import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { listenPrivately } from "./private-socket.ts";

test("listenPrivately creates a socket to which only its owner can connect, and leaves the umask unchanged", async () => {
  const folder = mkdtempSync(`${tmpdir()}/private-socket-`);
  const before = process.umask(0);
  const server = createServer();
  try {
    const listening = listenPrivately(server, `${folder}/a.sock`);
    assert.equal((statSync(`${folder}/a.sock`).mode & 0o777).toString(8), "600");
    assert.equal(process.umask(), 0);
    await listening;
    await assert.rejects(listenPrivately(createServer(), `${folder}/none/b.sock`), { code: "EACCES" });
    assert.equal(process.umask(), 0);
  } finally {
    process.umask(before);
    server.close();
    rmSync(folder, { recursive: true });
  }
});
