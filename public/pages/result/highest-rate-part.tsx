/** Results of tasks that look for the highest rate that the target can sustain, and the tested rates. */
import { EuiAccordion, EuiSelect, EuiSpacer, useEuiTheme, useGeneratedHtmlId } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { RateStep } from '../../../common/measurement/highest-rate';
import {
  rateStepsSeries,
  STEP_MARKS,
  type StepMark,
  type StepsOfSearch,
} from '../../../common/report/chart/rate-steps-series';
import {
  formatReading,
  ratesTable,
  sayOutcome,
  searchesTable,
  stepsTable,
} from '../../../common/report/tables/highest-rate';
import type { Report } from '../../../common/report/model/report';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { glyphOf, type Look } from '../../charts/result/marks';
import { NumberedChart, type NumberedPoint } from '../../charts/result/numbered-chart';
import { i18n } from '../../i18n';
import { OWN_HEIGHT } from '../../ui/accordion';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
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
      undecided: { colour: colors.warning, shape: 'plus' },
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
    undecided: i18n.translate('dyno.result.rateSteps.undecided', { defaultMessage: 'undecided' }),
  })[mark];

const pointOf = (step: RateStep, look: Looks[StepMark], unit: string): NumberedPoint => ({
  number: step.number,
  value: step.perSecond,
  look,
  heading: `${step.number}: ${step.repeats ? `${step.phase}, again` : step.phase}`,
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

/** A chart of the rates that were tested in one selected trial. */
function RateSteps({ report, task }: { report: Report; task: string }): ReactNode {
  const { searches, y } = useMemo(() => rateStepsSeries(report, task), [report, task]);
  const looks = useLooks();
  const [chosen, setChosen] = useState(0);
  const search = searches[chosen] ?? searches[0];
  const unit = taskUnit(report, task);
  const steps = useMemo(
    () => (search?.steps ?? []).map(({ mark, step }) => pointOf(step, looks[mark], unit)),
    [search, looks, unit],
  );
  if (search === undefined) return null;
  const present = new Set(search.steps.map(({ mark }) => mark));
  const title = i18n.translate('dyno.result.rateSteps.title', {
    defaultMessage: 'Steps of the search of {task}, trial {trial}',
    values: { task, trial: search.trial },
  });
  const description = i18n.translate('dyno.result.rateSteps.description', {
    defaultMessage:
      'The rates in the order in which they were tried. The band is the bracket of the answer. If the band reaches the top, every rate was held.',
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
      <NumberedChart
        x={{
          title: i18n.translate('dyno.result.rateSteps.step', { defaultMessage: 'Step' }),
          span: search.x,
        }}
        y={{
          title: i18n.translate('dyno.result.rateSteps.offered', { defaultMessage: 'Offered, requests/s' }),
          span: y,
          format: formatNumber,
        }}
        points={steps}
        radius={6}
        band={search.bracket}
      />
    </ChartFrame>
  );
}

interface TrialChoiceProps {
  searches: readonly StepsOfSearch[];
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

export function HighestRatePart({ report }: { report: Report }): ReactNode {
  const id = useGeneratedHtmlId();
  const searches = useMemo(
    () =>
      report.tasks.flatMap((task) => {
        const [rates, found, steps] = [ratesTable, searchesTable, stepsTable].map((table) =>
          table(report, task),
        );
        return rates && found && steps ? [{ task, rates, found, steps }] : [];
      }),
    [report],
  );
  if (searches.length === 0) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.highestRate', { defaultMessage: 'Search for the highest rate' })}
    >
      {searches.map(({ task, rates, found, steps }) => (
        <div key={task} data-test-subj="dynoHighestRate">
          <ReportTable table={rates} />
          <EuiSpacer size="l" />
          <ReportTable table={found} />
          <EuiSpacer size="l" />
          <RateSteps report={report} task={task} />
          <EuiSpacer size="m" />
          <EuiAccordion id={`${id}-${task}`} buttonContent={steps.title} paddingSize="s" css={OWN_HEIGHT}>
            <ReportTable table={steps} titled={false} />
          </EuiAccordion>
          <EuiSpacer size="l" />
        </div>
      ))}
    </Part>
  );
}
