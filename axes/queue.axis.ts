import type { Evidence } from "../schema/evidence.ts";
import type { Direction } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { defineAxis, type Verdict } from "./axis.ts";
import { allOf, provesDirection, provesQueue } from "./direction.ts";
import { linkOf, sameQueue } from "./link-values.ts";
import { isInBytes, limitOf, type QueueLength, queueLength, queueLengthOr, textOfLength } from "./queue-length.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    queue: QueueLength;
    queueUp: QueueLength;
  }
}

/** Confirmed by the shaper's kernel, and by the slowest packet, which may not take longer than a full queue allows. */
const provesLength = (
  direction: Direction,
  length: QueueLength,
  all: ConditionValues,
  evidence: Evidence,
  registries: Registries,
): Verdict => {
  const { queuePackets, queueBytes } = limitOf(length);
  if (all.aqm === "dualpi2")
    return { notObservable: "tc does not print the limit of dualpi2, which is the kernel's own" };
  return allOf(
    provesDirection(direction, evidence.link[direction], "queuePackets", queuePackets),
    provesDirection(direction, evidence.link[direction], "queueBytes", queueBytes),
    provesQueue(direction, evidence, linkOf(all, registries)),
  );
};

/** dualpi2's default limit, in packets: a tc that does not know dualpi2 can neither set it nor print it. */
const dualpi2Packets = 10_000;

function refusedByAqm(length: QueueLength, { aqm }: ConditionValues): string | null {
  if (aqm === "dualpi2" && length !== dualpi2Packets && length !== sameQueue)
    return `dualpi2 has its own limit, which tc cannot set yet; only ${dualpi2Packets}packets is allowed`;
  return isInBytes(length) && aqm !== "none"
    ? `with ${aqm} the length is in packets; 1packets to 100000packets is allowed`
    : null;
}

const labelOfLength = (length: QueueLength) => (isInBytes(length) ? length.replace("bytes", " bytes") : `${length}`);
/** The field for packets has this unit in its name, so a length in bytes has a field of its own. */
const fieldsOf = (packets: string, bytes: string) => (length: QueueLength) =>
  isInBytes(length) ? { [bytes]: Number.parseInt(length, 10) } : { [packets]: length };

/** `queue` sets the length in both directions, unless `queueUp` sets another length upwards. */
export const axis = [
  defineAxis({
    name: "queue",
    shownByAnyLoad: true,
    title: "the length of each direction's drop-tail queue before the bottleneck, in packets or bytes",
    example: "50packets",
    follows: "lossIn",
    field: "queuePackets",
    fields: fieldsOf("queuePackets", "queueBytes"),
    value: queueLength,
    text: textOfLength,
    label: (length) => `queue ${labelOfLength(length)}`,
    sets: (length) => ({ link: limitOf(length) }),
    refuses: refusedByAqm,
    proves: (length, all, evidence, registries) =>
      allOf(
        provesLength("down", length, all, evidence, registries),
        ...(all.queueUp === sameQueue ? [provesLength("up", length, all, evidence, registries)] : []),
      ),
  }),
  defineAxis({
    name: "queueUp",
    shownByAnyLoad: true,
    title: "the length of the queue from the client; same: as long as the queue to the client",
    example: "64KB",
    follows: "queue",
    field: "queueUpPackets",
    fields: fieldsOf("queueUpPackets", "queueUpBytes"),
    value: queueLengthOr(sameQueue),
    default: sameQueue,
    text: (length) => (length === sameQueue ? length : textOfLength(length)),
    label: (length) => (length === sameQueue ? "the same queue up" : `queue ${labelOfLength(length)} up`),
    sets: (length) => (length === sameQueue ? {} : { link: { upQueue: limitOf(length) } }),
    refuses: refusedByAqm,
    proves: (length, all, evidence, registries) =>
      provesLength("up", length === sameQueue ? all.queue : length, all, evidence, registries),
  }),
];
