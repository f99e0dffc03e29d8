/** Finds ngtcp2's congestion control in its log. Each control writes different lines (lib/ngtcp2_cc.c and ngtcp2_bbr.c of 1.11). */

/** The lines begin with a time, the connection's ID and "cca". In slow start, CUBIC logs acknowledged bytes, and Reno logs packet numbers. */
const lines: Readonly<Record<string, RegExp>> = {
  cubic: /^I\d+ 0x[0-9a-f]+ cca (\d+ bytes acked, (slow start|cubic-ca) |HyStart\+\+)/m,
  reno: /^I\d+ 0x[0-9a-f]+ cca pkn=-?\d+ acked, slow start /m,
  bbr: /^I\d+ 0x[0-9a-f]+ cca bbr /m,
};

export const congestionIn = (log: string): string[] => Object.keys(lines).filter((name) => lines[name]!.test(log));
