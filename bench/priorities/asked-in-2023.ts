/** The priorities that browsers requested in August 2023, read from the qlogs of http3-prioritization/prioritization-experiments. */
import { z } from "zod";

const header = z.object({ name: z.string(), value: z.string() });
/** An event in which a server received a frame with a priority or a path (draft-ietf-quic-qlog-h3-events). */
const parsed = z.object({
  name: z.literal("http:frame_parsed"),
  data: z.object({
    stream_id: z.int(),
    frame: z.union([
      z.object({ frame_type: z.literal("headers"), headers: z.array(header) }),
      z.object({ frame_type: z.literal("priority_update"), element_id: z.int(), value: z.string() }),
    ]),
  }),
});
const qlog = z.object({ traces: z.array(z.object({ events: z.array(z.unknown()) })).length(1) });

/**
 * Returns path -> the request's first priority: its priority header; without one, its first PRIORITY_UPDATE frame (RFC 9218, section 7), or "".
 * Chrome 115 sent priorities only in these frames. @param text the text of a file like chrome.js, in which a qlog is assigned to a variable
 */
export function prioritiesIn(text: string): Map<string, string> {
  const [{ events }] = qlog.parse(JSON.parse(text.slice(text.indexOf("{")).replace(/;?\s*$/, ""))).traces as [
    { events: unknown[] },
  ];
  const streams = new Map<number, { path?: string; header?: string; update?: string }>();
  const streamOf = (id: number) => {
    const stream = streams.get(id) ?? {};
    streams.set(id, stream);
    return stream;
  };
  for (const event of events) {
    const { data } = parsed.safeParse(event);
    if (!data) continue;
    const { frame, stream_id } = data.data;
    if (frame.frame_type === "priority_update") streamOf(frame.element_id).update ??= frame.value;
    else {
      const lastOf = (name: string) => frame.headers.findLast((one) => one.name === name)?.value;
      Object.assign(streamOf(stream_id), { path: lastOf(":path"), header: lastOf("priority") });
    }
  }
  return new Map(
    [...streams.values()].flatMap(({ path, header, update }) =>
      path === undefined ? [] : [[path, header ?? update ?? ""]],
    ),
  );
}
