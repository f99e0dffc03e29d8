/** Lines altered by somebody who does not write the hashes of those that follow anew. */
import { type Forgery, onLoad } from "./forgery.ts";
import { onCalibration, onLane } from "./run.ts";

export const chain: Forgery[] = [
  { ...onLoad("a line rewritten", (load) => void load.wallMs++, /the chain is broken there/), keepsChain: true },
  {
    what: "a line left out of the chain",
    forge: ({ loads }) => void loads.splice(5, 1),
    message: /the chain is broken there/,
    keepsChain: true,
  },
  {
    what: "two lines of the chain in each other's place",
    forge({ loads }) {
      [loads[5], loads[6]] = [loads[6]!, loads[5]!];
    },
    message: /the chain is broken there/,
    keepsChain: true,
  },
  {
    ...onLoad("a line without its hash", (load) => void delete load.previous, /the chain is broken there/),
    keepsChain: true,
  },
  {
    what: "another seed, the chain as it was",
    forge: (files) => void (files.manifest.seed = 7),
    message: /the chain is broken there/,
    keepsChain: true,
  },
  {
    ...onLane("a lane rewritten", (lane) => void (lane.machine.memoryMiB *= 2), /the chain is broken there/),
    keepsChain: true,
  },
  {
    ...onCalibration(
      "a measurement rewritten that is the last line of its chunk",
      ({ measured }) => void (measured.rttMs.p99 += 0.01),
      null,
    ),
    keepsChain: true,
  },
];
