/** In guests' bundles, in place of the module proxy-agent: Puppeteer loads it, with two megabytes of its own modules, to download browsers. */
export class ProxyAgent {
  constructor() {
    throw new Error("in a guest there is no proxy");
  }
}
