/** For tests: the losses that netem draws from a seed (net/sched/sch_netem.c: prandom_u32_state, four Tausworthe generators). */
const generators = [
  { least: 2, shift: 6, back: 13, mask: 0xfffffffe, on: 18 },
  { least: 8, shift: 2, back: 27, mask: 0xfffffff8, on: 2 },
  { least: 16, shift: 13, back: 21, mask: 0xfffffff0, on: 7 },
  { least: 128, shift: 3, back: 12, mask: 0xffffff80, on: 13 },
];

/** Returns for each packet whether it is lost. Packets are lost independently of one another, with the probability `share`. */
export function netemLosses(seed: number, share: number, packets: number): boolean[] {
  const low = BigInt(seed);
  const mixed = Number(((low >> 32n) ^ (low << 10n) ^ low) & 0xffffffffn);
  const states = generators.map(({ least }) => (mixed < least ? mixed + least : mixed));
  return Array.from({ length: packets }, () => {
    generators.forEach(({ shift, back, mask, on }, i) => {
      const state = states[i]!;
      states[i] = (((state & mask) << on) ^ (((state << shift) ^ state) >>> back)) >>> 0;
    });
    return states.reduce((all, state) => (all ^ state) >>> 0, 0) <= share * 0xffffffff;
  });
}
