/** ./lab trace, on a capture of a loopback: plain HTTP and TLS, two connections each, of one request and of two. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const capture = "test/captures/loopback.pcap";
const trace = (...args: string[]) =>
  spawnSync("node", ["--import", "tsx", "harness/cli/main.ts", "trace", ...args], { encoding: "utf8" });

test("a capture is characterised, and drawn", () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  try {
    const { stdout, status } = trace(capture, "--format", "json", "--figures", folder);
    assert.equal(status, 0);
    const [{ connections, distributions }] = JSON.parse(stdout);
    assert.equal(connections, 4);
    assert.equal(distributions.requestsPerConnection.mean, 1.5);
    assert.equal(distributions.objectBytes.counted, 6);
    // 300 bytes and a head of a hundred or so.
    assert.ok(distributions.objectBytes.p10 > 400 && distributions.objectBytes.p10 < 500);
    assert.equal(distributions.retransmittedPercent.mean, 0);
    assert.ok(distributions.rttMs.p90 < 50);
    assert.equal(readdirSync(folder).filter((file) => file.endsWith(".svg")).length, 9);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a broken capture is read as far as it goes; what is none is refused; an empty one has no connection", () => {
  const folder = mkdtempSync("/tmp/trace-test-");
  const file = (name: string, bytes: Buffer) => {
    writeFileSync(`${folder}/${name}`, bytes);
    return `${folder}/${name}`;
  };
  try {
    const cut = trace(file("cut.pcap", readFileSync(capture).subarray(0, 2000)));
    assert.equal(cut.status, 0);
    assert.match(cut.stderr, /cut\.pcap is read as far as it goes, \d+ packets: .*cut short/);
    assert.match(cut.stdout, /\d TCP connections/);
    const noise = trace(file("noise.pcap", Buffer.from("this is no capture, but a text of some length")));
    assert.equal(noise.status, 2);
    assert.match(noise.stderr, /noise\.pcap cannot be read as a capture: /);
    assert.match(trace(file("empty.pcap", Buffer.alloc(0))).stdout, /There is no TCP connection in it/);
    assert.match(trace(`${folder}/none.pcap`).stderr, /none\.pcap cannot be read as a capture: .*doesn't exist/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("without tshark it says what to do", () => {
  const node = execFileSync("sh", ["-c", "command -v node"], { encoding: "utf8" }).trim();
  const { status, stderr } = spawnSync(node, ["--import", "tsx", "harness/cli/main.ts", "trace", capture], {
    encoding: "utf8",
    env: { PATH: "/nowhere" },
  });
  assert.equal(status, 3);
  assert.match(stderr, /tshark cannot be started: .*; \.\/lab trace installs it as root/);
});
