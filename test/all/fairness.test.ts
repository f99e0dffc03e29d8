/** Flows that share a link of the lab, on the virtual clock: two equal flows share it fairly, and fq_codel keeps its queue short. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Link, linkName } from "../../schema/link.ts";
import { linkCommands } from "../../shaper/link-commands.ts";
import { inGuest } from "../in-guest.ts";

/** A link whose queue holds one bandwidth-delay product: 100 kB. */
const link: Link = { downMbps: 20, upMbps: 20, rttMs: 40, lossPercent: 0, queuePackets: 66 };

/**
 * A shell script that sends two flows from a server to a client, through a router with this link. iperf3 writes its reports to /tmp.
 * @param more commands that run before the flows @param apartSeconds the time from the first flow's start to the second flow's start
 */
const script = (shaped: Link, seconds: number, more = "", apartSeconds = 0) => `
mount -t tmpfs none /tmp
for host in client router server; do ip netns add $host; ip -n $host link set lo up; done
ip link add c netns client type veth peer name access netns router
ip link add s netns server type veth peer name core netns router
set_up() {
  ip netns exec $1 ethtool -K $2 tso off gso off gro off tx off rx off >/dev/null
  ip -n $1 address add $3 dev $2
  ip -n $1 link set $2 up
}
set_up client c 198.18.0.10/24
set_up router access 198.18.0.2/24
set_up router core 198.18.1.2/24
set_up server s 198.18.1.11/24
ip -n client route add 198.18.1.0/24 via 198.18.0.2
ip -n server route add 198.18.0.0/24 via 198.18.1.2
ip netns exec router sysctl -qw net.ipv4.ip_forward=1
${linkCommands(shaped, { access: "access", core: "core" })
  .map((words) => `ip netns exec router tc ${words.join(" ")}`)
  .join("\n")}
for port in 5001 5002; do ip netns exec client iperf3 --server --one-off --port $port >/dev/null & done
sleep 1
${more}
for port in 5001 5002; do
  ip netns exec server iperf3 --client 198.18.0.10 --port $port --time ${seconds} --congestion cubic --json >/tmp/$port.json &
  sleep ${apartSeconds}
done
sleep ${seconds + 5}
`;

const goodputs = `for port in 5001 5002; do node -e "console.log(String(JSON.parse(require('fs').readFileSync('/tmp/$port.json')).end.sum_received.bits_per_second))"; done`;

test("two equal CUBIC flows share a link fairly: after a minute, Jain's fairness index is 0.95 or more", async () => {
  const { code, stdout, stderr } = await inGuest(`${script(link, 60)}\n${goodputs}`);
  assert.equal(code, 0, stderr);
  const [one = Number.NaN, other = Number.NaN] = stdout.trim().split("\n").map(Number);
  const jain = (one + other) ** 2 / (2 * (one ** 2 + other ** 2));
  assert.ok(jain >= 0.95, `Jain's index ${jain} of ${one} and ${other} bit/s`);
  assert.ok(one + other > 0.9 * 20e6, `both flows together: ${one + other} bit/s`);
});

/** CoDel's target and interval (RFC 8289), milliseconds. */
const [targetMs, intervalMs] = [5, 100];

/** Prints for each interval the shortest one-way delay of the first flow's packets, from server to client, in milliseconds. */
const shortestWaits = `node -e '
  const fs = require("fs");
  const seen = (file) => fs.readFileSync(file, "utf8").split("\\n").flatMap((line) => {
    const [, time, id] = /^([0-9.]+) IP .*? id ([0-9]+),.* length 1500/.exec(line) ?? [];
    return id === undefined ? [] : [[id, 1000 * Number(time)]];
  });
  const sent = new Map();
  for (const [id, ms] of seen("/tmp/sent.txt")) sent.set(id, [...(sent.get(id) ?? []), ms]);
  const shortest = new Map();
  for (const [id, ms] of seen("/tmp/arrived.txt")) {
    const sentMs = sent.get(id)?.findLast((one) => one < ms);
    if (sentMs === undefined) continue;
    const interval = Math.floor(ms / ${intervalMs});
    shortest.set(interval, Math.min(shortest.get(interval) ?? Infinity, ms - sentMs));
  }
  console.log(JSON.stringify([...shortest.values()]));
'`;

/** Seconds between the starts of the two flows. This time decides how both congestion windows grow, so the test pools the delays of six runs. */
const apart = [0, 0.13, 0.31, 0.47, 0.71, 0.93];

test("with fq_codel, the shortest queueing delay in an interval is within CoDel's target in 95% of intervals", async (context) => {
  const managed: Link = { ...link, queuePackets: 1000, aqm: "fq_codel" };
  const capture = (host: string, device: string, file: string) =>
    `ip netns exec ${host} tcpdump -Z root --immediate-mode -s 60 -tt -n -v -i ${device} 'tcp dst port 5001' 2>/dev/null | paste -d " " - - >/tmp/${file}.txt &`;
  const captures = `${capture("server", "s", "sent")}\n${capture("client", "c", "arrived")}\nsleep 1`;
  const packetMs = (1514 * 8) / 20_000;
  const inTargetMs = link.rttMs / 2 + packetMs + targetMs;
  // CoDel measures a packet's wait only until the token bucket takes the packet. There, the packet also waits for the packet before it.
  const mostMs = inTargetMs + packetMs;
  const delaysMs: number[] = [];
  for (const seconds of apart) {
    const { code, stdout, stderr } = await inGuest(`${script(managed, 30, captures, seconds)}\n${shortestWaits}`);
    assert.equal(code, 0, stderr);
    const own = JSON.parse(stdout) as number[];
    assert.ok(own.length > 250, `${linkName(managed)}: ${own.length} intervals`);
    delaysMs.push(...own);
  }
  const percentWithin = (ms: number) => (100 * delaysMs.filter((one) => one <= ms).length) / delaysMs.length;
  const within = percentWithin(mostMs);
  context.diagnostic(
    `within the target plus the wait in the token bucket: ${within.toFixed(1)}%; within the target alone: ${percentWithin(inTargetMs).toFixed(1)}%`,
  );
  assert.ok(within >= 95, `within the target in ${within.toFixed(1)}% of ${delaysMs.length} intervals`);
});
