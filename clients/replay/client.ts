import { replayClient } from "./replay.ts";

/** Objects in the browser's order over a browser's number of connections, without a browser: for what browsers cannot do. */
export const client = replayClient({
  title: "Replay: HTML and its objects, six connections a host",
  name: "LabReplay",
  manner: { connections: 6, pipelines: false },
});
