/** The content of a figure, for all its renderers. */
import { csvOf } from "../tables/csv.ts";
import type { TabledExperiment } from "../tables/report.ts";

export interface DrawnExperiment extends TabledExperiment {
  source: string;
}

/** A measured, published or predicted number. If `y` is null, no point is drawn, and the line has a gap. */
export interface FigurePoint {
  source: "measured" | "published" | "model";
  /** The model's title; empty for a number that no model predicts. */
  model: string;
  panel: string;
  series: string;
  x: string | number;
  y: number | null;
  /** 95% bootstrap interval over blocks, if there are enough blocks. */
  low: number | null;
  high: number | null;
  /** How many scenarios and loads a measured number is computed from. */
  scenarios?: number;
  plannedScenarios?: number;
  loads?: number;
  plannedLoads?: number;
  flaggedLoads?: number;
}

export interface FigureAxis {
  title: string;
  /** Numbers are drawn to scale, names at equal distances. */
  kind: "number" | "name";
  /** "symlog" for values on both sides of zero. */
  scale: "linear" | "log" | "symlog";
  ticks: { value: string | number; label: string }[];
}

export interface Figure {
  id: string;
  /** Points with lines through them, or the steps of a distribution. */
  drawn: "points" | "steps";
  title: string;
  /** The caption's lines: what is compared, and what the points are computed from. */
  caption: string[];
  x: FigureAxis;
  y: {
    title: string;
    unit: string;
    /** The value that means no change. */
    neutral: number | null;
    fromZero: boolean;
  };
  /** The names of panels and series, in order. Without an axis for panels, the panel's name is empty. */
  panels: string[];
  series: string[];
  publishedSource: string | null;
  points: FigurePoint[];
}

/** Whether a point is a mean over fewer scenarios than planned, which cannot be compared with the other points. */
export const isPartial = ({ scenarios, plannedScenarios }: FigurePoint): boolean =>
  scenarios !== undefined && plannedScenarios !== undefined && scenarios < plannedScenarios;

/** Whether the point's number is Infinity: only a bound is known, usually because loads took longer than the time-out. */
export const isLowerBound = ({ y }: FigurePoint): boolean => y === Infinity;

/** Whether the point has a number that can be drawn. */
export const hasPlace = (point: FigurePoint): point is FigurePoint & { y: number } => Number.isFinite(point.y);

/** The figure's points as CSV with 12 significant digits; an empty field is a missing number. */
export const renderFigureCsv = ({ points }: Figure): string => csvOf(points.map(rounded), csvColumns);

const rounded = (point: FigurePoint) => {
  const round = (value: number | null) => value && Number(value.toPrecision(12));
  return { ...point, y: round(point.y), low: round(point.low), high: round(point.high) };
};
const csvColumns =
  "source model panel series x y low high scenarios plannedScenarios loads plannedLoads flaggedLoads".split(" ");
