/** Presents loads as samples of another condition. */
import { directions } from "../../schema/link.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { exchange, type Forgery, onLoad } from "./forgery.ts";

/** Alters tc's report too, so that only packets can show the forgery. */
function asTcSays(load: GoodLoad): void {
  for (const direction of directions) {
    const counters = load.evidence.link[direction];
    const rateMbps = Number(load[`${direction}Mbps`]);
    for (const moment of [counters.atStart, counters.atEnd]) moment.rateMbps = rateMbps;
  }
}

export const relabelled: Forgery[] = [
  exchange("page", { page: "B" }, /requests instead of/),
  exchange("number of servers", { servers: 2 }, /hosts s1\.lab, s2\.lab instead of s1\.lab/),
  exchange("rate", { link: "20x2-100ms-0%" }, /the link had down rateMbps 20 instead of 10/),
  exchange("rate; tc's rate stays", { link: "20x2-100ms-0%" }, /packets that waited for one another came in/, asTcSays),
  exchange("RTT", { link: "10x1-20ms-0%" }, /the quickest handshake took 2\d\.\d+ ms; the RTT is 100/),
  exchange("loss", { link: "10x1-100ms-1%" }, /the link had down lossPercent 0 instead of 1/),
  exchange("protocol", { protocol: "h2" }, /responses over h2 instead of http\/1\.1/),
  exchange("initcwnd", { initcwnd: 3 }, /initcwnd at most 3 instead of 10/),
  exchange(
    "initcwnd, with the evidence of initcwnd altered",
    { initcwnd: 3 },
    /its trace: .*: its initcwnd is \d+ to \d+, but \d+ to \d+ by the evidence/,
    ({ initcwnd, evidence }) => {
      const segments = Number(initcwnd);
      for (const { server } of evidence.packets.flows)
        if (server) server.initcwnd = { atLeast: segments, atMost: segments };
    },
  ),
  onLoad(
    "a line that names another RTT",
    (load) => Object.assign(load, { rttMs: 20 }),
    /its line has rttMs 20, the manifest 100/,
  ),
  onLoad(
    "a line that names another initcwnd",
    (load) => Object.assign(load, { initcwnd: 3 }),
    /its line has initcwnd 3/,
  ),
  onLoad("a line with an unknown field", (load) => Object.assign(load, { colour: "red" }), /a field colour/),
  onLoad(
    "a condition that is not planned",
    (load) => Object.assign(load, { condition: "A/1s/10x1-100ms-0%/h1/iw42" }),
    /it is not in the plan/,
  ),
  onLoad("a block that is not planned", (load) => Object.assign(load, { block: 9 }), /it is not in the plan/),
];
