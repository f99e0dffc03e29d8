/** What one side of a replayed connection sent, as a trace has it. */
import { columnsOf, type DirectionColumns, flagBits, type TracedPacket } from "../../../schema/trace.ts";
import type { Receipt, Segment } from "./receiver.ts";

type Row = Omit<TracedPacket, "repeated"> & { flags: number };

export class Recorded {
  readonly #rows: Row[] = [];
  #end = 0;

  /** @param segment null for an acknowledgment alone @returns what is called when it arrives */
  sent(receipt: Receipt, segment: Segment | null, frameBytes: number): (nowUs: number) => void {
    const { sentUs, acknowledgedTo, beyondTo, roomTo } = receipt;
    const syn = segment?.start === 0;
    const row: Row = {
      sentUs: Math.round(sentUs),
      arrivedUs: null,
      frameBytes,
      offset: syn ? 0 : segment ? segment.start - 1 : this.#end,
      bytes: segment && !syn ? segment.end - segment.start : 0,
      acknowledged: Math.max(0, acknowledgedTo - 1),
      sackedTo: Math.max(0, beyondTo - 1),
      window: Math.min(roomTo - acknowledgedTo, Number.MAX_SAFE_INTEGER),
      syn,
      fin: false,
      reset: false,
      flags: syn ? flagBits.syn : 0,
    };
    this.#rows.push(row);
    this.#end = Math.max(this.#end, row.offset + row.bytes);
    return (nowUs) => {
      row.arrivedUs = Math.round(nowUs);
    };
  }

  columns = (): DirectionColumns => columnsOf(this.#rows);
}
