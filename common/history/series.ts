/** Texts about one series of a history. */
import { formatMetric } from '../analysis/wording';
import { parseMetric } from '../measurement/metric';
import type { HistorySeries } from './history';

export const isSameSeries = (
  one: Pick<HistorySeries, 'metric' | 'cell'>,
  other: Pick<HistorySeries, 'metric' | 'cell'>,
): boolean => one.metric === other.metric && one.cell === other.cell;

/** Returns whether the newest run has a value of the series. */
export const isMeasured = ({ means }: Pick<HistorySeries, 'means'>): boolean =>
  (means.at(-1) ?? null) !== null;

/**
 * Returns the state of a series after its last confirmed change, such as `worse`. If the newest runs may show another change, the second
 * element is `suspect`.
 */
export const statesOf = ({
  now,
  standing,
}: Pick<HistorySeries, 'now' | 'standing'>): HistorySeries['now'][] =>
  now === standing || standing === 'steady' ? [now] : [standing, now];

/** Formats a value with its unit; `–` without a value. */
export function formatFigure(
  { metric, unit }: Pick<HistorySeries, 'metric' | 'unit'>,
  value: number | null,
): string {
  const read = parseMetric(metric);
  return read === undefined ? '–' : formatMetric(read, value, unit);
}
