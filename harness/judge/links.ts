import type { LoadRecord } from "../../schema/model.ts";
import { type Calibration, deviations } from "../lane/calibration.ts";

/**
 * What the calibrations before and after a load say of its link.
 * @returns a function from a load to its doubts
 */
export function linkHistory(calibrations: readonly Calibration[]): (load: LoadRecord) => string[] {
  const final = calibrations.filter((calibration) => calibration.final);
  const problems = ({ channel, measured, measuredAt }: Calibration) =>
    deviations(channel, measured).map((deviation) => `${deviation} (measured at ${measuredAt})`);
  return ({ channel, startedAt }) => {
    const own = final.filter((calibration) => calibration.channel.name === channel);
    const before = own.findLast(({ measuredAt }) => measuredAt <= startedAt);
    const after = own.find(({ measuredAt }) => measuredAt > startedAt);
    return [
      ...(before ? problems(before).map((text) => `wrong link: ${text}`) : ["its link was not measured before it"]),
      ...(after ? problems(after).map((text) => `drifted link: ${text}`) : []),
    ];
  };
}

/** The last final measurement of each channel, by its name. */
export function lastMeasured(calibrations: readonly Calibration[]): Calibration[] {
  const last = new Map(
    calibrations.filter(({ final }) => final).map((calibration) => [calibration.channel.name, calibration]),
  );
  return [...last.values()].sort((a, b) => a.channel.name.localeCompare(b.channel.name, "en", { numeric: true }));
}
