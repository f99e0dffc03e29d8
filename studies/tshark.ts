/** Reads the TCP packets of a capture with tshark, one at a time. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { run } from "../hosts/command.ts";
import { ExitCode, LabError, usageError } from "../schema/errors.ts";

const fields = {
  time: "frame.time_epoch",
  connection: "tcp.stream",
  ipv4: "ip.src",
  ipv6: "ipv6.src",
  port: "tcp.srcport",
  toIpv4: "ip.dst",
  toIpv6: "ipv6.dst",
  toPort: "tcp.dstport",
  syn: "tcp.flags.syn",
  ack: "tcp.flags.ack",
  bytes: "tcp.len",
  ackRtt: "tcp.analysis.ack_rtt",
  retransmission: "tcp.analysis.retransmission",
  fast: "tcp.analysis.fast_retransmission",
  spurious: "tcp.analysis.spurious_retransmission",
  keepAlive: "tcp.analysis.keep_alive",
  types: "tls.record.content_type",
  opaqueTypes: "tls.record.opaque_type",
  alpn: "tls.handshake.extensions_alpn_str",
  handshakes: "tls.handshake.type",
};
type Fields = Record<keyof typeof fields, string>;

/** HTTP dissection is disabled because it would keep whole bodies in memory. TLS reassembly stays on: a hello may span two packets. */
const options = "-n -l -Y tcp --disable-protocol http --disable-protocol http2 -T fields -E separator=/t".split(" ");

export type TracedPacket = ReturnType<typeof parsePacket>;
export function parsePacket(line: string) {
  const values = line.split("\t");
  const field = Object.fromEntries(Object.keys(fields).map((name, i) => [name, values[i] ?? ""])) as Fields;
  const list = (text: string) => text.split(",").filter((one) => one !== "");
  const isSet = (text: string) => text === "1" || text === "True";
  return {
    timeMs: Number(field.time) * 1000,
    connection: Number(field.connection),
    sender: `${field.ipv4 || field.ipv6}:${field.port}`,
    receiver: `${field.toIpv4 || field.toIpv6}:${field.toPort}`,
    syn: isSet(field.syn),
    ack: isSet(field.ack),
    /** TCP payload. */
    bytes: Number(field.bytes),
    /** Time since the packet that this packet acknowledges. */
    ackMs: field.ackRtt ? Number(field.ackRtt) * 1000 : null,
    retransmission: Boolean(field.retransmission || field.fast || field.spurious),
    keepAlive: Boolean(field.keepAlive),
    /** Content types of the TLS records that end in this packet: 22 handshake, 23 application data. */
    records: [...list(field.types), ...list(field.opaqueTypes)].map(Number),
    /** Protocols that a ClientHello in this packet offers (ALPN). */
    offers: list(field.alpn),
    /** Which end sent the TLS hello that tshark shows in this packet; null without a hello. */
    hello: helloOf(list(field.handshakes)),
  };
}

/** @param handshakes the types of a packet's handshake messages: 1 is a ClientHello, 2 a ServerHello */
const helloOf = (handshakes: string[]): "client" | "server" | null =>
  handshakes.includes("1") ? "client" : handshakes.includes("2") ? "server" : null;

/** @param warn gets the reason if only the first part can be read @throws LabError if tshark is missing, or the file is not a capture */
export async function* readCapture(path: string, warn: (message: string) => void): AsyncGenerator<TracedPacket> {
  const folder = mkdtempSync(`${tmpdir()}/lab-trace-`);
  try {
    yield* readInOrder(path, await inOrder(path, `${folder}/sorted`), warn);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sorts packets by time: tshark follows the file's order. @returns `sorted`, once written; `path` if the capture is in order or cannot be sorted */
async function inOrder(path: string, sorted: string): Promise<string> {
  const said = await run(["reordercap", "-n", path, sorted]).catch(() => null); // tshark will report what is wrong with the file
  return said === null || /, 0 out of order/.test(said) ? path : sorted;
}

/** @param path the capture's name in messages @param file the file to read, which may be a sorted copy */
async function* readInOrder(path: string, file: string, warn: (message: string) => void): AsyncGenerator<TracedPacket> {
  const tshark = spawn("tshark", ["-r", file, ...options, ...Object.values(fields).flatMap((name) => ["-e", name])], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(tshark.stderr);
  const ended = new Promise<number | Error>((resolve) =>
    tshark.on("error", resolve).on("close", (code) => resolve(code ?? 1)),
  );
  let packets = 0;
  try {
    for await (const line of createInterface({ input: tshark.stdout })) {
      packets++;
      yield parsePacket(line);
    }
    const end = await ended;
    if (end instanceof Error)
      throw new LabError(
        ExitCode.machineCannot,
        `tshark cannot be started: ${end.message}; ./lab trace installs it when run as root (Debian package: tshark)`,
      );
    if (end === 0) return;
    const message = await errors;
    const why = /.*^tshark: (.*)$/ms.exec(message)?.[1]?.split("\n")[0] ?? message.trim();
    if (packets === 0) throw usageError(`${path} cannot be read as a capture: ${why}`);
    warn(`${path}: only the first ${packets} packets can be read: ${why}`);
  } finally {
    tshark.kill();
  }
}
