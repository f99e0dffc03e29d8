/** Packets of any capture as tshark sees them, one at a time. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ExitCode, LabError, usageError } from "../schema/errors.ts";

export interface TracedPacket {
  timeMs: number;
  /** tshark's number of the connection. */
  connection: number;
  sender: string;
  senderPort: number;
  syn: boolean;
  ack: boolean;
  /** Of payload. */
  bytes: number;
  /** Since the packet that this one acknowledges passed. */
  ackMs: number | null;
  retransmission: boolean;
  keepAlive: boolean;
  /** TLS records that end in it, by content type: 22 handshake, 23 application data. */
  records: number[];
  /** Protocols that a ClientHello in it offers (ALPN). */
  offers: string[];
}

const fields = [
  "frame.time_epoch",
  "tcp.stream",
  "ip.src",
  "ipv6.src",
  "tcp.srcport",
  "tcp.flags.syn",
  "tcp.flags.ack",
  "tcp.len",
  "tcp.analysis.ack_rtt",
  "tcp.analysis.retransmission",
  "tcp.analysis.fast_retransmission",
  "tcp.analysis.spurious_retransmission",
  "tcp.analysis.keep_alive",
  "tls.record.content_type",
  "tls.record.opaque_type",
  "tls.handshake.extensions_alpn_str",
] as const;

/** Only what the fields are of: whole HTTP bodies would be kept otherwise. TLS records are put together, for a hello may be two packets. */
const options = [
  "-n",
  "-l",
  "-Y",
  "tcp",
  "--disable-protocol",
  "http",
  "--disable-protocol",
  "http2",
  "-T",
  "fields",
  "-E",
  "separator=/t",
];

export function parsePacket(line: string): TracedPacket {
  const [
    time,
    connection,
    v4,
    v6,
    port,
    syn,
    ack,
    bytes,
    ackRtt,
    again,
    fast,
    spurious,
    keepAlive,
    types,
    opaque,
    alpn,
  ] = line.split("\t");
  const list = (text = "") => text.split(",").filter((one) => one !== "");
  const isSet = (text = "") => text === "1" || text === "True";
  return {
    timeMs: Number(time) * 1000,
    connection: Number(connection),
    sender: `${v4 || v6}:${port}`,
    senderPort: Number(port),
    syn: isSet(syn),
    ack: isSet(ack),
    bytes: Number(bytes),
    ackMs: ackRtt ? Number(ackRtt) * 1000 : null,
    retransmission: Boolean(again || fast || spurious),
    keepAlive: Boolean(keepAlive),
    records: [...list(types), ...list(opaque)].map(Number),
    offers: list(alpn),
  };
}

/**
 * @param warn told what is wrong with a capture of which a part could be read
 * @throws LabError when there is no tshark, or the file is no capture
 */
export async function* readCapture(path: string, warn: (message: string) => void): AsyncGenerator<TracedPacket> {
  const tshark = spawn("tshark", ["-r", path, ...options, ...fields.flatMap((field) => ["-e", field])], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  tshark.stderr.on("data", (text: Buffer) => {
    said += text;
  });
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
        `tshark cannot be started: ${end.message}; ./lab trace installs it as root (Debian: tshark)`,
      );
    if (end === 0) return;
    const why =
      said
        .split("\n")
        .filter((words) => words.startsWith("tshark: "))
        .at(-1)
        ?.slice("tshark: ".length) ?? said.trim();
    if (packets === 0) throw usageError(`${path} cannot be read as a capture: ${why}`);
    warn(`${path} is read as far as it goes, ${packets} packets: ${why}`);
  } finally {
    tshark.kill();
  }
}
