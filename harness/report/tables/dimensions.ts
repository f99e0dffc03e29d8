/** What the rows, columns and filters of a table can be made of: one line a dimension. */
import type { Setting } from "./setting.ts";

export type DimensionValue = string | number;

export interface Dimension {
  /** The setting's value; undefined where the case itself changes it. */
  of(setting: Setting): DimensionValue | undefined;
  /** The value as the paper heads its rows and columns. */
  label(value: DimensionValue): string;
}

const rate = ({ downMbps, upMbps }: Setting) => (downMbps === undefined ? undefined : `${downMbps}/${upMbps}`);

export const dimensions = {
  page: { of: ({ page }) => page, label: (page) => `Page ${page}` },
  servers: { of: ({ servers }) => servers, label: (count) => (count === 1 ? "1 server" : `${count} servers`) },
  /** Down/up in Mb/s, as the paper writes it: "10/1". */
  rate: { of: rate, label: String },
  rtt: { of: ({ rttMs }) => rttMs, label: (ms) => `${ms}ms` },
  loss: { of: ({ lossPercent }) => lossPercent, label: (percent) => `${percent}% PLR` },
  queue: { of: ({ queuePackets }) => queuePackets, label: (packets) => `queue ${packets}` },
  channel: { of: ({ channel }) => channel, label: String },
  protocol: { of: ({ protocol }) => protocol, label: String },
  initcwnd: { of: ({ initcwnd }) => initcwnd, label: (segments) => `initcwnd ${segments}` },
  server: { of: ({ server }) => server, label: String },
  congestion: { of: ({ congestion }) => congestion, label: String },
} satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof dimensions;

export const dimensionNames = Object.keys(dimensions) as DimensionName[];

/** The dimension by name, in its general form. */
export const dimension = (name: DimensionName): Dimension => dimensions[name];

/** Allowed values by dimension; a dimension that is not named allows all. */
export type Filter = { [name in DimensionName]?: DimensionValue[] | undefined };

/** True if the setting has an allowed value in every dimension of the filter. */
export function passes(setting: Setting, filter: Filter): boolean {
  return dimensionNames.every((name) => {
    const value = dimension(name).of(setting);
    return filter[name]?.includes(value as DimensionValue) ?? true;
  });
}

/** The filter in the words of the tables: "Page A, Page B, 0% PLR". */
export const filterLabel = (filter: Filter): string =>
  dimensionNames.flatMap((name) => (filter[name] ?? []).map((value) => dimension(name).label(value))).join(", ");
