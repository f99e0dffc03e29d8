import { type Noise, noises } from "./made-up-searches.ts";
import { pageNames, simulateSearches } from "./simulated-searches.ts";

/** How many new blocks a search's finalists get: the default of `./lab advise`, and twice as many. */
const freshBlocks = [10, 20];

/** Simulates searches with known truths. Prints how often `./lab advise` names the best change, and how often its intervals contain the truth. */
export async function benchSearches({ runs }: { runs: number }): Promise<void> {
  console.log(
    '| page | loads | fresh loads | best change first or tied | ... or printed as not ruled out | all intervals contain the truth | verdict is not "helps" | loads used |',
  );
  console.log("| :-- | :-- | --: | --: | --: | --: | --: | --: |");
  for (const page of pageNames)
    for (const noise of Object.keys(noises) as Noise[])
      for (const finalBlocks of freshBlocks) {
        const rates = await simulateSearches({ page, noise, searches: runs, finalBlocks });
        const { bestIsNamed, bestIsNotExcluded, allHold, saysNothing, used } = rates;
        const shares = [bestIsNamed, bestIsNotExcluded, allHold, saysNothing, used].map(percent);
        console.log(`| ${page} | ${noise} | ${finalBlocks} | ${shares.join(" | ")} |`);
      }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
