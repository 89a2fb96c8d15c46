/** Shows how rates grow with the number of nodes, clients or shards. Also calculates how many of them are needed for a given rate. */
import {
  EuiCallOut,
  EuiFieldNumber,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { isScaling, LEAST_POINTS } from '../../../common/analysis/scaling';
import type { Condition } from '../../../common/measurement/condition';
import { scalingSeries, type ScalingSeries } from '../../../common/report/chart/scaling-series';
import {
  answerCapacity,
  parseCapacityLimit,
  type CapacityAnswer,
} from '../../../common/report/model/capacity';
import type { Report } from '../../../common/report/model/report';
import { scalingTable } from '../../../common/report/tables/scaling';
import { formatNumber } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import type { TooltipEntry } from '../../charts/result/chart-tooltip';
import { ScalingChart } from '../../charts/result/scaling-chart';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';

const HEIGHT = 320;
const FIELD_WIDTH = 260;

/** Returns the lines of the chart's tooltip for `n` nodes, clients or shards: the value of the fitted curve and the measured rates. */
function linesAt({ measured, beyond, trials, unit }: ScalingSeries, n: number): TooltipEntry['lines'] {
  const own = trials.filter((trial) => trial.n === n).map(({ rate }) => formatNumber(rate));
  const point = [...measured, ...beyond].find((candidate) => candidate.n === n);
  return [
    ...(point === undefined
      ? []
      : [
          {
            label: i18n.translate('dyno.result.scaling.law', { defaultMessage: 'law' }),
            value: `${formatNumber(point.rate)} ${unit}`,
          },
          {
            label: i18n.translate('dyno.result.interval', { defaultMessage: '95% interval' }),
            value: `${formatNumber(point.low)} – ${formatNumber(point.high)}`,
          },
        ]),
    ...(own.length === 0
      ? []
      : [
          {
            label: i18n.translate('dyno.result.trials', { defaultMessage: 'trials' }),
            value: own.join('; '),
          },
        ]),
  ];
}

function LawChart({ series, task }: { series: ScalingSeries; task: string }): ReactNode {
  const { name, group } = series;
  const title = i18n.translate('dyno.result.scaling.title', {
    defaultMessage: '{task} by {name}{group}',
    values: { task, name, group: group === '' ? '' : `, ${group}` },
  });
  const description = i18n.translate('dyno.result.scaling.description', {
    defaultMessage:
      'Each dot is a trial. The line is the fitted scalability law, and the band is its 95% interval. Beyond the measured range, the line is dashed.',
  });
  const peakName = i18n.translate('dyno.result.scaling.peak', {
    defaultMessage: 'Peak: {n} ({low} to {high})',
    values: {
      n: formatNumber(series.peak?.n),
      low: formatNumber(series.peak?.low),
      high: formatNumber(series.peak?.high),
    },
  });
  const lines = useMemo(() => (n: number) => linesAt(series, n), [series]);
  return (
    <>
      <ChartFrame title={title} description={description} height={HEIGHT}>
        <ScalingChart series={series} peakName={peakName} linesAt={lines} />
      </ChartFrame>
      <EuiSpacer size="m" />
    </>
  );
}

/**
 * Shows the result of one fitted scaling curve: how many nodes, clients or shards are needed for a rate. It also says whether this number
 * keeps the latency limits, what it costs, and what is assumed.
 */
function Answer({ answer }: { answer: CapacityAnswer }): ReactNode {
  const { task, name, group, need, sentence, limits, cost, assumptions } = answer;
  const isKnown = need !== null && need.low !== null && need.high !== null;
  return (
    <EuiCallOut
      size="s"
      color={isKnown ? 'primary' : 'warning'}
      title={i18n.translate('dyno.result.capacity.answer', {
        defaultMessage: '{task} over {name}{group}',
        values: { task, name, group: group === '' ? '' : `, ${group}` },
      })}
      data-test-subj="dynoCapacityAnswer"
    >
      <EuiText size="s">
        <p>
          <strong>{sentence}</strong>
        </p>
        {[...limits.map((limit) => limit.sentence), cost]
          .filter((text) => text !== '')
          .map((text) => (
            <p key={text}>{text}</p>
          ))}
        <ul>
          {assumptions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </EuiText>
    </EuiCallOut>
  );
}

/** Parses latency limits such as `ingest.p95 < 200ms, queries.p99 < 1s`. `problem`: why the text is invalid; '' if it is valid. */
function readLimits(text: string, report: Report): { limits: Condition[]; problem: string } {
  const limits: Condition[] = [];
  for (const written of text.split(',').filter((one) => one.trim() !== '')) {
    const parsed = parseCapacityLimit(written, report);
    if ('message' in parsed) {
      const allowed = i18n.translate('dyno.result.capacity.allowed', {
        defaultMessage: '{message}. Allowed: {allowed}.',
        values: { message: parsed.message, allowed: parsed.allowed },
      });
      return { limits: [], problem: allowed };
    }
    limits.push(parsed);
  }
  return { limits, problem: '' };
}

/** A form in which the user enters a rate, to find out how many nodes, clients or shards are needed. The entered values are in the URL. */
function Question({ report }: { report: Report }): ReactNode {
  const [rateText, setRate] = useQueryState('rate');
  const [limitText, setLimit] = useQueryState('limit');
  const rate = Number(rateText);
  const { limits, problem } = useMemo(() => readLimits(limitText, report), [limitText, report]);
  const answers =
    rateText !== '' && rate > 0 && problem === ''
      ? answerCapacity(report, { rate, limits }).filter(({ need }) => need !== null)
      : [];
  return (
    <>
      <EuiFlexGroup gutterSize="m" wrap>
        <EuiFlexItem grow={false} css={{ inlineSize: FIELD_WIDTH }}>
          <EuiFormRow
            label={i18n.translate('dyno.result.capacity.rate', {
              defaultMessage: 'Required rate, per second',
            })}
          >
            <EuiFieldNumber
              compressed
              min={0}
              value={rateText}
              onChange={({ target }) => setRate(target.value)}
              data-test-subj="dynoCapacityRate"
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem grow={false} css={{ inlineSize: FIELD_WIDTH }}>
          <EuiFormRow
            label={i18n.translate('dyno.result.capacity.limit', {
              defaultMessage: 'Limits, separated by commas',
            })}
            isInvalid={problem !== ''}
            error={problem}
          >
            <EuiFieldText
              compressed
              isInvalid={problem !== ''}
              placeholder={`${report.tasks[0] ?? 'ingest'}.p95 < 200ms`}
              value={limitText}
              onChange={({ target }) => setLimit(target.value)}
              data-test-subj="dynoCapacityLimit"
            />
          </EuiFormRow>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
      {answers.map((answer) => (
        <div key={`${answer.task} ${answer.factor} ${answer.group}`}>
          <Answer answer={answer} />
          <EuiSpacer size="m" />
        </div>
      ))}
    </>
  );
}

/** Removes scaling curves with too few measured points. Such a curve fits any data. */
const withLaws = (report: Report): Report => ({
  ...report,
  scaling: (report.scaling ?? []).filter(({ points }) => points.length >= LEAST_POINTS),
});

export function CapacityPart({ report: whole }: { report: Report }): ReactNode {
  const report = useMemo(() => withLaws(whole), [whole]);
  const tasks = useMemo(
    () =>
      report.tasks.flatMap((task) => {
        const table = scalingTable(report, task);
        return table === null ? [] : [{ task, table, laws: scalingSeries(report, task) }];
      }),
    [report],
  );
  if (tasks.length === 0) return null;
  const isFitted = (report.scaling ?? []).some(({ law }) => isScaling(law));
  return (
    <Part
      title={i18n.translate('dyno.result.capacity', { defaultMessage: 'Scaling and capacity' })}
      note={
        isFitted
          ? i18n.translate('dyno.result.capacity.note', {
              defaultMessage:
                'How the rate grows with the number of nodes, clients or shards, and how many of them a required rate needs. Based on the universal scalability law, up to 1.5 times the measured range.',
            })
          : undefined
      }
    >
      {isFitted ? <Question report={report} /> : null}
      {tasks.map(({ task, table, laws }) => (
        <div key={task} data-test-subj="dynoScaling">
          {laws.map((series) => (
            <LawChart key={`${series.name} ${series.group}`} series={series} task={task} />
          ))}
          <ReportTable table={table} titled={isFitted} />
          <EuiSpacer size="l" />
        </div>
      ))}
    </Part>
  );
}
