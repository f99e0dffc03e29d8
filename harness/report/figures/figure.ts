/** What a figure shows, for all its renderers. */
import { stringify } from "csv-stringify/sync";
import type { TabledExperiment } from "../tables/report.ts";

/** What figures need of an experiment. */
export interface DrawnExperiment extends TabledExperiment {
  source: string;
}

/** A number that is measured, published, or what a model says. Null, where there is none, is a gap. */
export interface FigurePoint {
  source: "measured" | "published" | "model";
  /** Which model; empty otherwise. */
  model: string;
  panel: string;
  series: string;
  x: string | number;
  y: number | null;
  /** 95% bootstrap interval over blocks, if there are blocks enough. */
  low: number | null;
  high: number | null;
  /** What stands behind a measured one. */
  scenarios?: number;
  plannedScenarios?: number;
  loads?: number;
  plannedLoads?: number;
  flaggedLoads?: number;
}

/** A direction of the plane: what it is, and where its values stand. */
export interface FigureAxis {
  title: string;
  /** Numbers stand where they are; names stand side by side. */
  kind: "number" | "name";
  /** "symlog" for what is on both sides of nothing. */
  scale: "linear" | "log" | "symlog";
  ticks: { value: string | number; label: string }[];
}

export interface Figure {
  id: string;
  /** Points with lines through them, or the steps of a distribution. */
  drawn: "points" | "steps";
  title: string;
  /** Lines of a sentence or two: what is compared, and what the points rest on. */
  caption: string[];
  x: FigureAxis;
  y: { title: string; unit: string /** Where nothing is won or lost. */; neutral: number | null; fromZero: boolean };
  /** In their order; one without a name where there is but one. */
  panels: string[];
  series: string[];
  /** Where the published points are from, if there are any. */
  publishedSource: string | null;
  points: FigurePoint[];
}

/** A mean over fewer scenarios than its neighbours' cannot be compared with them. */
export const isPartial = ({ scenarios, plannedScenarios }: FigurePoint): boolean =>
  scenarios !== undefined && plannedScenarios !== undefined && scenarios < plannedScenarios;

/** Its points in full precision; an empty field is a number that is not there. */
export const renderFigureCsv = ({ points }: Figure): string => stringify(points, { header: true, columns: csvColumns });
const csvColumns =
  "source model panel series x y low high scenarios plannedScenarios loads plannedLoads flaggedLoads".split(" ");
