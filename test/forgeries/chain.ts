/** Lines altered by somebody who does not write the hashes of those that follow anew. */
import { type Forgery, onLoad } from "./forgery.ts";
import { onLane } from "./run.ts";

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
      const [one, other] = [...loads.keys()].filter((at) => loads[at]!.lane === loads[5]!.lane).slice(2, 4);
      [loads[one!], loads[other!]] = [loads[other!]!, loads[one!]!];
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
    what: "the last line of a chunk rewritten",
    forge({ loads }) {
      const last = loads.length - 1;
      loads[last] = { ...loads[last]!, wallMs: loads[last]!.wallMs + 1 };
    },
    message: null,
    keepsChain: true,
  },
];
