/** History of an experiment: its current state, what changed and when, and each metric over all runs. */
import {
  EuiBadge,
  EuiButtonEmpty,
  EuiEmptyPrompt,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiSelect,
  EuiSkeletonRectangle,
  EuiSkeletonText,
  EuiSpacer,
  EuiText,
  EuiTitle,
} from '@elastic/eui';
import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { useParams } from 'react-router';
import type { History, HistorySeries } from '../../../common/history/history';
import { isSameSeries } from '../../../common/history/series';
import { watchHistory, watchSentence } from '../../../common/history/watch';
import { plural, sentenceCase } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { AppLink, useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page, Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { formatLocal, formatShort } from '../../ui/time';
import { missedSentence } from '../../../common/experiment/missed';
import { useRulesButton } from '../../ui/rules-button';
import { BaselineMenu } from './baseline-menu';
import { ChangesPart } from './changes-part';
import { ChartPart, WholeButton } from './chart-part';
import { NotesPart } from './notes-part';
import { SeriesTable } from './series-table';
import {
  byUrgency,
  isShown,
  isWithin,
  runsMissing,
  rowsOf,
  stretchOf,
  TIMES,
  writtenStretch,
  type SeriesRow,
  type Stretch,
} from './view';
import { stateBadge } from './words';
import { historyRequest } from './request';

/** Refresh interval, in ms. It is long, because runs are usually hours apart. */
const RENEW_MS = 60_000;
const CHART_HEIGHT = 480;

const skeleton = (
  <>
    <EuiSkeletonText lines={3} />
    <EuiSpacer />
    <EuiSkeletonRectangle width="100%" height={CHART_HEIGHT} />
  </>
);

export default function HistoryPage(): ReactNode {
  const { id = '' } = useParams();
  const linkProps = useLinkProps();
  const query = useApi('getHistory', historyRequest(id), { every: RENEW_MS });
  const rules = useRulesButton({ experiment: id }, 'dyno.experimentRegression', 's');
  const title = i18n.translate('dyno.history.title', { defaultMessage: 'History' });
  const name = query.data?.experiment.name;
  const experiment = `/experiments/${encodeURIComponent(id)}`;
  return (
    <Page
      title={title}
      heading={name ?? title}
      above={[
        {
          text: i18n.translate('dyno.nav.experiments', { defaultMessage: 'Experiments' }),
          path: '/experiments',
        },
        { text: name ?? id, path: experiment },
      ]}
      description={query.data === undefined ? undefined : <Facts history={query.data} />}
      actions={[
        ...(query.data === undefined || query.data.nights.length === 0
          ? []
          : [<BaselineMenu key="baseline" history={query.data} />]),
        ...rules,
        <EuiButtonEmpty
          key="runs"
          size="s"
          iconType="table"
          {...linkProps(`/runs?experiment=${encodeURIComponent(id)}`)}
        >
          {i18n.translate('dyno.history.runs', { defaultMessage: 'All runs' })}
        </EuiButtonEmpty>,
        <EuiButtonEmpty key="definition" size="s" iconType="pencil" {...linkProps(experiment)}>
          {i18n.translate('dyno.history.definition', { defaultMessage: 'Definition' })}
        </EuiButtonEmpty>,
      ]}
    >
      <Loadable query={query} skeleton={skeleton}>
        {(history) => (history.nights.length === 0 ? <NoRuns /> : <Loaded id={id} history={history} />)}
      </Loadable>
    </Page>
  );
}

function Facts({ history: { nights: runs, series } }: { history: History }): ReactNode {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (first === undefined || last === undefined) return null;
  return `${plural(runs.length, 'run')}, ${formatLocal(first.at)} to ${formatLocal(last.at)} · ${plural(series.length, 'series', 'series')}`;
}

function NoRuns(): ReactNode {
  return (
    <EuiEmptyPrompt
      iconType="visLine"
      title={
        <h2>{i18n.translate('dyno.history.none.title', { defaultMessage: 'No run has completed yet' })}</h2>
      }
      body={
        <>
          <p>
            {i18n.translate('dyno.history.none.body', {
              defaultMessage: 'The history shows every completed run. Run the experiment, or add a schedule.',
            })}
          </p>
          <AppLink to="/experiments">
            {i18n.translate('dyno.history.none.link', { defaultMessage: 'All experiments' })}
          </AppLink>
        </>
      }
    />
  );
}

const STANDING_COLORS = {
  regression: 'danger',
  'cannot-tell': 'warning',
  'too-few': 'subdued',
  'no-regression': 'success',
} as const;

/** Current state of the experiment, at the top of the page. */
function CurrentState({ history }: { history: History }): ReactNode {
  const watch = watchHistory(history);
  const { text, color, icon } = stateBadge(watch.state);
  const missing = runsMissing(history);
  const sentence = sentenceCase(watchSentence(history, watch, ({ at }) => formatLocal(at)));
  const silent = watch.silent.length;
  return (
    <EuiPanel
      color={STANDING_COLORS[watch.state]}
      hasShadow={false}
      paddingSize="l"
      data-test-subj="dynoHistoryStanding"
    >
      <EuiFlexGroup gutterSize="m" responsive={false} alignItems="center">
        <EuiFlexItem grow={false}>
          <EuiBadge color={color} iconType={icon}>
            {text}
          </EuiBadge>
        </EuiFlexItem>
        <EuiFlexItem>
          <EuiTitle size="xs">
            <h2>{sentence}</h2>
          </EuiTitle>
        </EuiFlexItem>
      </EuiFlexGroup>
      {missing > 0 || silent > 0 ? (
        <EuiText size="s" css={{ marginBlockStart: 8 }}>
          {missing > 0 ? (
            <p>
              {i18n.translate('dyno.history.missing', {
                defaultMessage:
                  '{count, plural, one {One more run is} other {# more runs are}} needed to distinguish a change from noise.',
                values: { count: missing },
              })}
            </p>
          ) : null}
          {silent > 0 ? (
            <p>
              {i18n.translate('dyno.history.silent', {
                defaultMessage:
                  '{count, plural, one {One series of the previous run is} other {# series of the previous run are}} missing in the newest run.',
                values: { count: silent },
              })}
            </p>
          ) : null}
        </EuiText>
      ) : null}
    </EuiPanel>
  );
}

/**
 * Reads the filters of the page and the selected chart from the URL. The filters are a metric, a combination of factor levels and a time
 * range.
 */
function useShown(history: History) {
  const [metric, setMetric] = useQueryState('metric');
  const [cell, setCell] = useQueryState('cell');
  const [time, setTime] = useQueryState('time');
  const [seriesMetric, setSeriesMetric] = useQueryState('series');
  const [seriesCell, setSeriesCell] = useQueryState('of');
  const filtered = useMemo(
    () =>
      byUrgency(
        history.series.filter(
          (series) => (metric === '' || series.metric === metric) && (cell === '' || series.cell === cell),
        ),
      ),
    [history, metric, cell],
  );
  const wanted = { metric: seriesMetric, cell: seriesCell };
  const chosen = filtered.find((series) => isSameSeries(series, wanted)) ?? filtered[0];
  const choose = useCallback(
    (series: Pick<HistorySeries, 'metric' | 'cell'>) => {
      setSeriesMetric(series.metric);
      setSeriesCell(series.cell);
    },
    [setSeriesMetric, setSeriesCell],
  );
  const stretch = useMemo(() => stretchOf(time, history.nights), [time, history.nights]);
  return { metric, setMetric, cell, setCell, time, setTime, filtered, chosen, choose, stretch };
}

type Shown = ReturnType<typeof useShown>;

function Loaded({ id, history }: { id: string; history: History }): ReactNode {
  const shown = useShown(history);
  const { filtered, chosen, choose, stretch, setMetric, setCell, setTime } = shown;
  const chart = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(filtered, history.changes), [filtered, history.changes]);
  const changes = useMemo(
    () =>
      history.changes.filter(
        (change) =>
          isWithin(stretch, change.since.at) && filtered.some((series) => isSameSeries(series, change)),
      ),
    [history.changes, stretch, filtered],
  );
  const show = useCallback(
    (series: Pick<HistorySeries, 'metric' | 'cell'>) => {
      choose(series);
      chart.current?.scrollIntoView({ block: 'nearest' });
    },
    [choose],
  );
  const zoom = useCallback((to: Stretch) => setTime(writtenStretch(to)), [setTime]);
  const onChoose = useCallback(({ series }: SeriesRow) => show(series), [show]);
  return (
    <>
      <CurrentState history={history} />
      <EuiSpacer size="l" />
      <Filters history={history} shown={shown} />
      <EuiSpacer size="l" />
      <ChangesPart
        experiment={id}
        changes={changes}
        onShow={(change) => {
          setMetric('');
          setCell('');
          show(change);
        }}
      />
      <Part title={i18n.translate('dyno.history.series', { defaultMessage: 'Series' })}>
        <div ref={chart} css={{ scrollMarginTop: 'calc(var(--euiFixedHeadersOffset, 0px) + 16px)' }}>
          {chosen === undefined ? null : (
            <>
              <ChosenChart id={id} chosen={chosen} stretch={stretch} onZoom={zoom} />
              <EuiSpacer size="l" />
            </>
          )}
        </div>
        <SeriesTable
          rows={rows}
          chosen={chosen && rows.find(({ series }) => series === chosen)?.key}
          onChoose={onChoose}
          margin={history.margin}
        />
      </Part>
      <Part title={i18n.translate('dyno.history.notes', { defaultMessage: 'Notes' })}>
        <NotesPart
          history={{
            ...history,
            notes: history.notes.filter(({ at }) => isShown(stretch, history.nights, at)),
          }}
        />
      </Part>
      <Missed history={history} stretch={stretch} />
    </>
  );
}

/** Number of missed times of the schedule that are listed. */
const MOST_MISSED = 20;

/** Lists the times at which the schedule started no run, the newest first. Renders nothing if there are no such times. */
function Missed({
  history: { missed = [], nights: runs },
  stretch,
}: {
  history: History;
  stretch: Stretch;
}): ReactNode {
  const shown = missed.filter(({ last }) => isShown(stretch, runs, last)).reverse();
  if (shown.length === 0) return null;
  return (
    <Part title={i18n.translate('dyno.history.missed', { defaultMessage: 'Missed and skipped times' })}>
      <EuiText size="s">
        <ul>
          {shown.slice(0, MOST_MISSED).map((one) => (
            <li key={one.last}>{missedSentence(one, formatShort)}</li>
          ))}
        </ul>
      </EuiText>
    </Part>
  );
}

/**
 * Chart of the selected metric. The values of its runs are requested separately, because the values of all metrics would make up most of
 * the first response.
 */
function ChosenChart({
  id,
  chosen: { metric, cell },
  stretch,
  onZoom,
}: {
  id: string;
  chosen: HistorySeries;
  stretch: Stretch;
  onZoom: (stretch: Stretch) => void;
}): ReactNode {
  const query = useApi(
    'getHistory',
    { params: { id }, query: { metric: [metric], cell: [cell] } },
    { every: RENEW_MS, keep: true },
  );
  return (
    <Loadable query={query} skeleton={<EuiSkeletonRectangle width="100%" height={CHART_HEIGHT} />}>
      {(history) => {
        const [series] = history.series;
        return series === undefined ? null : (
          <ChartPart history={history} series={series} stretch={stretch} onZoom={onZoom} />
        );
      }}
    </Loadable>
  );
}

/**
 * Returns the options of a filter: *All*, and each value that occurs in the history. `read`: returns the values, with their texts, that one
 * metric of the history has.
 */
const optionsOf = (
  series: readonly HistorySeries[],
  read: (own: HistorySeries) => readonly [value: string, text: string],
): { value: string; text: string }[] => [
  { value: '', text: i18n.translate('dyno.history.all', { defaultMessage: 'All' }) },
  ...[...new Map(series.map(read))].map(([value, text]) => ({ value, text })),
];

function Filters({ history: { series }, shown }: { history: History; shown: Shown }): ReactNode {
  const { metric, setMetric, cell, setCell, time, setTime } = shown;
  const metrics = optionsOf(series, (own) => [own.metric, own.title]);
  const cells = optionsOf(series, (own) => [own.cell, own.label]);
  const isDragged = time.includes('/');
  const times = [
    { value: '', text: i18n.translate('dyno.history.time.all', { defaultMessage: 'All runs' }) },
    ...TIMES.map((days) => ({
      value: `${days}d`,
      text: i18n.translate('dyno.history.time.days', {
        defaultMessage: 'Newest {days} days',
        values: { days },
      }),
    })),
    ...(isDragged
      ? [{ value: time, text: i18n.translate('dyno.history.time.zoom', { defaultMessage: 'As zoomed' }) }]
      : []),
  ];
  return (
    <EuiFlexGroup gutterSize="s" alignItems="center" wrap responsive={false}>
      <Choice
        width={300}
        label={i18n.translate('dyno.history.filter.metric', { defaultMessage: 'Metric' })}
        options={metrics}
        value={metric}
        onChange={setMetric}
      />
      {cells.length > 2 ? (
        <Choice
          width={340}
          label={i18n.translate('dyno.history.filter.cell', { defaultMessage: 'Cell' })}
          options={cells}
          value={cell}
          onChange={setCell}
        />
      ) : null}
      <Choice
        width={220}
        label={i18n.translate('dyno.history.filter.time', { defaultMessage: 'Time' })}
        options={times}
        value={time}
        onChange={setTime}
      />
      {isDragged ? (
        <EuiFlexItem grow={false}>
          <WholeButton onClick={() => setTime('')} />
        </EuiFlexItem>
      ) : null}
    </EuiFlexGroup>
  );
}

function Choice({
  label,
  options,
  value,
  onChange,
  width,
}: {
  label: string;
  options: { value: string; text: string }[];
  value: string;
  onChange: (value: string) => void;
  width: number;
}): ReactNode {
  return (
    <EuiFlexItem grow={false} css={{ inlineSize: width, maxInlineSize: '100%' }}>
      <EuiSelect
        compressed
        fullWidth
        prepend={label}
        aria-label={label}
        options={options}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </EuiFlexItem>
  );
}
