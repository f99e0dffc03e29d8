/** The kernel of the virtual clock: an ordinary user's process in which waiting takes no real time and netem is exact. */
import assert from "node:assert/strict";
import os from "node:os";
import { test } from "node:test";
import { buildKernel, kernelPath, kernelVersion } from "../substrate/guest/kernel/kernel.ts";
import { between, clockReader } from "./clock-reader.ts";
import { folder, inGuest, kernel, scratch } from "./in-guest.ts";

test("buildKernel returns the kernel's path, and the kernel prints its version", async () => {
  assert.equal(await buildKernel(), kernelPath());
  assert.match(await kernelVersion(kernel), /^\d+\.\d+/);
});

test("the guest boots at the requested time, and 1000 s of its time take less than 100 s", async () => {
  const { code, stdout, stderr, wallSeconds } = await inGuest("id -u; uname -r; date +%s; sleep 1000; date +%s", {
    startNs: 1_234_567_890_000_000_000n,
  });
  assert.equal(code, 0, stderr);
  const [user, version, start, end] = stdout.trim().split("\n");
  assert.equal(user, "0"); // root in the guest
  assert.equal(version, await kernelVersion(kernel));
  assert.equal(Number(start), 1_234_567_890);
  assert.equal(Number(end) - Number(start), 1000);
  assert.ok(wallSeconds < 100, `${wallSeconds} s`);
});

test("computing takes no time on the guest's clock", async () => {
  const { code, stdout, stderr } = await inGuest(
    "s=$(date +%s%N); i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $(($(date +%s%N) - s))",
  );
  assert.equal(code, 0, stderr);
  assert.ok(Number(stdout) < 1e6, `${stdout} ns`);
});

test("a program that polls the clock sees it advance", async () => {
  const { code, stdout, stderr } = await inGuest(
    "node -e 'const start = process.hrtime.bigint(); while (process.hrtime.bigint() - start < 5_000_000n); console.log(String(process.hrtime.bigint() - start))'",
  );
  assert.equal(code, 0, stderr);
  assert.ok(Number(stdout) >= 5e6 && Number(stdout) < 6e6, `${stdout} ns`);
});

test("the processor's counter follows the guest's clock: it stops while a program computes, and advances for a program that waits", async () => {
  const script = Object.values(between)
    .map(
      (middle) => `echo ${clockReader(middle).toString("base64")} | base64 -d >run; chmod +x run; ./run | od -An -td8`,
    )
    .join("\n");
  const { code, stdout, stderr } = await inGuest(`${script}\ncat /sys/devices/system/cpu/cpu0/tsc_freq_khz`);
  assert.equal(code, 0, stderr);
  const [computing = NaN, waiting = NaN, khz] = stdout.trim().split("\n").map(Number);
  assert.ok(computing < 1e5, `${computing} ns`);
  assert.ok(waiting >= 1e6 && waiting < 2e6, `${waiting} ns`);
  assert.equal(khz, 1e6); // ticks are nanoseconds
});

test("a program's reaction time is as configured, on average", async () => {
  const wakes = 200; // wake-ups of the program, which has both ends of the connection
  const script = `ip link set lo up; node -e '
    const net = require("net");
    const server = net.createServer((socket) => socket.pipe(socket)).listen(9, () => {
      const client = net.connect(9);
      const start = performance.now();
      let left = ${wakes / 2};
      client.on("connect", () => client.write("x")).on("data", () => --left ? client.write("x") : (console.log(String(performance.now() - start)), process.exit()));
    });'`;
  const elapsedMs = async (processingNs: number) => Number((await inGuest(script, { processingNs })).stdout);
  const [none, some] = [await elapsedMs(0), await elapsedMs(500_000)];
  assert.ok(none < 2, `${none} ms`);
  assert.ok(some > 0.5 * wakes * 0.7 && some < 0.5 * wakes * 1.3, `${some} ms`);
});

test("a failing command ends the guest with an error", async () => {
  const { code, stderr } = await inGuest("echo why >&2; exit 4");
  assert.notEqual(code, 0);
  assert.match(stderr, /why/);
});

test("the guest has network namespaces and netem: 50 ms each way give an RTT of 100 ms", async () => {
  const { code, stdout, stderr } = await inGuest(netemScript);
  assert.equal(code, 0, stderr);
  const [handshakeMs = NaN, handshakesMs] = stdout.trim().split("\n").map(Number);
  assert.ok(Math.abs(handshakeMs - 100) < 1, `${stdout}\n${stderr}`);
  assert.ok(Math.abs((handshakesMs ?? NaN) - 1000) < 1, `ten handshakes: ${stdout}`);
});

test("tcpdump captures packets in the guest", async () => {
  const { code, stdout, stderr } = await inGuest(
    `${netemScript}\n`.replace(
      "# tcpdump",
      "timeout 30 ip netns exec b tcpdump -Z root -lnni vb -c 3 tcp 2>/dev/null &",
    ),
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Flags \[S\][\s\S]*Flags \[S\.\]/);
});

test("a guest with the same seed prints the same output; one with another seed prints other output", async () => {
  const script = `${netemScript}\nhead -c 16 /dev/urandom | od -x; cat /proc/self/maps; ip netns exec a tc qdisc change dev va root netem loss 50%
for i in 1 2 3 4 5 6 7 8 9 10; do ip netns exec a node -e 'require("dgram").createSocket("udp4").send("x", 9, "198.18.0.2", () => process.exit())'; done
ip netns exec a tc -s qdisc show dev va; date +%s%N`;
  const [first, again, other] = [await inGuest(script), await inGuest(script), await inGuest(script, { seed: 2 })];
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /dropped [1-9]/);
  assert.equal(again.stdout, first.stdout);
  assert.notEqual(other.stdout, first.stdout);
});

test("the guest sees no file, name or processor model of the host", async () => {
  const script = "ls / /home /tmp; cat /proc/cmdline /proc/cpuinfo /proc/mounts; env; uname -n; cat /proc/*/cmdline";
  const { code, stdout, stderr } = await inGuest(`${script} | tr '\\0' ' '`);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^model name\s+: UML$/m);
  for (const own of [folder, scratch, os.hostname(), os.cpus()[0]!.model]) assert.ok(!stdout.includes(own), own);
  assert.doesNotMatch(stdout, /hostfs|sse4|avx/);
});

const netemScript = `
ip netns add a
ip netns add b
ip link add va netns a type veth peer name vb netns b
for host in a b; do
  ip -n $host link set v$host up
  ip netns exec $host tc qdisc add dev v$host root netem delay 50ms
done
ip -n a address add 198.18.0.1/24 dev va
ip -n b address add 198.18.0.2/24 dev vb
# tcpdump
ip netns exec b node -e 'require("net").createServer((socket)=>socket.end()).listen(9)' &
sleep 1
ip netns exec a node -e '
  const connect = () => new Promise((resolve, reject) => {
    const start = performance.now();
    const socket = require("net").connect(9, "198.18.0.2", () => { resolve(performance.now() - start); socket.destroy(); }).on("error", reject);
  });
  (async () => {
    await connect(); // resolves the neighbours
    console.log(String(await connect()));
    let sum = 0;
    for (let i = 0; i < 10; i++) sum += await connect();
    console.log(String(sum));
  })();
'
`;
