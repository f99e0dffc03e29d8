import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "puppeteer-core";
import { BrowserHangs, coldLoad, type LoadedPage } from "../../clients/chromium/load.ts";
import { callHost } from "../../hosts/control.ts";
import type { Topology } from "../../hosts/topology.ts";
import type { Observer } from "../../observe/observer.ts";
import { endedSince, type ProcessorReading, processorEvidence, readProcessor } from "../../observe/processor.ts";
import { pagePath } from "../../pages/pages.ts";
import { type Condition, type Evidence, flatten, type LoadRecord, type PlannedLoad } from "../../schema/model.ts";
import { agentsOf } from "../../substrate/compose.ts";
import { contradictions } from "../judge/contradictions.ts";
import { expectationOf, type Registries } from "../plan/registries.ts";
import { bringTo } from "./bring-to.ts";
import { virtualClock } from "./environment.ts";
import { observeNetwork, timed } from "./network.ts";

/** Where closing a browser context takes no time, the last load's connections would still end on this one's link. */
const restMs = 1000;

/** Makes loads, one at a time, and gathers what proves them. On the harness's host. */
export class LoadMaker {
  /** No further load can be made. */
  browserHangs = false;
  readonly #browser: Browser;
  readonly #registries: Registries;
  readonly #observer: Observer;
  /** Hosts whose processes this one does not see. */
  readonly #otherHosts: string[];

  private constructor(browser: Browser, registries: Registries, observer: Observer, otherHosts: string[]) {
    this.#browser = browser;
    this.#registries = registries;
    this.#observer = observer;
    this.#otherHosts = otherHosts;
  }

  /** @param observer of the client's device */
  static async open(
    browser: Browser,
    registries: Registries,
    topology: Topology,
    observer: Observer,
  ): Promise<LoadMaker> {
    const { namespace } = readProcessor();
    const readings = await Promise.all(
      agentsOf(topology).map(async (host) => ({
        host,
        ...(await callHost<ProcessorReading>(host, "GET", "/processor")),
      })),
    );
    return new LoadMaker(
      browser,
      registries,
      observer,
      readings.filter((reading) => reading.namespace !== namespace).map(({ host }) => host),
    );
  }

  /** One load, as its line: whatever goes wrong with it becomes its reason. */
  async make({ block, attempt, condition }: PlannedLoad, timeoutMs: number): Promise<LoadRecord> {
    if (virtualClock) await sleep(restMs);
    const startedAt = new Date().toISOString();
    const start = performance.now();
    const common = () => ({
      ...flatten(condition),
      block,
      attempt,
      startedAt,
      wallMs: Math.round(performance.now() - start),
    });
    try {
      const { span: reset } = await timed(() => bringTo(condition, this.#registries.hosts));
      const before = await this.#readProcessors();
      const { problem, evidence } = await coldLoad(
        this.#browser,
        this.#urlOf(condition),
        timeoutMs,
        async ({ problem, browser, timing }) => ({
          problem,
          evidence: await this.#gather(browser, timing, reset, before),
        }),
      );
      const pageLoadMs = evidence.timing.loadEventStart ?? NaN;
      if (problem) return { ...common(), ok: false, reason: problem, evidence };
      const problems = contradictions(pageLoadMs, evidence, expectationOf(condition, this.#registries));
      if (problems.length) return { ...common(), ok: false, reason: `evidence: ${problems.join("; ")}`, evidence };
      return { ...common(), ok: true, pageLoadMs, evidence };
    } catch (error) {
      if (error instanceof BrowserHangs) this.browserHangs = true;
      return { ...common(), ok: false, reason: (error as Error).message };
    }
  }

  async #gather(
    browser: LoadedPage["browser"],
    timing: LoadedPage["timing"],
    reset: { fromMs: number; toMs: number },
    before: ProcessorReading[],
  ): Promise<Evidence> {
    const processor = processorEvidence(before, await this.#readProcessors());
    const { link, packets, metricsSaved } = await observeNetwork(this.#observer, this.#registries.hosts, reset);
    return {
      ...browser,
      timing,
      link,
      packets,
      metricsSaved,
      processor,
      ended: endedSince(before, await this.#readProcessors()),
    };
  }

  /** Of this host first. */
  async #readProcessors(): Promise<ProcessorReading[]> {
    const others = await Promise.all(
      this.#otherHosts.map((host) => callHost<ProcessorReading>(host, "GET", "/processor")),
    );
    return [readProcessor(), ...others];
  }

  #urlOf({ page, servers, protocol }: Condition): string {
    return `https://${this.#registries.hosts[0]?.name}:${this.#registries.protocols[protocol]?.port}${pagePath({ name: page }, servers, protocol)}`;
  }
}
