/** Where a host speaks a protocol: the one place that knows its scheme. */
export const origin = ({ port }: { port: number }, host: string): string => `https://${host}:${port}`;
