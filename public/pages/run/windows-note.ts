/** A note next to the chart of response times. It says over how many seconds each point calculates a percentile. */
import type { Timeline } from '../../../common/api/timeline';
import { valuesNeeded } from '../../../common/measurement/histogram';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { listed } from '../../../common/analysis/wording';
import { i18n } from '../../i18n';

type Task = Pick<Timeline['tasks'][number], 'windows' | 'points'>;

const PERCENTILES = [
  ['p50', 50],
  ['p90', 90],
  ['p99', 99],
] as const;

/** Returns the note. Undefined if each point shows the percentiles of a single second, or if there are no response times. */
export function windowsNote({ windows, points }: Task, bucketMs: number): string | undefined {
  if (!points.some(({ max }) => max !== null)) return undefined;
  if (windows === null)
    return i18n.translate('dyno.chart.window.long', {
      defaultMessage:
        'too few requests per second for percentiles; choose a trial or a shorter time to see percentiles of several seconds',
    });
  const byLength = new Map<number | null, (typeof PERCENTILES)[number][]>();
  for (const percentile of PERCENTILES) {
    const length = windows[percentile[0]];
    byLength.set(length, [...(byLength.get(length) ?? []), percentile]);
  }
  const parts = [...byLength].flatMap(([length, of]): string[] => {
    const names = of.map(([name]) => name);
    const percentiles = listed(names);
    if (length === null)
      return of.map(([name, percentile]) =>
        i18n.translate('dyno.chart.window.none', {
          defaultMessage: 'no {name}, because it needs {needed} requests, and 60 s of a trial have fewer',
          values: { name, needed: formatNumber(valuesNeeded(percentile)) },
        }),
      );
    if (length > 1)
      return [
        i18n.translate('dyno.chart.window', {
          defaultMessage: '{percentiles} over the last {length}',
          values: { percentiles, length: formatDuration(length * 1000) },
        }),
      ];
    if (bucketMs > 1000)
      return [
        i18n.translate('dyno.chart.window.worst', {
          defaultMessage: '{percentiles} of the worst second in each point',
          values: { percentiles },
        }),
      ];
    return byLength.size === 1
      ? []
      : [
          i18n.translate('dyno.chart.window.second', {
            defaultMessage: '{percentiles} of each second',
            values: { percentiles },
          }),
        ];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}
