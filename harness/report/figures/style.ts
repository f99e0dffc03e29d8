/** How all figures look: on white, for print; colours that the colour-blind tell apart, and a shape beside each. */

/** Okabe and Ito, Color Universal Design (2008); yellow, which is hard to see on white, is left out. */
export const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];
export const shapes = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right"];

const ink = "#222222";
const grey = "#767676";

/** Plain data: Vega-Lite passes on to Vega what its own types do not have. */
export const style = {
  background: "white",
  font: "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
  padding: 12,
  view: { stroke: null },
  title: {
    anchor: "start",
    frame: "group",
    fontSize: 17,
    fontWeight: 600,
    color: ink,
    subtitleFontSize: 12,
    subtitleColor: "#555555",
    subtitleLineHeight: 16,
    subtitlePadding: 6,
    offset: 16,
  },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12.5,
    titleFontWeight: "normal",
    titlePadding: 10,
    labelColor: ink,
    titleColor: ink,
    domainColor: grey,
    tickColor: grey,
    gridColor: "#e6e6e6",
    labelPadding: 5,
  },
  axisX: { grid: false, labelAngle: 0 },
  legend: {
    labelFontSize: 12,
    titleFontSize: 12,
    labelColor: ink,
    titleColor: ink,
    labelLimit: 0,
    layout: { bottom: { anchor: "start", direction: "vertical", margin: 6 } },
    symbolSize: 90,
    rowPadding: 4,
  },
  header: { labelFontSize: 13, labelFontWeight: 600, labelColor: ink, labelAnchor: "start", labelPadding: 8 },
  line: { strokeWidth: 2 },
  rule: { strokeWidth: 1.5 },
};
