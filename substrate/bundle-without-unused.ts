/** Leaves out of guests' bundles what their programs load but never use, because every program would read and compile it when it starts. */
import type { Plugin } from "esbuild";

/** What stands in for a module, by the end of the module's path, and why. */
const replaced: { path: RegExp; contents: string }[] = [
  // Puppeteer loads it, with two megabytes of dependencies, only to download browsers.
  {
    path: /\/proxy-agent\/[\w/.]+$/,
    contents: 'export class ProxyAgent { constructor() { throw new Error("in a guest there is no proxy"); } }',
  },
  // Puppeteer makes a logger for each message, and the logger asks the kernel each time whether stderr is a terminal.
  { path: /\/puppeteer-core\/[\w/]+\/common\/Debug\.js$/, contents: "export const debug = () => () => {};" },
  // Zod has its messages in fifty languages.
  { path: /\/zod\/v4\/locales\/index\.js$/, contents: 'export { default as en } from "zod/v4/locales/en.js";' },
];

export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const { path, contents } of replaced) onLoad({ filter: path }, () => ({ contents }));
  },
};
