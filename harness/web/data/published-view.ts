/** The published numbers of the run's experiment, each with the run's own. */
import { scoreOf } from "../../claims/score.ts";
import { readClaims } from "../../plan/claims.ts";
import type { Manifest } from "../../record/manifest.ts";

export type PublishedView = ReturnType<typeof publishedView>;
export function publishedView(folder: string, { name, only, with: replaced }: Manifest) {
  // A published average is over all scenarios of its experiment: a run of some of them, or of others, has nothing to compare with it.
  const claims = only.length || replaced.length ? null : readClaims(name);
  const rows = claims ? scoreOf([{ ...claims, run: folder, otherClock: undefined }]) : [];
  return rows.map(({ document, at, says, published, number, here, verdict, corrected }) => ({
    document,
    at,
    says: number.label ? `${says} (${number.label})` : says,
    published,
    here,
    verdict,
    /** The verdict by an interval so wide that all rows are right at once. */
    corrected,
  }));
}
