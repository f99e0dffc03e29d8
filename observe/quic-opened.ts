/** The packets of a QUIC connection, decrypted with the secrets that its client logged. */

import { isCipherSuite } from "./aead.ts";
import type { ConnectionSecrets } from "./key-log.ts";
import { firstIdOf, type QuicConversation, serverHelloMessage } from "./quic-conversations.ts";
import { isAckEliciting, type QuicFrame, readFrames } from "./quic-frames.ts";
import { PacketKeys } from "./quic-keys.ts";
import {
  initialKeys,
  isCapturedFarEnough,
  type LongPacket,
  type Opened,
  openPacket,
  type SealedPacket,
} from "./quic-packet.ts";
import { chosenCipherSuite } from "./tls-hello.ts";

type Level = "initial" | "handshake" | "data";

export interface OpenedPacket {
  timeMs: number;
  /** The mark of its datagram (packet.ts). */
  mark: number;
  fromClient: boolean;
  level: Level;
  /** Packet number. Each end numbers its packets separately at each level. */
  number: number;
  /** Length, including the header and tag. */
  bytes: number;
  frames: QuicFrame[];
  /** Whether all its frames were captured, and are of known types. */
  isComplete: boolean;
  isAckEliciting: boolean;
}

/** @returns the packets in the order of the capture, and how many could not be decrypted; null if none of the secrets fit the connection */
export function openConversation(
  conversation: QuicConversation,
  secrets: readonly ConnectionSecrets[],
): OpenedConversation | null {
  const known = found.get(conversation);
  if (known?.secrets === secrets) return known.opened;
  const opened = firstFitting(conversation, secrets);
  found.set(conversation, { secrets, opened });
  return opened;
}
/** Caches decrypted conversations, because several kinds of evidence are computed from them. */
const found = new WeakMap<
  QuicConversation,
  { secrets: readonly ConnectionSecrets[]; opened: OpenedConversation | null }
>();

interface OpenedConversation {
  packets: OpenedPacket[];
  unopened: number;
}

function firstFitting(
  conversation: QuicConversation,
  secrets: readonly ConnectionSecrets[],
): OpenedConversation | null {
  for (const one of secrets) {
    const opener = Opener.of(conversation, one);
    if (!opener?.fits()) continue;
    return opener.open();
  }
  return null;
}

/** Decrypts one end's packets at one encryption level. */
class Direction {
  readonly #keys: PacketKeys;
  #largest = -1;
  /** How often the keys were updated, and the first packet after the last update. */
  #phase = 0;
  #phaseFrom = 0;

  constructor(keys: PacketKeys) {
    this.#keys = keys;
  }

  open(packet: SealedPacket): Opened | null {
    const opened = openPacket(packet, this.#keys, this.#largest, (phaseBit, number) => this.#phaseOf(phaseBit, number));
    if (!opened) return null;
    const phase = this.#phaseOf(opened.phaseBit, opened.number);
    if (phase > this.#phase) [this.#phase, this.#phaseFrom] = [phase, opened.number];
    this.#largest = Math.max(this.#largest, opened.number);
    return opened;
  }

  /** Returns how often the sender of a packet had updated its keys. Packets sent before a key update may arrive after it (RFC 9001, section 6.5). */
  #phaseOf(phaseBit: boolean, number: number): number {
    if (phaseBit === (this.#phase % 2 === 1)) return this.#phase;
    return number < this.#phaseFrom && this.#phase > 0 ? this.#phase - 1 : this.#phase + 1;
  }
}

type Directions = Record<Level, Direction>;

class Opener {
  readonly #conversation: QuicConversation;
  readonly #ids: Record<"client" | "server", number>;
  readonly #make: () => Record<"client" | "server", Directions>;

  private constructor(
    conversation: QuicConversation,
    ids: Record<"client" | "server", number>,
    make: () => Record<"client" | "server", Directions>,
  ) {
    this.#conversation = conversation;
    this.#ids = ids;
    this.#make = make;
  }

  /** null if the ServerHello is not in the capture, or its cipher suite is unknown */
  static of(conversation: QuicConversation, secrets: ConnectionSecrets): Opener | null {
    const initialOf = (mine: boolean) =>
      conversation.datagrams
        .flatMap(({ fromClient, quic }) => (fromClient === mine ? quic.long : []))
        .find(({ type }) => type === "initial");
    const [asked, answer] = [initialOf(true), initialOf(false)];
    const [firstId, message] = [firstIdOf(conversation), serverHelloMessage(conversation)];
    if (!asked || !answer || !firstId) return null;
    const suite = message ? chosenCipherSuite(message) : null;
    if (suite === null || !isCipherSuite(suite)) return null;
    const directions = (end: "client" | "server"): Directions => ({
      initial: new Direction(initialKeys(firstId, end)),
      handshake: new Direction(new PacketKeys(secrets[end].handshake, suite)),
      data: new Direction(new PacketKeys(secrets[end].data, suite)),
    });
    // A short header has the receiver's connection ID, whose length the receiver chose.
    const ids = { client: answer.sourceId.length, server: asked.sourceId.length };
    return new Opener(conversation, ids, () => ({ client: directions("client"), server: directions("server") }));
  }

  /** Checks whether the secrets belong to this connection, by the tag of the first fully captured packet with a short header. */
  fits(): boolean {
    for (const { fromClient, quic } of this.#conversation.datagrams)
      if (quic.short && quic.short.bytes.length === quic.short.wholeBytes) {
        const end = fromClient ? "client" : "server";
        return this.#make()[end].data.open({ ...quic.short, numberAt: 1 + this.#ids[end] }) !== null;
      }
    return false;
  }

  open(): OpenedConversation {
    const directions = this.#make();
    const packets: OpenedPacket[] = [];
    let unopened = 0;
    for (const { packet, fromClient, quic } of this.#conversation.datagrams) {
      const end = fromClient ? "client" : "server";
      const of = { timeMs: packet.timeMs, mark: packet.mark, fromClient };
      const add = (level: Level, sealed: SealedPacket | LongPacket) => {
        if (!isCapturedFarEnough(sealed)) return;
        const opened = directions[end][level].open(sealed) ?? openBeforeRetry(sealed);
        if (!opened) unopened++;
        else packets.push(asOpened({ ...of, level, bytes: sealed.wholeBytes }, opened));
      };
      for (const sealed of quic.long) {
        const level = levelOf(sealed);
        if (level) add(level, sealed);
      }
      if (quic.short) add("data", { ...quic.short, numberAt: 1 + this.#ids[end] });
    }
    return { packets, unopened };
  }
}

/** Decrypts an Initial that the client sent before a Retry: its keys are derived from its own destination connection ID. Other packets: null. */
const openBeforeRetry = (sealed: SealedPacket | LongPacket): Opened | null =>
  "type" in sealed && sealed.type === "initial"
    ? openPacket(sealed, initialKeys(sealed.destinationId, "client"), -1)
    : null;

const levelOf = ({ type }: LongPacket): Level | null => (type === "initial" || type === "handshake" ? type : null);

function asOpened(
  packet: Pick<OpenedPacket, "timeMs" | "mark" | "fromClient" | "level" | "bytes">,
  { number, payload, payloadBytes }: Opened,
): OpenedPacket {
  const { frames, isComplete } = readFrames(payload, payloadBytes);
  // A packet that was not fully captured has data: packets with only acknowledgments are short.
  const elicits = frames.some(isAckEliciting) || !isComplete;
  return { ...packet, number, frames, isComplete, isAckEliciting: elicits };
}
