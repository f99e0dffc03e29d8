/** Numbers that "Overclocking the Yahoo! CDN" (IMC 2011, section 3.2) states about its captures, and the same numbers for a given capture. */
import type { CaptureStatistics } from "./capture-statistics.ts";

/** The usual initial ssthresh, in bytes. The other sizes use KB of 1000 bytes, which matches the paper's "25KB (17 segments)". */
const kib64 = 65_536;
const kb = 1000;

export function statementsOf(trace: CaptureStatistics) {
  const percent = (figure: number, what: string, published: string, share: number | null) => ({
    figure,
    what,
    published,
    ours: share === null ? null : 100 * share,
    unit: "%",
  });
  const resent = trace.retransmittedPercent.shareAbove(0);
  return [
    percent(3, "connections with an average RTT above 400 ms", "10%", trace.rttMs.shareAbove(400)),
    percent(8, "connections that transfer more than 64 KB", "about 10%", trace.connectionBytes.shareAbove(kib64)),
    percent(10, "connections without a retransmission", "over 70% (India)", resent === null ? null : 1 - resent),
    percent(
      10,
      "connections in which more than 10% of the server's segments are retransmissions",
      "over 17% (India)",
      trace.retransmittedPercent.shareAbove(10),
    ),
    percent(11, "objects larger than 25 KB", "about 10%", trace.objectBytes.shareAbove(25 * kb)),
    percent(11, "objects larger than 60 KB", "less than 5%", trace.objectBytes.shareAbove(60 * kb)),
    {
      figure: 12,
      what: "requests per connection (mean)",
      published: "about 2.4",
      ours: trace.requestsPerConnection.mean,
      unit: "",
    },
    percent(13, "requests more than 1 s after the previous one", "about 20%", trace.betweenRequestsMs.shareAbove(1000)),
    percent(13, "requests more than an RTO after the previous one", "about 10%", trace.beyondTimeoutMs.shareAbove(0)),
    percent(14, "bytes in objects larger than 60 KB", "50%", trace.bytesByObject.shareAbove(60 * kb)),
  ];
}
