/** For test/all/neutral-edits.test.ts and slower-edits.test.ts: runs a gate for two versions of a site, over links without loss and with 1% loss. */
import { after, before } from "node:test";
import { type Ending, LabCopy } from "./lab.ts";
import type { Site } from "./sites.ts";

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
});
after(() => copy?.remove());

/** @param name the name of the folder that contains both versions */
export function gate(
  name: string,
  versions: { before: Site; after: Site },
  links = "Cable,10x1-100ms-1%",
): Promise<Ending> {
  for (const [side, site] of Object.entries(versions))
    for (const [path, content] of Object.entries(site)) copy.put(`${name}/${side}/${path}`, content);
  return copy.lab("gate", `${name}/after`, "--against", `${name}/before`, "--links", links);
}
