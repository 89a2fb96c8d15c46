/** What is said of one series of a history wherever it is shown. */
import { formatMetric } from '../analysis/wording';
import { parseMetric } from '../measurement/metric';
import type { HistorySeries } from './history';

export const isSameSeries = (
  one: Pick<HistorySeries, 'metric' | 'cell'>,
  other: Pick<HistorySeries, 'metric' | 'cell'>,
): boolean => one.metric === other.metric && one.cell === other.cell;

/** Whether the newest run tells it. */
export const isTold = ({ means }: Pick<HistorySeries, 'means'>): boolean => (means.at(-1) ?? null) !== null;

/** What stands confirmed, and beside it that the newest runs may be another change. */
export const statesOf = ({
  now,
  standing,
}: Pick<HistorySeries, 'now' | 'standing'>): HistorySeries['now'][] =>
  now === standing || standing === 'steady' ? [now] : [standing, now];

/** With its unit; `–` where there is none. */
export function formatFigure(
  { metric, unit }: Pick<HistorySeries, 'metric' | 'unit'>,
  value: number | null,
): string {
  const read = parseMetric(metric);
  return read === undefined ? '–' : formatMetric(read, value, unit);
}
