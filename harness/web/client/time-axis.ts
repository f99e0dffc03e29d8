/** The waterfall and the plots below it have the same time axis, so they use the same margins. */
export const [left, right] = [48, 20];

/** In pixels. A row has one request or one response. */
export const rowHeight = 8;
const axisHeight = 22;

/** The options of drawings that consist of rows with bars. `barOptions` are those of the bars. */
export const inRows = (width: number, rows: number) => ({
  width,
  height: axisHeight + rows * rowHeight,
  marginLeft: left,
  marginRight: right,
  marginTop: axisHeight,
  marginBottom: 0,
  style: { background: "none", fontFamily: "inherit", fontSize: "11px" },
  y: { domain: [0, rows], axis: null, reverse: true },
  color: { type: "identity" as const },
});

export const barOptions = {
  x1: "fromMs",
  x2: "toMs",
  y1: "row",
  y2: ({ row }: { row: number }) => row + 1,
  title: "title",
  insetTop: 1,
  insetBottom: 1,
  insetRight: -1, // otherwise bars without a duration would be invisible
};

/** The options that the plots below the waterfall have in common. */
export const overTime = (width: number, endMs: number) => ({
  width,
  height: 180,
  marginLeft: left,
  marginRight: right,
  marginBottom: 40,
  style: { background: "none", fontFamily: "inherit", fontSize: "12px" },
  x: { label: "time, ms", domain: [0, endMs], grid: true },
});
