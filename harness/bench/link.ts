/** Run on the harness's host: how long the shaper takes from one channel to the next. Prints milliseconds, a JSON array. */

import { callHost } from "../../hosts/control.ts";
import { readChannels } from "../../shaper/channels.ts";

const rounds = 5;
const timesMs: number[] = [];
for (let round = 0; round < rounds; round++)
  for (const channel of readChannels().values()) {
    const start = performance.now();
    await callHost("shaper", "PUT", "/link", channel);
    timesMs.push(performance.now() - start);
  }
console.log(JSON.stringify(timesMs));
