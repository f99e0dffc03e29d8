import assert from "node:assert/strict";
import { test } from "node:test";
import { CaptureStatistics } from "./capture-statistics.ts";
import { traceMarkdown } from "./trace-markdown.ts";

test("traceMarkdown escapes Markdown and HTML in a capture's file name", () => {
  const [empty, used] = [new CaptureStatistics(), new CaptureStatistics()];
  used.connections = 1;
  for (const trace of [empty, used])
    assert.match(traceMarkdown([{ name: "<img src=x>|a.pcap", trace }]), /^## `[^<|`]*img src=x>[^<|`]*a\.pcap`$/m);
});
