/** Replaces the module proxy-agent in guests' bundles. Puppeteer loads that module, with two megabytes of dependencies, only to download browsers. */
export class ProxyAgent {
  constructor() {
    throw new Error("in a guest there is no proxy");
  }
}
