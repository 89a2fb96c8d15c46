/**
 * Comparison of the run with a published benchmark. It only shows ratios to the baseline, because absolute values of other machines are not
 * comparable.
 */
import { EuiAccordion, EuiSpacer, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import { Fragment, useMemo, useState, type ReactNode } from 'react';
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import { cellNames } from '../../../common/report/model/cell-names';
import { formatNumber } from '../../../common/units/format';
import type { Report, ReportPublished, ReportPublishedFigure } from '../../../common/report/model/report';
import {
  accountLists,
  digestSentence,
  digestTable,
  figureWords,
  isManyFigures,
  publishedSentence,
  publishedTable,
} from '../../../common/report/tables/published';
import { ChartFrame } from '../../charts/result/chart-frame';
import { spanOf } from '../../../common/report/chart/axes';
import { IntervalChart, intervalHeight, type IntervalMark } from '../../charts/result/interval-chart';
import { glyphOf, lookOf } from '../../charts/result/marks';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

const NO_DIFFERENCE = 1;

/** Returns the data of the chart without the baseline, because the ratio of the baseline is always 1. */
function chartOf(
  report: Report,
  { cells: all, unit }: ReportPublishedFigure,
): { names: string[]; marks: IntervalMark[] } {
  const { names } = cellNames(report);
  const cells = all.flatMap((of, at) => (of.agreement?.ratio != null ? [{ name: names[at]!, of }] : []));
  const marks = cells.flatMap(({ name, of: { comparison, agreement, published } }, x): IntervalMark[] => {
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
    const theirs = mark(1, agreement!.ratio, [
      {
        label: i18n.translate('dyno.result.published.theirs', { defaultMessage: 'published' }),
        value: `${formatChange(agreement!.ratio)} (${formatNumber(published)} ${unit})`,
      },
      {
        label: i18n.translate('dyno.result.published.direction', { defaultMessage: 'direction' }),
        value: agreement!.direction,
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
      {accountLists(published).map(({ heading, items }) => (
        <Fragment key={heading}>
          <h3>{heading}</h3>
          {list(items)}
        </Fragment>
      ))}
    </EuiText>
  );
}

interface ComparisonProps {
  report: Report;
  published: ReportPublished;
  figure: ReportPublishedFigure;
}

function Comparison({ report, published, figure }: ComparisonProps): ReactNode {
  const colours = useSeriesColours();
  const { names, marks } = useMemo(() => chartOf(report, figure), [report, figure]);
  const table = useMemo(() => publishedTable(report, published, figure), [report, published, figure]);
  const words = figureWords(figure);
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
      title: i18n.translate('dyno.result.published.axis', { defaultMessage: 'Change from the baseline' }),
      format: (ratio: number) => formatChange(ratio),
      span: spanOf(marks, { always: [NO_DIFFERENCE] }),
    }),
    [marks],
  );
  const reference = useMemo(
    () => ({
      value: NO_DIFFERENCE,
      name: i18n.translate('dyno.result.published.none', { defaultMessage: 'No change' }),
    }),
    [],
  );
  const title = i18n.translate('dyno.result.published.chart', {
    defaultMessage: 'Change of {figure} from the baseline, in this run and as published',
    values: { figure: figure.name },
  });
  const description = i18n.translate('dyno.result.published.description', {
    defaultMessage:
      'Both are changes from their own baseline, {baseline}, because absolute numbers of different machines are not comparable.',
    values: { baseline: cellNames(report).names[report.baseline] },
  });
  return (
    <>
      {marks.length === 0 ? null : (
        <ChartFrame
          title={title}
          description={description}
          height={intervalHeight(places, groups.length, 260)}
          legend={groups.map(({ name, look }) => ({ name, colour: look.colour, glyph: glyphOf(look.shape) }))}
        >
          <IntervalChart places={places} groups={groups} marks={marks} y={y} reference={reference} />
        </ChartFrame>
      )}
      <EuiSpacer size="m" />
      {/* Without a chart above, only the table names the metric. */}
      <ReportTable table={table} titled={marks.length === 0} />
      <EuiSpacer size="s" />
      <EuiText size="s">
        <p>{words.summary}</p>
        {words.cells.length === 0 ? null : (
          <ul>
            {words.cells.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </EuiText>
    </>
  );
}

/**
 * Compares the run with a published benchmark in many metrics. One table and a few sentences cover all metrics. Each metric also has a
 * chart that can be opened.
 */
function Digest({ report, published }: Omit<ComparisonProps, 'figure'>): ReactNode {
  const table = useMemo(() => digestTable(report, published), [report, published]);
  return (
    <>
      <ReportTable table={table} titled={false} />
      <EuiSpacer size="s" />
      <EuiText size="s">
        <p>{digestSentence(published)}</p>
      </EuiText>
      <EuiSpacer size="s" />
      {published.figures.map((figure) => (
        <FigureAccordion key={figure.figure} report={report} published={published} figure={figure} />
      ))}
      <EuiSpacer size="m" />
    </>
  );
}

/**
 * Compares the run with a published benchmark in one metric. The section is closed at first, and its contents are drawn when a user opens
 * it.
 */
function FigureAccordion(props: ComparisonProps): ReactNode {
  const id = useGeneratedHtmlId();
  const [drawn, setDrawn] = useState(false);
  return (
    <EuiAccordion
      id={id}
      buttonContent={<EuiText size="s">{props.figure.name}</EuiText>}
      paddingSize="s"
      onToggle={(isOpen) => isOpen && setDrawn(true)}
    >
      {drawn ? <Comparison {...props} /> : null}
    </EuiAccordion>
  );
}

export function PublishedPart({ report }: { report: Report }): ReactNode {
  const { published } = report;
  if (published === null) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.published', {
        defaultMessage: 'Compared with the published numbers',
      })}
      note={`${published.title} (${published.seed}).${published.figures.length === 0 ? ` ${publishedSentence(report)}` : ''}`}
    >
      {isManyFigures(published) ? (
        <Digest report={report} published={published} />
      ) : (
        published.figures.map((figure) => (
          <Fragment key={figure.figure}>
            <Comparison report={report} published={published} figure={figure} />
            <EuiSpacer size="m" />
          </Fragment>
        ))
      )}
      <EuiAccordion
        id="published-account"
        buttonContent={i18n.translate('dyno.result.published.more', {
          defaultMessage: 'The published benchmark: conditions, inconsistencies, changes',
        })}
      >
        <EuiSpacer size="s" />
        <Account published={published} />
      </EuiAccordion>
    </Part>
  );
}
