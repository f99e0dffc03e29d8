/** The waterfall and the plots below it have the same time axis, so they use the same margins. */
export const [left, right] = [48, 20];

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
