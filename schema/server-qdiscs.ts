/** The queueing disciplines that the axis `serverQdisc` gives to servers' devices: tc-fq(8), tc-fq_codel(8). */
export const serverQdiscs = ["fq", "fq_codel"] as const;
export type ServerQdisc = (typeof serverQdiscs)[number];
