import { replayClient } from "./replay-client.ts";

/** Requests objects in a browser's order over a browser's number of connections: for protocols that browsers do not speak. */
export const client = replayClient({
  title: "Replay: HTML and its objects, six connections a host, or its protocol's one",
  name: "LabReplay",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  replays: { connections: 6, pipelines: false },
});
