/** Charts of requests that did not succeed at once (rejected, failed, retried), and of requests in flight. */
import { useMemo, type ReactNode } from 'react';
import type { TaskPoint, Timeline } from '../../../common/api/timeline';
import { shownOutcomes, sumOf, TROUBLE } from '../../../common/measurement/outcomes';
import { formatNumber } from '../../../common/units/format';
import { trialStarts, useTimeAxis } from '../../charts/time/axis';
import { hasValues } from '../../charts/time/lines';
import { TimeChart } from '../../charts/time/time-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { anyAbove, figureLines, unitsOf, type Figure } from './task-lines';

type Task = Timeline['tasks'][number];

export function RefusalChart({ tasks }: { tasks: readonly Task[] }): ReactNode {
  const { bucketMs, phases } = useTimeAxis();
  const lines = useMemo(() => {
    const shown = new Set(shownOutcomes(tasks.flatMap(({ points }) => points)));
    const figures = TROUBLE.filter((one) => shown.has(one)).map(({ name, label, colour }): Figure => ({
      id: name,
      name: i18n.say(label),
      colour,
      of: (point) => point[name],
    }));
    return figureLines(tasks, figures, bucketMs, trialStarts(phases));
  }, [tasks, bucketMs, phases]);
  const any = anyAbove(tasks, (point: TaskPoint) => sumOf(TROUBLE, point));
  const unit = unitsOf(tasks).join(', ');
  return (
    <TimeChart
      id="refusals"
      title={i18n.translate('dyno.chart.refusals', { defaultMessage: 'Rejections and failures' })}
      unit={unit}
      note={
        any ? undefined : i18n.translate('dyno.chart.noRefusals', { defaultMessage: 'none in this time' })
      }
      description={i18n.translate('dyno.chart.refusals.text', {
        defaultMessage:
          'Documents per second that were rejected (429 after the last retry), failed, unknown (never answered), conflicted or missing, or retried',
      })}
      lines={lines}
      format={(value) => `${formatNumber(value)}/s`}
      tick={formatNumber}
      height={any ? undefined : 96}
    />
  );
}

/** A chart of active clients, and of requests that are due but not yet sent. Shown only if the executor reports them. */
export function LoadChart({ tasks }: { tasks: readonly Task[] }): ReactNode {
  const { bucketMs, phases } = useTimeAxis();
  const colours = useSeriesColours();
  const lines = useMemo(() => {
    const figures: Figure[] = [
      {
        id: 'clients',
        name: i18n.translate('dyno.chart.clients', { defaultMessage: 'at work' }),
        colour: colours[0]!,
        of: ({ clients }) => clients,
      },
    ];
    if (anyAbove(tasks, ({ backlog }) => backlog)) {
      figures.push({
        id: 'backlog',
        name: i18n.translate('dyno.chart.backlog', { defaultMessage: 'due, not sent' }),
        colour: colours[3]!,
        of: ({ backlog }) => backlog,
      });
    }
    return figureLines(tasks, figures, bucketMs, trialStarts(phases));
  }, [tasks, colours, bucketMs, phases]);
  if (!hasValues(lines)) return null;
  return (
    <TimeChart
      id="load"
      title={i18n.translate('dyno.chart.load', { defaultMessage: 'Requests in flight' })}
      unit={i18n.translate('dyno.chart.load.unit', { defaultMessage: 'clients or requests' })}
      description={i18n.translate('dyno.chart.load.text', {
        defaultMessage: 'Busy clients or requests in flight, and requests that are due but not sent',
      })}
      lines={lines}
      format={formatNumber}
      whole
      height={120}
    />
  );
}
