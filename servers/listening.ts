import { connect } from "node:net";
import waitFor from "p-wait-for";
import { run } from "../hosts/command.ts";
import type { Protocol } from "./protocols.ts";

const startSeconds = 20;

/** @throws Error that names the server software if it does not listen within `startSeconds` */
export async function waitForPort({ port, transport }: Protocol, title: string): Promise<void> {
  if (transport === "quic") return await waitForListener("udp", port, title);
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  await inTime(isOpen, 20, `${title} does not listen on port ${port}`);
}

/** @param otherwise the beginning of the error's message after `startSeconds` */
const inTime = (condition: () => Promise<boolean>, interval: number, otherwise: string): Promise<void> =>
  waitFor(condition, {
    interval,
    timeout: { milliseconds: startSeconds * 1000, message: new Error(`${otherwise} after ${startSeconds} s`) },
  });

/** Waits for a listener with ss(8), because a connection would use up iperf3's only test, and UDP has no connections. */
export const waitForListener = (transport: "tcp" | "udp", port: number, title: string) =>
  inTime(
    async () =>
      (await run(["ss", `--${transport}`, "--listening", "--numeric", "--no-header", `sport = :${port}`])).trim() !==
      "",
    10,
    `${title} does not listen on ${transport} port ${port}`,
  );
