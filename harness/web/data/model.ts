/** What a report's data files hold: all that its pages know. Plain data; a run is named by its place in the report, a condition by its place in the run. */

import type { AxisName, AxisValue } from "../../../schema/plan.ts";
import type { Interval } from "../../statistics/resample.ts";

/** An axis of which the run has several values. */
export interface VariedAxis {
  name: AxisName;
  title: string;
  /** `about`: what the label alone does not say. */
  values: { value: AxisValue; label: string; about?: string }[];
}

export interface ConditionView {
  id: string;
  /** Of the varied axes. */
  values: Readonly<Record<string, AxisValue>>;
  /** Loads that count, how many a whole run has, and those of them that are flagged. */
  loads: number;
  planned: number;
  flagged: number;
  /** In the metric's unit. */
  median: number | null;
  /** By measure (measures.ts): its median over the loads that count. */
  measures: Readonly<Record<string, number | null>>;
  /** Where its loads' time goes, milliseconds by part, medians; null without a trace that tells. */
  parts: number[] | null;
}

/** One comparison in one scenario. */
export interface SpeedupView {
  /** Places of both sides' conditions; null for one that the run has not. */
  baseline: number | null;
  option: number | null;
  speedup: number | null;
  interval: Interval | null;
  flagged: number;
  loads: number;
  planned: number;
}

/** The geometric mean over several speedups of a comparison, as a table has it: with its interval and what was published. */
export interface AverageView {
  /** Places of the speedups it is over, ascending. */
  over: number[];
  interval: Interval | null;
  published: number | null;
}

export interface ComparisonView {
  id: string;
  title: string;
  /** Both sides in words by what differs, and what they share. */
  baseline: string;
  option: string;
  shared: string;
  speedups: SpeedupView[];
  averages: AverageView[];
}

/** A run as its overview shows it. */
export interface RunView {
  folder: string;
  title: string;
  /** The question that the run answers, in one sentence. */
  asked: string;
  clock: string;
  commit: string;
  createdAt: string;
  metric: string;
  unit: string;
  loads: number;
  planned: number;
  blocks: number;
  failed: number;
  flagged: number;
  /** Why no number has an interval; null where they have. */
  noIntervals: string | null;
  verdict: string;
  valid: boolean;
  /** Of the run's lines (harness/record/digest.ts). */
  digest: string | null;
  publishedSource: string | null;
  axes: VariedAxis[];
  /** The axes that heat maps have in their rows and columns. */
  rows: string[];
  columns: string[];
  measures: { name: string; title: string; unit: string }[];
  /** What a load's time is split into (harness/explain/parts.ts), in the order of the numbers. */
  parts: { name: string; title: string }[];
  conditions: ConditionView[];
  comparisons: ComparisonView[];
  /** As the experiment names them; none while the run is under way. */
  figures: FigureView[];
}

/** A figure of the experiment's own, by where it lies beside the report's page, as a picture and as numbers. */
export interface FigureView {
  title: string;
  svg: string;
  csv: string;
}

/** The first file that a report's page reads. */
export interface ReportView {
  runs: RunView[];
  /** null in a folder, which does not change. */
  live: LiveView | null;
}

/** The first run as its server sees it grow. */
export interface LiveView {
  /** Changes whenever the data does. */
  state: string;
  /** When its last load was written, since the epoch. */
  grownAtMs: number;
  /** By the pace of what came since the server began; null before a load did. */
  secondsLeft: number | null;
}

/** Why an attempt failed, or what `./lab verify` finds wrong with a load. */
export interface Remark {
  reason: string | null;
  problems: readonly string[];
  flags: readonly string[];
}

/** Every attempt at a load, column by column in the order of the file: so a million of them are a few megabytes. */
export interface LoadColumns {
  block: number[];
  attempt: number[];
  /** The metric in thousandths of its unit, which no client's clock tells apart; -1 for an attempt that failed. */
  time: number[];
  /** Places of those that failed, or that are invalid or flagged; and of the first of them, why. */
  remarked: number[];
  remarks: Remark[];
  /** Places of those that have a file of their own. */
  detailed: number[];
}

/** A condition's file. */
export interface ConditionData {
  /** Its values, all of them, in words. */
  values: { name: string; title: string; label: string }[];
  link: { downMbps: number; upMbps: number; rttMs: number };
  paths: string[];
  loads: LoadColumns;
  /** null where none was made. */
  capture: CaptureView | null;
}

/** An extra load, which is no sample, with what other tools open. */
export interface CaptureView {
  pageLoadMs: number | null;
  reason: string | null;
  /** By where they lie beside the report's page. */
  files: { name: string; address: string; bytes: number }[];
  /** What its page showed: frames that differ from the one before, with visual completeness from 0 to 1; null where none were kept. */
  film: { speedIndexMs: number; frames: { address: string; ms: number; completeness: number }[] } | null;
}

/** Lines of which there may be as many as loads: how many, and the first. */
export interface Listed {
  total: number;
  first: string[];
}

/** What a run was made on, and what its links were. */
export interface LabView {
  hosts: { name: string; address: string; service: string }[];
  links: {
    link: string;
    figures: { what: string; unit: string; configured: number | null; measured: number | null }[];
    deviations: string[];
    attempts: number;
  }[];
  lanes: { lanes: number[]; facts: [string, string][] }[];
  sysctls: [string, string][];
  run: [string, string][];
  proof: { axis: string; confirmed: number; inconclusive: number; notObservable: number; because: string[] }[];
  notes: string[];
  invalid: Listed;
  flagged: Listed;
  failed: Listed;
}
