/** Builds the throughput of each trial over time from its samples. A series has few enough points for a chart. */
import { stringifyPlain } from '../../json/exact';
import type { RateUnit } from '../../tasks/registry';
import type { SampleDocument, TrialDocument } from '../../measurement/trial';
import type { ReportSeries } from './report';
import { isWholeSecond, loadEnd } from '../../measurement/sample';
import { parseTime } from '../../units/time';

/** The fields of a sample that the chart needs. */
export type SeriesSample = Pick<SampleDocument, '@timestamp' | 'trial' | 'task' | 'phase' | 'throughput'>;

/** Maximum number of points in a series. More points could not be distinguished in a chart. */
const MOST_POINTS = 240;

/**
 * Returns a series for each trial and task with samples, in the order of `trials`. A series contains only seconds in which the load ran all
 * the time. It lacks the second in which the load ended, and the later seconds in which responses still arrived.
 */
export function buildSeries(
  trials: readonly TrialDocument[],
  samples: readonly SeriesSample[],
  unitOf: (task: string) => RateUnit,
): ReportSeries[] {
  const groups = new Map<string, SeriesSample[]>();
  for (const sample of samples) {
    const key = stringifyPlain([sample.trial.id, sample.task]);
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  const taskNames = [...new Set(samples.map(({ task }) => task))];
  return trials.flatMap(({ trial, cell, times }) =>
    taskNames.flatMap((task) => {
      const own = groups.get(stringifyPlain([trial.id, task])) ?? [];
      const timed = own
        .map((sample) => ({ at: parseTime(sample['@timestamp']), sample }))
        // A trial that is repeated after an interruption has the same id as the interrupted attempt. Samples of the interrupted attempt are
        // left out.
        .filter(({ at }) => at >= parseTime(times.started))
        .sort((a, b) => a.at - b.at);
      if (timed.length === 0) return [];
      const start = timed[0]!.at;
      const end = loadEnd(times);
      const seconds = timed
        .filter(({ at, sample }) => isWholeSecond(at, sample.phase, end))
        .map(({ at, sample }) => ({ second: Math.round((at - start) / 1000), sample }));
      const measured = seconds.filter(({ sample }) => sample.phase === 'measure');
      return [
        {
          trial: trial.id,
          order: trial.order,
          cell: cell.label,
          cellIndex: cell.index,
          task,
          unit: unitOf(task),
          measureFrom: measured[0]?.second ?? null,
          measureTo: measured.length === 0 ? null : measured.at(-1)!.second + 1,
          points: thinned(seconds.map(({ second, sample }) => ({ second, throughput: sample.throughput }))),
        },
      ];
    }),
  );
}

function thinned(points: ReportSeries['points']): ReportSeries['points'] {
  const span = Math.ceil(points.length / MOST_POINTS);
  if (span <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / span) }, (_, at) => {
    const part = points.slice(at * span, (at + 1) * span);
    const throughput = part.reduce((sum, point) => sum + point.throughput, 0) / part.length;
    return { second: part[0]!.second, throughput };
  });
}
