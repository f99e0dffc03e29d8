import { replayClient } from "./replay-client.ts";

/** Requests objects in a browser's order and over a browser's number of connections. Also speaks SPDY, which browsers no longer speak. */
export const client = replayClient({
  title: "Replay: requests HTML and its objects, over six connections per host, or one if the protocol multiplexes",
  name: "LabReplay",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  replays: { connections: 6, pipelines: false },
});
