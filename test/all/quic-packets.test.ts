/** Compares the lab's QUIC parser with tshark for three servers, and initial windows in packets with the windows in the servers' sources. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { captureFolders } from "../../harness/record/captures.ts";
import { loadsIn } from "../../harness/record/records.ts";
import type { QuicFrame } from "../../observe/quic-frames.ts";
import { LabCopy, runFolder } from "../lab.ts";
import { packetsOf } from "./captured-quic.ts";

/** Initial windows in bytes, from the servers' sources (and Caddy's qlog): Caddy 32 × 1,200, aioquic 10 × 1,200, nginx 2 × 65,527. */
const windows = { caddy: 38_400, aioquic: 12_000, nginx: 131_054 } as const;
type Server = keyof typeof windows;
let copy: LabCopy;
let run: string;

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  const server = Object.keys(windows).join();
  const asked = ["--page", "A", "--protocol", "h3", "--server", server, "--link", "20x2-100ms-0%,20x2-100ms-1%"];
  const made = await copy.lab("try", "--clock", "virtual", "--lanes", "1", ...asked, "--loads", "2", "--capture");
  assert.equal(made.code, 0, made.stderr);
  run = `${copy.folder}/${runFolder(made.stderr)}`;
});
after(() => copy?.remove());

test("all packets of all loads are decrypted, and show the servers' initial windows", () => {
  const loads = loadsIn(run);
  assert.equal(loads.length, 12);
  for (const { condition, evidence } of loads) {
    const flows = evidence!.packets.quicFlows!;
    assert.ok(flows.length > 0);
    for (const { server } of flows) {
      const opened = server!.opened!;
      const bytes =
        windows[(Object.keys(windows) as Server[]).find((name) => condition.includes(`/${name}`)) ?? "nginx"];
      assert.ok(opened.initialWindowAtLeastBytes! <= bytes, `${condition}: ${JSON.stringify(opened)}`);
      // nginx stops not only at its window, but also when its own buffers are full (http3_stream_buffer_size).
      const stopped = condition.includes("/nginx") || condition.endsWith("/iw10") ? null : opened.stoppedBytes;
      assert.ok(bytes <= (stopped ?? Infinity), `${condition}: ${JSON.stringify(opened)}`);
      assert.ok(opened.unopened === 0 && opened.acknowledgedPackets > 0, JSON.stringify(opened));
      assert.ok(opened.roundTripMs!.least >= 100, JSON.stringify(opened));
    }
    const { lostPackets, queueDroppedPackets } = evidence!.link.down;
    if (lostPackets + queueDroppedPackets === 0)
      assert.ok(
        flows.every(({ server }) => server!.opened!.lostPackets === 0),
        condition,
      );
  }
  const lost = (loss: string) =>
    loads.flatMap(({ condition, evidence }) => (condition.includes(loss) ? evidence!.packets.quicFlows! : []));
  assert.ok(lost("-1%").some(({ server }) => server!.opened!.repeatedBytes > 0));
});

const numbers = (text: string) => text.split(/[,\s]+/).flatMap((word) => (word ? [Number(word)] : []));

test("tshark and the lab's parser read the same packet numbers, acknowledgments and streams", () => {
  const folders = captureFolders(run);
  assert.equal(folders.length, 6);
  for (const folder of folders) {
    const file = `${folder}/packets.pcapng`;
    const byTshark = (field: string) =>
      numbers(
        // The client's kernel quotes a packet that arrives after the browser closed its socket, in an ICMP message.
        execFileSync("tshark", ["-r", file, "-Y", "quic and not icmp", "-T", "fields", "-e", field], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
          maxBuffer: 1e8,
        }),
      );
    const packets = packetsOf(file);
    const frames = packets.flatMap((packet) => packet.frames);
    const streams = frames.filter((frame): frame is QuicFrame & { type: "stream" } => frame.type === "stream");
    const offsets = streams.flatMap(({ offset }) => (offset > 0 ? [offset] : []));
    assert.deepEqual(
      packets.map(({ number }) => number),
      byTshark("quic.packet_number"),
      folder,
    );
    assert.deepEqual(
      streams.map(({ id }) => id),
      byTshark("quic.stream.stream_id"),
      folder,
    );
    assert.deepEqual(
      offsets,
      byTshark("quic.stream.offset").filter((offset) => offset > 0),
      folder,
    );
    assert.deepEqual(
      frames.flatMap((frame) => (frame.type === "ack" ? [frame.ranges[0]![1]] : [])),
      byTshark("quic.ack.largest_acknowledged"),
      folder,
    );
  }
});
