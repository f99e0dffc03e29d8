import { replayClient } from "./replay-client.ts";

/** Objects in the browser's order over a browser's number of connections, without a browser: for what browsers cannot do. */
export const client = replayClient({
  title: "Replay: HTML and its objects, six connections a host, or its protocol's one",
  name: "LabReplay",
  protocols: ["h1", "h1c", "h2", "spdy2", "spdy3.1"],
  replays: { connections: 6, pipelines: false },
});
