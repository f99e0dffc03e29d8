/** The parts of experiments, claims, links and pages, with an example of each. */
import { linksSchema } from "../../shaper/named-links.ts";
import { rateTraceFile } from "../../shaper/rate-traces.ts";
import { pageFile as importedFile } from "../../sites/imported/imported-page.ts";
import { pageFile as generatedFile, images, listedImages, logNormalImages, script } from "../../sites/page-file.ts";
import { claimSchema, claimsFile, leafSchema } from "./claims.ts";
import {
  comparisonSchema,
  differencesSchema,
  factorsSchema,
  gridSchema,
  mediansSchema,
  summarySchema,
} from "./comparisons.ts";
import { experimentFile } from "./experiment.ts";
import { figureSchema, modelSchema } from "./figures.ts";
import type { FilePart } from "./file-reference.fixture.ts";

const comparisons = "harness/plan/comparisons.ts";

const experimentParts: FilePart[] = [
  {
    title: "An experiment",
    text: "`experiments/NAME.yml`. `./lab list axes` prints the axes. The default for `tables` is one table with the medians of all comparisons.",
    schema: experimentFile,
    source: ["harness/plan/experiment.ts", "experimentSchema"],
    example: `
title: Does a larger window help HTTP/2 as much as HTTP/1.1?
loads: 20
axes:
  page: [A]
  servers: [1]
  link: [Cable, 4G]
  protocol: [h1, h2]
  initcwnd: [3, 10]
baseline: {protocol: h1, initcwnd: 3}
comparisons:
  h2: {title: HTTP/2, option: {protocol: h2}}
  window: {title: a window of 10, option: {initcwnd: 10}}
  both: {title: HTTP/2 and a window of 10, option: {protocol: h2, initcwnd: 10}}
tables:
  - {id: 1, title: Page load times, cells: value, rows: protocol, columns: initcwnd}
  - {id: 2, title: Speedups, cells: speedup, rows: protocol, columns: initcwnd}
figures:
  - {id: speedups, title: Speedups, x: link}`.replace(/id: (\d)/g, 'id: "$1"'),
  },
  {
    title: "A comparison",
    text: "An entry in `comparisons`; its key is the comparison's name.",
    schema: comparisonSchema,
    source: [comparisons, "comparisonSchema"],
    example: "{title: HTTP/2 by a window of 10, baseline: {protocol: h1, initcwnd: 10}, option: {protocol: h2}}",
  },
];

const tableParts: FilePart[] = [
  {
    title: "A table of two factors",
    text: "An entry in `tables` with the key `cells`. Its rows and columns may be axes that a comparison changes. A cell with several scenarios has their mean, for speedups their geometric mean.",
    schema: factorsSchema,
    source: [comparisons, "factorsSchema"],
    example: '{id: "1", title: Speedups, cells: speedup, rows: protocol, columns: initcwnd, where: {page: [A]}}',
  },
  {
    title: "A table of one comparison's cells",
    text: "An entry in `tables` with the key `comparison`. It prints maximum, mean, minimum and geometric mean of the speedups in each cell, and averages.",
    schema: gridSchema,
    source: [comparisons, "gridSchema"],
    example: '{id: "2", title: HTTP/2, comparison: h2, rows: page, columns: rtt}',
  },
  {
    title: "A table of medians",
    text: "An entry in `tables` with the key `medians`. It prints a row for each scenario, with the baseline's median, and each option's median and speedup.",
    schema: mediansSchema,
    source: [comparisons, "mediansSchema"],
    example: '{id: "3", title: Medians, medians: [h2, window]}',
  },
  {
    title: "A table of differences",
    text: "An entry in `tables` with the key `differences`. It prints a statistic of both sides' loads, and by how many percent the option is better.",
    schema: differencesSchema,
    source: [comparisons, "differencesSchema"],
    example: '{id: "4", title: Latencies, differences: [window], rows: rtt, statistics: [median, p90]}',
  },
  {
    title: "A summary table",
    text: "An entry in `tables` with the key `summary`. It prints best, worst and mean speedup of each comparison.",
    schema: summarySchema,
    source: [comparisons, "summarySchema"],
    example: '{id: "5", title: Summary, summary: [h2, both], notation: [page, rtt], subset: {loss: 0%}}',
  },
];

const figureParts: FilePart[] = [
  {
    title: "A figure",
    text: "An entry in `figures` ([figures.md](figures.md)).",
    schema: figureSchema,
    source: ["harness/plan/figures.ts", "figureSchema"],
    example: "{id: times, title: Page load times, quantity: value, x: rtt, series: protocol, panels: page}",
  },
  {
    title: "A model in a figure",
    text: "An entry in a figure's `models`.",
    schema: modelSchema,
    source: ["harness/plan/figures.ts", "modelSchema"],
    example: "{name: slow-start, bytes: 10500}",
  },
];

const claimParts: FilePart[] = [
  {
    title: "Claims",
    text: "`experiments/NAME.claims.yml`, next to the experiment NAME.",
    schema: claimsFile,
    source: ["harness/plan/claims.ts", "claimsFile"],
    example: `
run: today/my-run
claims:
  faster:
    says: HTTP/2 is faster
    quantity: {of: speedup, comparison: h2}
    holds: above 1`,
  },
  {
    title: "A claim",
    text: "An entry in `claims`; its key is the claim's name.",
    schema: claimSchema,
    source: ["harness/plan/claims.ts", "claimSchema"],
    example: `
says: HTTP/2 is 1.5 times as fast
source: {document: a paper, at: table 2}
published: 1.5
quantity: {of: speedup, comparison: h2, where: {page: [A]}}
holds: within 10% of the published`,
  },
  {
    title: "A quantity",
    text: "The key `quantity` of a claim. A `ratio` or `difference` of two quantities is also a quantity.",
    schema: leafSchema,
    source: ["harness/plan/claims.ts", "leafSchema"],
    example: "{of: savedPercent, comparison: h2, metric: pageLoadMs, statistic: p90, by: rtt, over: mean}",
  },
];

const pageParts: FilePart[] = [
  {
    title: "Links",
    text: "`shaper/links.yml`, or `links.yml` next to an experiment: each link by its name.",
    schema: linksSchema,
    source: ["shaper/named-links.ts", "linksSchema"],
    example: "home: {down: 16 Mb/s, up: 4 Mb/s, rtt: 30 ms, loss: 0 %, queue: 60 packets}",
  },
  {
    title: "A link whose rates vary",
    text: "`shaper/rate-traces/NAME.yml`, a link of that name. `./lab link import` writes such a file from mahimahi's format (each line is the millisecond at which a full packet may leave) or from CSV. Each direction's steps repeat. All loads of a block begin at the same position of the trace, which is computed from the run's seed and the block's number.",
    schema: rateTraceFile,
    source: ["shaper/rate-traces.ts", "rateTraceFile"],
    example: `
source: measured on a train
rtt: 80 ms
loss: 0 %
queue: 200 packets
down: 500 12.1, 500 9.4, 1000 0
up: 2000 3`,
  },
  {
    title: "A generated page",
    text: "`pages/NAME/page.yml`, without an `index.html`. Sizes have units: `46 B`, `14 KB`, `1.4 MB`.",
    schema: generatedFile,
    source: ["sites/page-file.ts", "pageFile"],
    example: `
title: a few small pictures
seed: 4
html: 2.0 KB
images:
  - {count: 4, formats: [jpeg], distribution: power, min: 2.0 KB, mean: 4.0 KB, max: 6.0 KB}`,
  },
  {
    title: "Images of a generated page",
    text: "An entry in `images`, for sizes of which a paper reports the minimum, mean and maximum.",
    schema: images,
    source: ["sites/page-file.ts", "images"],
    example: "{count: 36, formats: [jpeg, png], distribution: log-power, min: 1.5 KB, mean: 6.4 KB, max: 20.0 KB}",
  },
  {
    title: "Images of log-normal sizes",
    text: "Also an entry in `images`.",
    schema: logNormalImages,
    source: ["sites/page-file.ts", "logNormalImages"],
    example: "{count: 60, formats: [jpeg, png], distribution: log-normal, median: 9.5 KB, sigma: 1.3, max: 900 KB}",
  },
  {
    title: "Images of listed sizes",
    text: "Also an entry in `images`.",
    schema: listedImages,
    source: ["sites/page-file.ts", "listedImages"],
    example: "{formats: [jpeg], distribution: list, sizes: [1.2 KB, 48 KB, 310 KB]}",
  },
  {
    title: "A script of a generated page",
    text: "An entry in `scripts`.",
    schema: script,
    source: ["sites/page-file.ts", "script"],
    example: "{file: jquery.js, from: jquery/dist/jquery.min.js, size: 90 KB}",
  },
  {
    title: "An imported page",
    text: "`pages/NAME/page.yml`, next to an `index.html` ([pages.md](pages.md)); all keys are optional.",
    schema: importedFile,
    source: ["sites/imported/imported-page.ts", "pageFile"],
    example: `
title: my page
hosts: {/: 1, img/: 2}
serverTimes: {index.html: 120}`,
  },
];

export const fileParts: readonly FilePart[] = [
  ...experimentParts,
  ...tableParts,
  ...figureParts,
  ...claimParts,
  ...pageParts,
];
