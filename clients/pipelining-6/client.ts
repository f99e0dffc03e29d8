import { replayClient } from "../replay/replay-client.ts";

/** A client that differs from `replay` in one thing: it does not wait for a response before it sends the next request. */
export const client = replayClient({
  title: "Pipelining: requests the HTML, then all objects at once, spread over six connections per host",
  name: "LabPipelining6",
  protocols: ["h1", "h1c"],
  replays: { connections: 6, pipelines: true },
});
