import { type ChildProcess, spawn } from "node:child_process";

/** Starts a command that runs tcpdump. @returns its process, once tcpdump listens */
export function startTcpdump([program = "", ...words]: string[], env = process.env): Promise<ChildProcess> {
  const capture = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  return new Promise((resolve, reject) => {
    capture.stderr.on("data", (text: Buffer) => {
      said += text.toString();
      if (said.includes("listening on")) resolve(capture);
    });
    capture.on("error", reject).on("exit", () => reject(new Error(`tcpdump ended: ${said}`)));
  });
}
