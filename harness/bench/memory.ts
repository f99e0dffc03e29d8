import { linearRegression, median } from "simple-statistics";
import { planBlocks } from "../plan/blocks.ts";
import { benchedConditions, onOneLane } from "./on-lanes.ts";

const defaultLoads = 1000;
const benched = ["page=A", "servers=1", "link=20x2-20ms-0%", "protocol=h2", "initcwnd=10"];
const groups = 10;

/** Whether one lane's processes grow over many loads. A run would have started another lane long before. */
export async function benchMemory({ loads = defaultLoads }: { loads?: number }): Promise<void> {
  const memoryMiB: number[] = [];
  await onOneLane(planBlocks(benchedConditions(benched), loads, 1), async (messages) => {
    for await (const message of messages)
      if (message.kind === "load" && message.load.evidence?.processor.labMemoryMiB != null)
        memoryMiB.push(message.load.evidence.processor.labMemoryMiB);
  });
  console.log("| loads | resident memory of all the lab's processes, median MiB |\n| --: | --: |");
  const size = Math.ceil(memoryMiB.length / groups);
  for (let from = 0; from < memoryMiB.length; from += size) {
    const group = memoryMiB.slice(from, from + size);
    console.log(`| ${from + 1}–${from + group.length} | ${median(group)} |`);
  }
  const { m } = linearRegression(memoryMiB.slice(size).map((mib, i) => [i, mib]));
  console.log(`\nafter the first ${size}: ${(m * 1000).toFixed(1)} MiB more per 1,000 loads`);
}
