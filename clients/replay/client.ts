import { replayClient } from "./replay-client.ts";

/** Requests objects in the order and over the number of connections of a browser. It also speaks protocols that browsers do not. */
export const client = replayClient({
  title: "Replay: HTML and its objects, six connections per host, or one if the protocol multiplexes",
  name: "LabReplay",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  replays: { connections: 6, pipelines: false },
});
