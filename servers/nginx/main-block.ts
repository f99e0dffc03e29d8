import { isOnlyRoot } from "../../hosts/rights.ts";

/** Returns the configuration before the `http` block: one worker in the foreground, and only a log of errors. */
export const mainBlock = (scratch: string): string => `daemon off;
${isOnlyRoot ? "user root;" : ""}
pid ${scratch}/nginx.pid;
worker_processes 1;
error_log stderr error;
events { worker_connections 1024; }`;

const scratchKinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

export const temporaryPaths = (scratch: string): string =>
  scratchKinds.map((kind) => `${kind}_temp_path ${scratch}/${kind};`).join(" ");
