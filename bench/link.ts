/** Runs on the harness's host. Prints how many milliseconds the shaper takes to change the link, as a JSON array. */
import { ask } from "../hosts/control.ts";
import { shaperRoutes } from "../hosts/routes.ts";
import { readLinks } from "../shaper/named-links.ts";

const rounds = 5;
const timesMs: number[] = [];
for (let round = 0; round < rounds; round++)
  for (const link of Object.values(readLinks())) {
    const start = performance.now();
    await ask("shaper", shaperRoutes.setLink, link);
    timesMs.push(performance.now() - start);
  }
console.log(JSON.stringify(timesMs));
