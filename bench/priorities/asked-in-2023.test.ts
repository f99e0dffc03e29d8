import assert from "node:assert/strict";
import { test } from "node:test";
import { prioritiesIn } from "./asked-in-2023.ts";

const event = (stream_id: number, frame: object) => ({ name: "http:frame_parsed", data: { stream_id, frame } });
const request = (path: string, ...priorities: string[]) => ({
  frame_type: "headers",
  headers: [{ name: ":path", value: path }, ...priorities.map((value) => ({ name: "priority", value }))],
});
const update = (element_id: number, value: string) => event(2, { frame_type: "priority_update", element_id, value });
const qlog = (...events: object[]) => `let root = ${JSON.stringify({ traces: [{ events }] })};\n`;

test("a request's priority is its last priority header, else its first PRIORITY_UPDATE frame, which may precede the request", () => {
  const text = qlog(
    update(0, "u=0, i"),
    event(0, request("/frame")),
    update(0, "u=2"),
    event(4, request("/header", "u=4", "u=0")),
    update(4, "u=1"),
    event(8, request("/none")),
    { name: "transport:packet_sent", data: {} },
    event(8, { frame_type: "data" }),
  );
  assert.deepEqual(Object.fromEntries(prioritiesIn(text)), { "/frame": "u=0, i", "/header": "u=0", "/none": "" });
});

test("a qlog without a trace is refused", () => {
  assert.throws(() => prioritiesIn('let root = {"traces":[]}'));
});
