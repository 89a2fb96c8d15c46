/** The published account beside the run: ratios to the baseline alone, for figures of other machines tell nothing here. */
import { EuiAccordion, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import { cellNames } from '../../../common/report/cell-names';
import { publishedSentence } from '../../../common/report/facts';
import type { Report, ReportPublished } from '../../../common/report/model';
import { publishedTable } from '../../../common/report/run-tables';
import { ChartFrame } from '../../charts/result/chart-frame';
import { IntervalChart, type IntervalMark } from '../../charts/result/interval-chart';
import { glyphOf, lookOf } from '../../charts/result/marks';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

const NO_DIFFERENCE = 1;

/** Without the baseline, which is 1 on both sides. */
function chartOf(report: Report, { task }: ReportPublished): { names: string[]; marks: IntervalMark[] } {
  const { names } = cellNames(report);
  const cells = report.cells.flatMap((of, at) => {
    const own = of.tasks.find((candidate) => candidate.task === task);
    return own?.published?.ratio != null && !of.baseline ? [{ name: names[at]!, own }] : [];
  });
  const marks = cells.flatMap(({ name, own: { comparison, published } }, x): IntervalMark[] => {
    const mark = (group: number, mean: number | null, lines: IntervalMark['lines']): IntervalMark => ({
      x,
      group,
      mean,
      low: null,
      high: null,
      values: [],
      heading: name,
      lines,
    });
    const yours = mark(0, comparison?.ratio ?? null, [
      {
        label: i18n.translate('dyno.result.published.yours', { defaultMessage: 'this run' }),
        value: `${formatChange(comparison?.ratio ?? null)} (${formatChanges(comparison?.interval ?? null)})`,
      },
      {
        label: i18n.translate('dyno.result.published.found', { defaultMessage: 'found' }),
        value: comparison?.word ?? '–',
      },
    ]);
    const theirs = mark(1, published!.ratio, [
      {
        label: i18n.translate('dyno.result.published.theirs', { defaultMessage: 'published' }),
        value: formatChange(published!.ratio),
      },
      {
        label: i18n.translate('dyno.result.published.direction', { defaultMessage: 'direction' }),
        value: published!.direction,
      },
    ]);
    const { low = null, high = null } = comparison?.interval ?? {};
    return [...(comparison?.ratio == null ? [] : [{ ...yours, low, high }]), theirs];
  });
  return { names: cells.map(({ name }) => name), marks };
}

function Account({ published }: { published: ReportPublished }): ReactNode {
  const list = (items: readonly string[]): ReactNode => (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
  return (
    <EuiText size="s">
      <h3>{i18n.translate('dyno.result.published.conditions', { defaultMessage: 'Its conditions' })}</h3>
      {list(published.conditions)}
      {published.notes.length === 0 ? null : (
        <>
          <h3>
            {i18n.translate('dyno.result.published.notes', {
              defaultMessage: 'What does not add up in it, and what had to change',
            })}
          </h3>
          {list(published.notes)}
        </>
      )}
    </EuiText>
  );
}

function Comparison({ report, published }: { report: Report; published: ReportPublished }): ReactNode {
  const colours = useSeriesColours();
  const { names, marks } = useMemo(() => chartOf(report, published), [report, published]);
  const table = useMemo(() => publishedTable(report), [report]);
  const groups = useMemo(
    () => [
      {
        name: i18n.translate('dyno.result.published.run', {
          defaultMessage: 'This run, with its 95% interval',
        }),
        look: lookOf(colours, 0),
        joined: false,
      },
      {
        name: i18n.translate('dyno.result.published.account', {
          defaultMessage: 'Published, without an interval',
        }),
        look: lookOf(colours, 1),
        joined: false,
      },
    ],
    [colours],
  );
  const places = useMemo(() => ({ names, values: null, title: cellNames(report).heading }), [names, report]);
  const y = useMemo(
    () => ({
      title: i18n.translate('dyno.result.published.axis', { defaultMessage: 'Change to the baseline' }),
      format: (ratio: number) => formatChange(ratio),
    }),
    [],
  );
  const reference = useMemo(
    () => ({
      value: NO_DIFFERENCE,
      name: i18n.translate('dyno.result.published.none', { defaultMessage: 'No change' }),
    }),
    [],
  );
  const title = i18n.translate('dyno.result.published.chart', {
    defaultMessage: 'Throughput of {task} against the baseline, here and in the account',
    values: { task: published.task },
  });
  const description = i18n.translate('dyno.result.published.description', {
    defaultMessage:
      'Both as changes to their own baseline, {baseline}: absolute figures of other machines are not comparable.',
    values: { baseline: cellNames(report).names[report.baseline] },
  });
  return (
    <>
      {marks.length === 0 ? null : (
        <ChartFrame
          title={title}
          description={description}
          height={260}
          legend={groups.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))}
        >
          {(chart) => (
            <IntervalChart
              chart={chart}
              title={title}
              description={description}
              places={places}
              groups={groups}
              marks={marks}
              y={y}
              reference={reference}
            />
          )}
        </ChartFrame>
      )}
      {table === null ? null : (
        <>
          <EuiSpacer size="m" />
          <ReportTable table={table} titled={false} />
        </>
      )}
    </>
  );
}

export function PublishedPart({ report }: { report: Report }): ReactNode {
  const { published } = report;
  if (published === null) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.published', { defaultMessage: 'Beside the published figures' })}
      note={`${published.title} (${published.seed}). ${publishedSentence(report)}`}
    >
      <Comparison report={report} published={published} />
      <EuiSpacer size="m" />
      <EuiAccordion
        id="published-account"
        buttonContent={i18n.translate('dyno.result.published.more', {
          defaultMessage: 'Under which conditions the account measured',
        })}
      >
        <EuiSpacer size="s" />
        <Account published={published} />
      </EuiAccordion>
    </Part>
  );
}
