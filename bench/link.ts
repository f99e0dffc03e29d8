/** Runs on the harness's host. Prints how long the shaper takes to change the link, milliseconds, as a JSON array. */
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
