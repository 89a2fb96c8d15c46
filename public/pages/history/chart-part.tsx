/**
 * Chart of one metric over all runs of an experiment. Rows above the chart show changes and notes, rows below it the versions and settings
 * of each run.
 */
import { EuiAccordion, EuiButtonEmpty, EuiSpacer, useEuiTheme, useGeneratedHtmlId } from '@elastic/eui';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { DEFINITION_BAND, type History, type HistorySeries } from '../../../common/history/history';
import { formatFigure } from '../../../common/history/series';
import { sentenceCase } from '../../../common/units/format';
import { ChartFrame } from '../../charts/result/chart-frame';
import { HistoryChart, type HistoryMark } from '../../charts/result/history-chart';
import { glyphOf, type Look } from '../../charts/result/marks';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import { Bands, Flags } from './lanes';
import { RunsTable } from './runs-table';
import {
  changeSize,
  flagsOf,
  formatTick,
  lanesOf,
  tickUnit,
  viewOf,
  type Flag,
  type RunMark,
  type SeriesView,
  type Sort,
  type Stretch,
} from './view';
import { sortName } from './words';

/** The flyout with a definition. It includes a text editor, so its code is loaded only when needed. */
const DefinitionFlyout = lazy(() => import('./definition-flyout'));

const HEIGHT = 340;

type Looks = Readonly<Record<Sort, Pick<Look, 'colour' | 'shape'>>>;

function useLooks(): Looks {
  const { colors } = useEuiTheme().euiTheme;
  return useMemo(
    () => ({
      run: { colour: colors.vis.euiColorVis2, shape: 'circle' },
      outlier: { colour: colors.warning, shape: 'diamond' },
      worse: { colour: colors.danger, shape: 'triangle' },
      better: { colour: colors.success, shape: 'square' },
      recovery: { colour: colors.success, shape: 'square' },
    }),
    [colors],
  );
}

interface ChartPartProps {
  history: History;
  series: HistorySeries;
  stretch: Stretch;
  onZoom: (stretch: Stretch) => void;
}

export function ChartPart({ history, series, stretch, onZoom }: ChartPartProps): ReactNode {
  const { host } = useApp();
  const { euiTheme } = useEuiTheme();
  const looks = useLooks();
  const listId = useGeneratedHtmlId();
  const [definition, setDefinition] = useState<number | null>(null);
  const [isListed, setListed] = useState(false);
  const view = useMemo(() => viewOf(history, series, stretch), [history, series, stretch]);
  const lanes = useMemo(() => lanesOf(history, stretch, view.axis), [history, stretch, view.axis]);
  const flags = useMemo(() => flagsOf(history, series, stretch), [history, series, stretch]);
  const definitions = useMemo(
    () =>
      new Set(
        history.bands
          .filter(({ what, from }) => what === DEFINITION_BAND && from > 0)
          .map(({ from }) => from),
      ),
    [history.bands],
  );
  const marks = useMemo(
    () => marksOf(view, series, looks, new Map(flags.map((flag) => [flag.point, flag]))),
    [view, series, looks, flags],
  );
  const levels = useMemo(
    () =>
      view.levels.map(({ from, to, level, kind }) => ({
        ...{ from, to, level },
        colour: kind === undefined ? euiTheme.colors.darkShade : looks[kind].colour,
      })),
    [view.levels, looks, euiTheme],
  );
  const lines = useMemo(
    () =>
      flags.map(({ at, change }) => ({
        at,
        strong: change !== undefined,
        colour: change === undefined ? euiTheme.colors.darkShade : euiTheme.colors.mediumShade,
      })),
    [flags, euiTheme],
  );
  const open = useCallback(
    (run: string) => host.history.push(`/runs/${encodeURIComponent(run)}/result`),
    [host],
  );
  const runs = useMemo(() => [...view.marks, ...view.gaps].sort((a, b) => a.at - b.at), [view]);
  const onChoose = useCallback((mark: number) => open(runs[mark]!.run), [open, runs]);
  const zoom = useCallback((from: number, to: number) => onZoom({ from, to }), [onZoom]);
  const y = useMemo(
    () => ({ span: view.span, unit: view.unit, format: (value: number) => formatTick(series, value) }),
    [view.span, view.unit, series],
  );
  const x = useMemo(() => ({ min: view.axis.from, max: view.axis.to }), [view.axis]);
  const chosen = (point: number): void => {
    if (definitions.has(point)) setDefinition(point);
    else open(history.nights[point]!.run);
  };
  const unit = tickUnit(series);
  const title = `${sentenceCase(series.title)}${unit === '' ? '' : ` (${unit})`}, ${series.label}`;
  const description = i18n.translate('dyno.history.chart.read', {
    defaultMessage:
      'Each point is the mean over the trials of one run. Click it to open the run; drag over the chart to zoom in.',
  });
  const listTitle = i18n.translate('dyno.history.runs', {
    defaultMessage: '{count, plural, one {# run} other {# runs}} as a table',
    values: { count: runs.length },
  });
  const sorts = (['run', 'outlier', 'worse', 'better', 'recovery'] as const).filter((sort) =>
    view.marks.some((mark) => mark.sort === sort),
  );
  return (
    <>
      <ChartFrame
        title={title}
        description={description}
        height={HEIGHT + 24}
        legend={[
          ...sorts.map((sort) => ({
            name: sortName(sort),
            colour: looks[sort].colour,
            glyph: glyphOf(looks[sort].shape),
          })),
          {
            name: i18n.translate('dyno.history.level', { defaultMessage: 'level' }),
            colour: euiTheme.colors.darkShade,
            glyph: '━',
          },
        ]}
      >
        <>
          <Flags
            flags={flags}
            axis={view.axis}
            series={series}
            onChoose={({ point }: Flag) => chosen(point)}
          />
          <div css={{ blockSize: HEIGHT }}>
            <HistoryChart
              x={x}
              y={y}
              marks={marks}
              levels={levels}
              lines={lines}
              intervalColour={looks.run.colour}
              onChoose={onChoose}
              onZoom={zoom}
            />
          </div>
        </>
      </ChartFrame>
      <EuiSpacer size="s" />
      <Bands {...lanes} axis={view.axis} onDefinition={setDefinition} />
      <EuiSpacer size="m" />
      <EuiAccordion id={listId} buttonContent={listTitle} onToggle={setListed}>
        {isListed ? <RunsTable series={series} view={view} /> : null}
      </EuiAccordion>
      {definition === null ? null : (
        <Suspense fallback={null}>
          <DefinitionFlyout
            before={history.nights[definition - 1]!}
            after={history.nights[definition]!}
            onClose={() => setDefinition(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Returns the points of the chart in the order of time. Runs without a value are included. */
function marksOf(
  { marks, gaps }: SeriesView,
  series: HistorySeries,
  looks: Looks,
  flags: ReadonlyMap<number, Flag>,
): HistoryMark[] {
  const changed = (point: number): HistoryMark['lines'] =>
    (flags.get(point)?.what ?? []).map((value, at) => ({
      label: at === 0 ? i18n.translate('dyno.history.tip.changed', { defaultMessage: 'changed' }) : '',
      value,
    }));
  const measured = marks.map((mark) => ({
    at: mark.at,
    value: mark.mean,
    interval: mark.interval,
    look: looks[mark.sort],
    isLarge: mark.sort !== 'run',
    heading: formatLocal(mark.iso),
    lines: [...linesOf(mark, series), ...changed(mark.point)],
  }));
  const unmeasured = gaps.map(({ point, at, iso }) => ({
    ...{ at, value: null, interval: null, look: looks.run, isLarge: false },
    heading: formatLocal(iso),
    lines: [
      {
        label: i18n.translate('dyno.history.tip.mean', { defaultMessage: 'mean' }),
        value: i18n.translate('dyno.history.tip.none', { defaultMessage: 'not measured in this run' }),
      },
      ...changed(point),
    ],
  }));
  return [...measured, ...unmeasured].sort((one, other) => one.at - other.at);
}

function linesOf(
  { mean, interval, trials, level, change, sort }: RunMark,
  series: HistorySeries,
): HistoryMark['lines'] {
  const format = (value: number): string => formatFigure(series, value);
  return [
    {
      label: i18n.translate('dyno.history.tip.mean', { defaultMessage: 'mean' }),
      value: format(mean),
    },
    {
      label: i18n.translate('dyno.history.tip.interval', { defaultMessage: '95% interval' }),
      value:
        interval === null
          ? i18n.translate('dyno.history.tip.one', { defaultMessage: 'needs 2 trials' })
          : `${format(interval.min)} to ${format(interval.max)}`,
    },
    { label: i18n.translate('dyno.history.tip.trials', { defaultMessage: 'trials' }), value: String(trials) },
    ...(level === null
      ? []
      : [
          {
            label: i18n.translate('dyno.history.tip.level', { defaultMessage: 'level' }),
            value: format(level),
          },
        ]),
    ...(change === undefined ? [] : [{ label: sortName(sort), value: changeSize(change, series) }]),
    ...(sort === 'outlier' ? [{ label: sortName(sort), value: '' }] : []),
  ];
}

/** A button that shows the whole time range again after the user has zoomed in. */
export function WholeButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <EuiButtonEmpty size="s" iconType="magnifyMinus" onClick={onClick}>
      {i18n.translate('dyno.history.whole', { defaultMessage: 'Show all runs' })}
    </EuiButtonEmpty>
  );
}
