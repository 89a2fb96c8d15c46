/** How a search for the highest rate went: the steps of one trial, chosen, as a chart. */
import { EuiSelect, useEuiTheme } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { RateStep } from '../../../common/measurement/highest-rate';
import {
  markOf,
  searchesOf,
  STEP_MARKS,
  type RateSearch,
  type StepMark,
} from '../../../common/report/model/highest-rate-searches';
import { formatReading, sayOutcome } from '../../../common/report/tables/highest-rate';
import type { Report } from '../../../common/report/model/report';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { glyphOf, type Look } from '../../charts/result/marks';
import { RateStepsChart, type StepPoint } from '../../charts/result/rate-steps-chart';
import { i18n } from '../../i18n';
import { taskUnit } from './metrics';

const HEIGHT = 280;

type Looks = Readonly<Record<StepMark, Pick<Look, 'colour' | 'shape'>>>;

function useLooks(): Looks {
  const { colors } = useEuiTheme().euiTheme;
  return useMemo(
    () => ({
      held: { colour: colors.success, shape: 'circle' },
      'not-held': { colour: colors.danger, shape: 'triangle' },
      confirmed: { colour: colors.success, shape: 'diamond' },
      'not-confirmed': { colour: colors.danger, shape: 'square' },
    }),
    [colors],
  );
}

const markName = (mark: StepMark): string =>
  ({
    held: i18n.translate('dyno.result.rateSteps.held', { defaultMessage: 'held' }),
    'not-held': i18n.translate('dyno.result.rateSteps.notHeld', { defaultMessage: 'not held' }),
    confirmed: i18n.translate('dyno.result.rateSteps.confirmed', { defaultMessage: 'held, confirming' }),
    'not-confirmed': i18n.translate('dyno.result.rateSteps.notConfirmed', {
      defaultMessage: 'not held, confirming',
    }),
  })[mark];

const pointOf = (step: RateStep, looks: Looks, unit: string): StepPoint => ({
  number: step.number,
  rate: step.perSecond,
  look: looks[markOf(step)],
  heading: `${step.number}: ${step.repeats ? `${step.phase}, once more` : step.phase}`,
  lines: [
    { label: 'offered', value: `${formatNumber(step.perSecond)} requests/s` },
    { label: 'answered', value: `${formatNumber(step.answeredPerSecond)} requests/s` },
    { label: 'accepted', value: `${formatNumber(step.acceptedPerSecond)} ${unit}` },
    { label: 'judged for', value: formatDuration(step.judgedMs) },
    ...step.limits.map((reading) => ({ label: reading.limit, value: formatReading(reading) })),
    ...(step.unsent > 0 ? [{ label: 'not sent', value: formatNumber(step.unsent) }] : []),
    { label: 'outcome', value: step.why === '' ? sayOutcome(step) : `${sayOutcome(step)}: ${step.why}` },
  ],
});

export function RateSteps({ report, task }: { report: Report; task: string }): ReactNode {
  const searches = useMemo(
    () => searchesOf(report, task).filter(({ found }) => found.steps.length > 0),
    [report, task],
  );
  const looks = useLooks();
  const [chosen, setChosen] = useState(0);
  const search = searches[chosen] ?? searches[0];
  const unit = taskUnit(report, task);
  const steps = useMemo(
    () => (search?.found.steps ?? []).map((step) => pointOf(step, looks, unit)),
    [search, looks, unit],
  );
  if (search === undefined) return null;
  const { held, broken } = search.found.answer;
  const present = new Set(search.found.steps.map(markOf));
  const title = i18n.translate('dyno.result.rateSteps.title', {
    defaultMessage: 'Steps of the search of {task}, trial {trial}',
    values: { task, trial: search.trial },
  });
  const description = i18n.translate('dyno.result.rateSteps.description', {
    defaultMessage:
      'Each rate that was tried, in the order in which they were. The band is the bracket of the answer; where it reaches the top, no rate was refused.',
  });
  return (
    <ChartFrame
      title={title}
      description={description}
      height={HEIGHT}
      legend={STEP_MARKS.filter((mark) => present.has(mark)).map((mark) => ({
        name: markName(mark),
        colour: looks[mark].colour,
        glyph: glyphOf(looks[mark].shape),
      }))}
      controls={
        searches.length > 1 ? (
          <TrialChoice searches={searches} chosen={chosen} onChange={setChosen} />
        ) : undefined
      }
    >
      {(chart) => (
        <RateStepsChart
          chart={chart}
          title={title}
          description={description}
          xTitle={i18n.translate('dyno.result.rateSteps.step', { defaultMessage: 'Step' })}
          yTitle={i18n.translate('dyno.result.rateSteps.offered', { defaultMessage: 'Offered, requests/s' })}
          steps={steps}
          bracket={held === null && broken === null ? null : { from: held ?? 0, to: broken }}
          highest={Math.max(
            ...searches.flatMap(({ found }) => found.steps.map(({ perSecond }) => perSecond)),
          )}
        />
      )}
    </ChartFrame>
  );
}

interface TrialChoiceProps {
  searches: readonly RateSearch[];
  chosen: number;
  onChange: (at: number) => void;
}

function TrialChoice({ searches, chosen, onChange }: TrialChoiceProps): ReactNode {
  return (
    <EuiSelect
      compressed
      aria-label={i18n.translate('dyno.result.rateSteps.trial', {
        defaultMessage: 'The trial whose steps are shown',
      })}
      options={searches.map(({ label }, value) => ({ value, text: label }))}
      value={chosen}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  );
}
