import { setTimeout as sleep } from "node:timers/promises";
import { ClientHangs, type Loaded } from "../../clients/client.ts";
import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { shaperRoutes } from "../../hosts/routes.ts";
import type { Topology } from "../../hosts/topology.ts";
import type { Observer } from "../../observe/observer.ts";
import { mostFrames } from "../../observe/packet-capture.ts";
import { PauseWatch } from "../../observe/pauses.ts";
import { processorEvidence } from "../../observe/processor.ts";
import { withStreams } from "../../observe/streams-evidence.ts";
import { TcpEvents } from "../../observe/tcp-events.ts";
import { quicIdleMs } from "../../schema/discovery.ts";
import { type Evidence, schemaVersion } from "../../schema/evidence.ts";
import type { LoadMessage } from "../../schema/lane-messages.ts";
import type { LinkReading, ProcessorReading } from "../../schema/observation.ts";
import type { ShownWindow } from "../../schema/picture.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { restMs } from "../../schema/procedure.ts";
import type { Registries } from "../../schema/registries.ts";
import { adaptive, type Settings } from "../../schema/settings.ts";
import { tolerance } from "../../schema/tolerances.ts";
import type { Trace } from "../../schema/trace.ts";
import { quicOptions } from "../../servers/quic-options.ts";
import { judgeLoad } from "../judge/load/load.ts";
import { acquaint } from "./acquaint.ts";
import { RunningBackground } from "./background.ts";
import { configureHosts, type HostOptions } from "./configure-hosts.ts";
import { withoutLoss } from "./load-chunk.ts";
import { loadMessage, type MadeLoad } from "./load-message.ts";
import { observeNetwork, type Timed, timed } from "./network.ts";
import type { OpenClients } from "./open-clients.ts";
import { Processors } from "./processors.ts";
import { extraRttsOf, folderOf, isLong, isOverQuic, visitOf } from "./visit.ts";

export interface Lab {
  topology: Topology;
  clientTcp: ClientTcp;
  registries: Registries;
  /** Observes the client's device. */
  observer: Observer;
}

type ClientOf = Pick<OpenClients, "for">;

/** What the earlier steps of a load pass to the step that gathers its evidence. */
interface Gathering {
  /** The link's first reading, made when the shaper had set the link up. */
  linkAtStart: Timed<LinkReading>;
  before: ProcessorReading[];
  settings: Settings;
  /** The TLS secrets of the load's connections. */
  keyLog: string;
  /** The time just before the page was requested, in milliseconds since the epoch. */
  beganMs: number;
}

/** Makes loads, one at a time, and gathers their evidence. Runs on the harness's host. */
export class LoadMaker {
  clientHangs = false;
  readonly #lab: Lab;
  readonly #clients: ClientOf;
  readonly #chunk: number;
  #background: RunningBackground | null = null;
  readonly #processors: Processors;
  /** Watches for pauses of the machine; null on the virtual clock, and where real-time priority is not permitted. */
  readonly #pauses: PauseWatch | null;
  readonly #tcpEvents = TcpEvents.open();

  private constructor(lab: Lab, clients: ClientOf, chunk: number, processors: Processors, pauses: PauseWatch | null) {
    this.#lab = lab;
    this.#clients = clients;
    this.#chunk = chunk;
    this.#processors = processors;
    this.#pauses = pauses;
  }

  static async open(lab: Lab, clients: ClientOf, chunk: number): Promise<LoadMaker> {
    const processors = await Processors.open(lab.topology);
    const pauses = environment.virtualClock ? null : await PauseWatch.open();
    return new LoadMaker(lab, clients, chunk, processors, pauses);
  }

  async close(): Promise<void> {
    await this.#pauses?.close();
  }

  /** Makes one load. @returns its record and trace; after an error, the record has the error as its reason */
  async make({ block, attempt, condition }: PlannedLoad, timeoutMs: number): Promise<LoadMessage> {
    if (environment.virtualClock) await sleep(restMs);
    const startedAt = new Date().toISOString();
    const start = performance.now();
    const common = () => ({
      condition: condition.id,
      ...condition.fields,
      block,
      attempt,
      lane: this.#chunk,
      startedAt,
      wallMs: Math.round(performance.now() - start),
    });
    try {
      const made = await this.load(condition.settings, timeoutMs);
      const judge = (pageLoadMs: number) =>
        judgeLoad(pageLoadMs, made.evidence, condition, this.#lab.registries).contradictions;
      return loadMessage(common(), made, judge);
    } catch (error) {
      const { message: reason } = error as Error;
      return { kind: "load", load: { ...common(), ok: false, reason, cause: "not observed" } };
    }
  }

  /** Makes a load without judging it. @param looksAtWindow whether to take a picture of the browser's window, too */
  async load(asked: Settings, timeoutMs: number, { looksAtWindow = false } = {}): Promise<MadeLoad> {
    const settings = playingTrace(asked);
    const { clientTcp, registries } = this.#lab;
    const client = this.#clients.for(settings);
    const visit = visitOf(settings, registries, timeoutMs);
    const folder = folderOf(settings, registries);
    const farMs = extraRttsOf(settings, registries);
    const known =
      settings.route.server.initcwnd === adaptive &&
      (await acquaint(registries.hosts, clientTcp, client, settings, { visit, folder }));
    let linkAtStart: Timed<LinkReading>;
    let before: ProcessorReading[];
    let beganMs: number;
    let window: ShownWindow | undefined;
    const show = (one: ShownWindow) => {
      window = one;
    };
    const load = client.load(visit, {
      prepare: async () => {
        linkAtStart = await this.#prepare(settings, { known: known || [], folder, extraRttsMs: farMs });
      },
      part: async () => {
        await clientTcp.changeAddresses();
        // With `instead`, the earlier visit ends before the browser switches to HTTP/3, so it leaves no QUIC connection.
        const leavesQuic = isOverQuic(settings, registries) && !visit.earlier?.instead;
        await sleep(restMs + (leavesQuic ? quicIdleMs : settings.link.rttMs + Math.max(0, ...farMs)));
      },
      begin: async () => {
        before = await this.#processors.read();
        this.#pauses?.restart();
        this.#tcpEvents?.restart();
        beganMs = Date.now();
      },
      look: async (loaded) => {
        const keyLog = client.newKeys?.() ?? "";
        const { evidence, trace } = await this.#gather(loaded, { linkAtStart, before, settings, keyLog, beganMs });
        await this.#emptyLink(settings);
        return {
          ...{ failure: loaded.failure, evidence: { ...evidence, ...(known && { known }) }, trace },
          ...(window && { window }),
        };
      },
      ...(looksAtWindow && { show }),
    });
    return load.catch(async (error: Error) => {
      await this.#endBackground();
      if (error instanceof ClientHangs) this.clientHangs = true;
      throw error;
    });
  }

  async #prepare(settings: Settings, options: HostOptions): Promise<Timed<LinkReading>> {
    const { clientTcp, observer, registries } = this.#lab;
    // The last background packets of an earlier visit must not reach the load's link.
    if (await this.#endBackground()) await sleep(restMs);
    observer.checkPackets(settings.link.corruptPercent !== undefined);
    const long = isLong(settings, registries);
    if (long) observer.keepUp(mostFrames);
    const linkAtStart = await timed(() =>
      configureHosts(settings, registries.hosts, clientTcp, { ...options, isLong: long }),
    );
    await this.#startBackground(settings);
    return linkAtStart;
  }

  async #gather(
    { evidence: seen, beginnings, afterwards }: Loaded,
    { linkAtStart, before, settings, keyLog, beganMs }: Gathering,
  ): Promise<{ evidence: Evidence; trace: Trace | null }> {
    const { server, client, link } = settings;
    const { hosts } = this.#lab.registries;
    const load = { fromMs: beganMs, toMs: Date.now() };
    const flows = await this.#background?.told();
    const accounts = this.#tcpEvents?.read() ?? null;
    const pauses = this.#pauses?.read();
    const processor = { ...processorEvidence(before, await this.#processors.read()), ...(pauses && { pauses }) };
    // A client without a load event is done when the last byte arrives. The acknowledgment of that byte has not reached the server yet.
    if (this.#lab.registries.clients[client.software]?.replays) await sleep(tolerance.delayedAckMs + link.rttMs / 2);
    const { trace, packets, ...network } = await observeNetwork(this.#lab.observer, hosts, linkAtStart, beginnings, {
      keyLog,
      offsetMs: link.traceOffsetMs,
      load,
      flows,
      accounts,
    });
    const measured = await afterwards?.();
    const folder = folderOf(settings, this.#lab.registries);
    const options = quicOptions(this.#lab.registries.servers[server.software]!, settings.route.server);
    const ended = await this.#processors.ended(before, [server, folder, options]);
    const withTheirStreams = trace ? withStreams(packets, trace, seen.connections) : packets;
    return {
      evidence: {
        version: schemaVersion,
        ...seen,
        ...measured,
        ...network,
        packets: withTheirStreams,
        processor,
        ended,
      },
      trace,
    };
  }

  async #startBackground({ background, link }: Settings): Promise<void> {
    const { observer, registries } = this.#lab;
    if (!background) return;
    observer.keepUp();
    this.#background = await RunningBackground.start(registries.hosts[0]!, background, link);
  }

  /** Removes loss before connections close: without the FIN or RST, a server would keep the connection, and a later load might use its port. */
  async #emptyLink(settings: Settings): Promise<void> {
    const hadBackground = await this.#endBackground(); // a fresh link has none of the background's packets
    if (settings.link.lossPercent > 0 || hadBackground)
      await ask("shaper", shaperRoutes.setLink, withoutLoss(settings).link);
  }

  /** @returns whether there were background flows */
  async #endBackground(): Promise<boolean> {
    const running = this.#background;
    this.#background = null;
    await running?.stop();
    return running !== null;
  }
}

/** A load that belongs to no block, such as a load from which requests are learnt, starts at the beginning of its link's trace. */
function playingTrace(settings: Settings): Settings {
  const { link } = settings;
  return link.trace ? { ...settings, link: { traceOffsetMs: 0, ...link } } : settings;
}
