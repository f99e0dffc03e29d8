/** ./lab trace on a capture of a loopback device: two connections over HTTP, two over TLS. Of each two, one has one request, and the other has two. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { lab } from "./lab.ts";

const capture = "test/captures/loopback.pcap";
const trace = (...args: string[]) => lab(["trace", ...args]);

test("trace prints statistics of a capture's connections, and draws figures", async () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  try {
    const { stdout, code } = await trace(capture, "--format", "json", "--figures", folder);
    assert.equal(code, 0);
    const [{ connections, distributions }] = JSON.parse(stdout);
    assert.equal(connections, 4);
    assert.equal(distributions.requestsPerConnection.mean, 1.5);
    assert.equal(distributions.objectBytes.counted, 6);
    // A body of 300 bytes, and about 100 bytes of headers.
    assert.ok(distributions.objectBytes.p10 > 400 && distributions.objectBytes.p10 < 500);
    assert.equal(distributions.retransmittedPercent.mean, 0);
    assert.ok(distributions.rttMs.p90 < 50);
    assert.equal(readdirSync(folder).filter((file) => file.endsWith(".svg")).length, 9);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("trace sorts packets by time: a capture with its packets in reverse order gives the same statistics", async () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  try {
    const merged = `${folder}/${basename(capture)}`;
    writeFileSync(merged, inReverse(readFileSync(capture)));
    const words = ["--format", "json"];
    assert.equal((await trace(merged, ...words)).stdout, (await trace(capture, ...words)).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Reverses the order of the packets in a pcap file. */
function inReverse(pcap: Buffer): Buffer {
  const [fileHeader, packetHeader] = [24, 16];
  const packets: Buffer[] = [];
  for (let at = fileHeader; at < pcap.length; at += packets[0]!.length)
    packets.unshift(pcap.subarray(at, at + packetHeader + pcap.readUInt32LE(at + 8)));
  return Buffer.concat([pcap.subarray(0, fileHeader), ...packets]);
}

test("a truncated capture is read up to its end; a file that is not a capture is refused; an empty capture has no connection", async () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  const file = (name: string, bytes: Buffer) => {
    writeFileSync(`${folder}/${name}`, bytes);
    return `${folder}/${name}`;
  };
  try {
    const cut = await trace(file("cut.pcap", readFileSync(capture).subarray(0, 2000)));
    assert.equal(cut.code, 0);
    assert.match(cut.stderr, /cut\.pcap: only the first \d+ packets can be read: .*cut short/);
    assert.match(cut.stdout, /\d TCP connections/);
    const noise = await trace(file("noise.pcap", Buffer.from("this is no capture, but a text of some length")));
    assert.equal(noise.code, 2);
    assert.match(noise.stderr, /noise\.pcap cannot be read as a capture: /);
    assert.match((await trace(file("empty.pcap", Buffer.alloc(0)))).stdout, /The capture has no TCP connection/);
    assert.match(
      (await trace(`${folder}/none.pcap`)).stderr,
      /none\.pcap cannot be read as a capture: .*doesn't exist/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("without tshark, trace prints how to install it", async () => {
  const { code, stderr } = await lab(["trace", capture], { env: { PATH: "/nowhere" } });
  assert.equal(code, 3);
  assert.match(stderr, /tshark cannot be started: .*; \.\/lab trace installs it when run as root/);
});
