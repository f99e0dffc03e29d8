import { replayClient } from "../replay/replay-client.ts";

/** The client of Al-Fares et al., IMC 2011, section 4.3, which requests all of a host's objects at once over one connection. */
export const client = replayClient({
  title: "Pipelining: requests the HTML, then all objects at once, over one connection per host",
  name: "LabPipelining",
  protocols: ["h1", "h1c"],
  replays: { connections: 1, pipelines: true },
});
