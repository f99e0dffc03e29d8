/** Parses lines that the kernel of the virtual clock printed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tcpStateColumnsOf, tcpStatesOf } from "../schema/tcp-states.ts";
import { accountsIn } from "./tcp-events.ts";

const ends =
  "sport=4432 dport=52088 saddr=198.18.1.11 daddr=198.18.0.10 saddrv6=::ffff:198.18.1.11 daddrv6=::ffff:198.18.0.10";
const probeAt = (time: string, window: number, threshold: number, source = "198.18.1.11:4432") =>
  `          <idle>-0       [000] ..s.. ${time}: tcp_probe: family=AF_INET src=${source} dest=198.18.0.10:52088 mark=0x0 data_len=1448 snd_nxt=0xdebfcb0a snd_una=0xdebfcb0a snd_cwnd=${window} ssthresh=${threshold} snd_wnd=64512 srtt=100588 rcv_wnd=65160 sock_cookie=3d skbaddr=00000000d0852c20 skaddr=000000004aa9becd`;
const phaseAt = (time: string, phase: number) =>
  ` Chrome_ChildIOT-221     [000] ..s.. ${time}: tcp_cong_state_set: family=AF_INET ${ends} cong_state=${phase}`;
const text = [
  "# tracer: nop",
  phaseAt("946771209.430013", 0),
  probeAt("946771209.442125", 10, 2147483647),
  probeAt("946771209.542125", 10, 2147483647),
  probeAt("946771209.600000", 3, 2147483647, "198.18.1.12:4431"),
  phaseAt("946771209.654904", 3),
  probeAt("946771209.757326", 7, 7),
  probeAt("946771209.857326", 7, 7),
  "",
].join("\n");

test("accountsIn reads the server's window, threshold, RTT and phase at each packet that arrives at the server", () => {
  const [account, other] = accountsIn(text);
  assert.deepEqual([account!.server, account!.client], ["198.18.1.11:4432", "198.18.0.10:52088"]);
  assert.deepEqual(account!.states[0], {
    atUs: 946771209442125,
    windowSegments: 10,
    thresholdSegments: null,
    smoothedRttUs: 100588,
    phase: 0,
  });
  assert.deepEqual(
    account!.states.map(({ windowSegments, thresholdSegments, phase }) => [windowSegments, thresholdSegments, phase]),
    [
      [10, null, 0],
      [10, null, 0],
      [7, 7, 3],
      [7, 7, 3],
    ],
  );
  assert.deepEqual([other!.server, other!.states.length], ["198.18.1.12:4431", 1]);
});

test("a trace keeps the first and the last state of a connection, and each state that differs from the previous one", () => {
  const [{ states } = { states: [] }] = accountsIn(text);
  const kept = [states[0], states[2], states[3]];
  assert.deepEqual(tcpStatesOf(tcpStateColumnsOf(states)), kept);
});
