/** The published numbers about the run's experiment, each next to the run's own number. */
import { scoreOf } from "../../claims/score.ts";
import { readClaims } from "../../plan/claims.ts";
import type { Manifest } from "../../record/manifest.ts";

export type PublishedView = ReturnType<typeof publishedView>;
export function publishedView(folder: string, { name, only, with: replaced }: Manifest) {
  // A published average is over all scenarios of its experiment. A run with fewer scenarios, or with other values, has no average to compare.
  const claims = only.length || replaced.length ? null : readClaims(name);
  const rows = claims ? scoreOf([{ ...claims, run: folder, otherClock: undefined }]) : [];
  return rows.map(({ document, at, says, published, number, here, verdict, corrected }) => ({
    document,
    at,
    says: number.label ? `${says} (${number.label})` : says,
    published,
    here,
    verdict,
    /** The verdict by a wider interval, so that all rows' verdicts together are right in 95% of runs. */
    corrected,
  }));
}
