/** Alters a run's link measurements. */
import { estimates } from "../../harness/judge/link/estimates.ts";
import { type Direction, type Link, rateOf } from "../../schema/link.ts";
import type { DirectionSamples, LinkSamples } from "../../schema/link-samples.ts";
import type { Calibration } from "../../schema/records.ts";
import { type Forgery, victimsLink } from "./forgery.ts";
import { laneOf } from "./lanes.ts";

const onCalibration = (what: string, change: (one: Calibration) => void, message: RegExp | null): Forgery => ({
  what,
  forge(files) {
    const at = files.calibrations.findIndex(
      ({ calibration }) => calibration === laneOf(files).calibrations[victimsLink],
    );
    files.calibrations[at] = structuredClone(files.calibrations[at]!);
    change(files.calibrations[at]);
  },
  message,
});

/** Makes the samples of a link without loss whose RTT is 100 ms. */
function samplesOf(one: Link): LinkSamples {
  const direction = (name: Direction, packets: number): DirectionSamples => {
    const slotUs = Math.round((1514 * 8) / rateOf(one, name));
    return {
      idleDelaysUs: [[50_000 + Math.round((106 * 8) / rateOf(one, name)), packets]],
      lostInRow: [],
      shortestDelayUs: 50_000 + slotUs,
      fullDelaysUs: [[50_000 + Math.round(49.5 * slotUs), 1000]],
      arrivals: [[slotUs, 1514, 1000]],
    };
  };
  return {
    handshakesUs: [[100_653, 20]],
    goodputBytes: [1_195_324, 1_195_324],
    down: direction("down", 3021),
    up: direction("up", 1415),
  };
}

export const calibrations: Forgery[] = [
  onCalibration(
    "a measured RTT of 60 ms for a link of 100 ms",
    ({ measured }) => void (measured.rttMs.median = 60),
    /wrong link: RTT/,
  ),
  onCalibration(
    "a link measured with only ten packets",
    ({ measured }) => void (measured.down.packets = 10),
    /down packets counted: asked/,
  ),
  onCalibration(
    "a measurement that was made at another rate than the link's",
    (one) => void (one.configured = { ...one.configured, downMbps: 20 }),
    /measured 20x1-100ms-0%/,
  ),
  onCalibration(
    "a measurement that is not marked as the final one",
    (one) => void (one.final = false),
    /its link was not measured before the load/,
  ),
  onCalibration(
    "a failed measurement removed",
    (one) => void (one.attempt = 2),
    /is attempt 2, but attempt 1 has no line/,
  ),
  onCalibration(
    "a measurement within tolerance that was recorded as out of tolerance",
    (one) => void (one.deviations = ["down rate"]),
    /was recorded as out of tolerance|is final after 1 attempts/,
  ),
  onCalibration(
    "a measurement that was made after the loads",
    (one) => void (one.measuredAt = "2040-01-01T00:00:00.000Z"),
    /after its lane began/,
  ),
  onCalibration(
    "a goodput limit that does not follow from the link",
    ({ measured }) => Object.assign(measured, { goodputMbps: 0.01, goodputLimitMbps: 0.01 }),
    /TCP goodput's limit/,
  ),
  onCalibration(
    "a measured RTT that is a millisecond shorter than its samples show",
    (one) => {
      one.samples = samplesOf(one.configured);
      one.measured = estimates(one.samples, one.configured);
      one.measured.rttMs.median -= 1;
    },
    /its samples give RTT median 100\.653, but 99\.653 is recorded/,
  ),
  {
    what: "measurements without samples, in a run of a version that keeps samples",
    forge(files) {
      files.calibrations = files.calibrations.map(({ samples: _, ...one }) => one);
    },
    message: /\d+ link measurements without samples/,
  },
];
