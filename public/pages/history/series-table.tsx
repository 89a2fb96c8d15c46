/**
 * Table of all metrics of an experiment's history. It shows the newest value, the newest change, and how many runs are needed to detect a
 * change.
 */
import {
  EuiBadge,
  EuiInMemoryTable,
  EuiLink,
  EuiText,
  EuiToolTip,
  useEuiTheme,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { HistorySeries } from '../../../common/history/history';
import { formatPercent } from '../../../common/units/format';
import { formatFigure, statesOf } from '../../../common/history/series';
import { i18n } from '../../i18n';
import { ShortTime } from '../../ui/time';
import { changeSize, type SeriesRow } from './view';
import { nowBadge } from './words';

interface SeriesTableProps {
  rows: readonly SeriesRow[];
  /** Key of the row whose chart is shown. */
  chosen: string | undefined;
  onChoose: (row: SeriesRow) => void;
  /** Smallest relative change that counts as a change, such as 0.05 for 5%. */
  margin: number;
}

/**
 * The column of the metric has the width that the other columns leave. On a narrow page, the table scrolls horizontally. On a phone, it
 * becomes a list of cards.
 */
const WIDE_ENOUGH = {
  '@media (min-width: 768px)': { '& table': { inlineSize: '100%', minInlineSize: 1080 } },
} as const;

const PAGE_SIZES = [10, 20, 50];

export function SeriesTable({ rows, chosen, onChoose, margin }: SeriesTableProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const columns = useMemo(() => {
    const cells = new Set(rows.map(({ series }) => series.cell)).size;
    const withBaseline = rows.some(({ series }) => series.against !== null);
    return columnsOf(onChoose, { withCells: cells > 1, withBaseline, margin });
  }, [rows, onChoose, margin]);
  const items = useMemo(() => [...rows], [rows]);
  return (
    <EuiInMemoryTable<SeriesRow>
      tableCaption={i18n.translate('dyno.history.series.caption', {
        defaultMessage: 'Series: each metric in each cell',
      })}
      items={items}
      itemId="key"
      columns={columns}
      scrollableInline
      css={WIDE_ENOUGH}
      compressed
      pagination={rows.length > PAGE_SIZES[0]! ? { initialPageSize: 10, pageSizeOptions: PAGE_SIZES } : false}
      rowProps={({ key }) => ({
        'data-test-subj': 'dynoHistorySeries',
        'aria-current': key === chosen ? 'true' : undefined,
        css: key === chosen ? { background: euiTheme.colors.backgroundBaseInteractiveSelect } : undefined,
      })}
      noItemsMessage={i18n.translate('dyno.history.series.none', {
        defaultMessage: 'No series matches. Choose another metric or cell.',
      })}
    />
  );
}

/**
 * Shows the difference between the mean of the newest runs and the baseline. The difference is coloured if the runs are certainly better or
 * worse. The tooltip explains the comparison.
 */
function AgainstBaseline({ series }: { series: HistorySeries }): ReactNode {
  const { against } = series;
  if (against === null) return <span aria-hidden>–</span>;
  const { answer, ratio, baseline, newest, sentence } = against;
  const color = answer === 'worse' ? 'danger' : answer === 'better' ? 'success' : 'default';
  return (
    <EuiToolTip content={sentence}>
      <EuiText size="xs" color={color} tabIndex={0}>
        {changeSize({ ratio, before: baseline, after: newest }, series)}
      </EuiText>
    </EuiToolTip>
  );
}

function columnsOf(
  onChoose: (row: SeriesRow) => void,
  { withCells, withBaseline, margin }: { withCells: boolean; withBaseline: boolean; margin: number },
): EuiBasicTableColumn<SeriesRow>[] {
  return [
    {
      name: i18n.translate('dyno.history.column.metric', { defaultMessage: 'Metric' }),
      sortable: ({ series }) => series.title,
      mobileOptions: { header: false, width: '100%' },
      render: (row: SeriesRow) => <EuiLink onClick={() => onChoose(row)}>{row.series.title}</EuiLink>,
    },
    ...(withCells
      ? [
          {
            field: 'series.label' as 'series',
            name: i18n.translate('dyno.history.column.cell', { defaultMessage: 'Cell' }),
            sortable: true,
            render: (_: unknown, { series }: SeriesRow) => series.label,
          },
        ]
      : []),
    {
      name: i18n.translate('dyno.history.column.newest', { defaultMessage: 'Newest run' }),
      align: 'right',
      width: '120px',
      render: ({ series, newest }: SeriesRow) => formatFigure(series, newest),
    },
    {
      name: i18n.translate('dyno.history.column.level', { defaultMessage: 'Level' }),
      align: 'right',
      width: '120px',
      render: ({ series, level }: SeriesRow) => formatFigure(series, level),
    },
    {
      field: 'series.now' as 'series',
      name: i18n.translate('dyno.history.column.state', { defaultMessage: 'State' }),
      sortable: true,
      width: '130px',
      render: (_: unknown, { series }: SeriesRow) => (
        <span>
          {statesOf(series).map((state) => {
            const { text, color, icon } = nowBadge(state);
            return (
              <EuiBadge key={state} color={color} iconType={icon}>
                {text}
              </EuiBadge>
            );
          })}
        </span>
      ),
    },
    {
      name: i18n.translate('dyno.history.column.change', { defaultMessage: 'Newest change' }),
      sortable: ({ change }) => change?.since.at ?? '',
      width: '190px',
      render: ({ series, change }: SeriesRow) => {
        if (change === undefined) return <span aria-hidden>–</span>;
        const { from: before, to: after, ratio, since } = change;
        return (
          <EuiText size="xs">
            {changeSize({ ratio, before, after }, series)} · <ShortTime iso={since.at} />
          </EuiText>
        );
      },
    },
    ...(withBaseline
      ? [
          {
            name: i18n.translate('dyno.history.column.baseline', { defaultMessage: 'To baseline' }),
            sortable: ({ series }: SeriesRow) => series.against?.ratio ?? 1,
            align: 'right' as const,
            width: '100px',
            render: ({ series }: SeriesRow) => <AgainstBaseline series={series} />,
          },
        ]
      : []),
    {
      name: i18n.translate('dyno.history.column.needed', { defaultMessage: 'Runs to notice' }),
      nameTooltip: {
        content: i18n.translate('dyno.history.column.neededTip', {
          defaultMessage:
            'The number of runs after which Dyno finds a step of {margin} in 9 of 10 cases, given the noise at the newest level.',
          values: { margin: formatPercent(margin) },
        }),
      },
      sortable: ({ series }) => series.nightsNeeded ?? Infinity,
      align: 'right',
      width: '150px',
      render: ({ series: { nightsNeeded, now } }: SeriesRow) =>
        nightsNeeded !== null ? (
          nightsNeeded
        ) : now === 'too-few' ? (
          <span aria-hidden>–</span>
        ) : (
          <EuiToolTip
            content={i18n.translate('dyno.history.neverTip', {
              defaultMessage:
                'The runs vary so much that even 100 runs are not enough to find a step of {margin}. More trials per run may help.',
              values: { margin: formatPercent(margin) },
            })}
          >
            <span tabIndex={0}>{i18n.translate('dyno.history.never', { defaultMessage: 'over 100' })}</span>
          </EuiToolTip>
        ),
    },
  ];
}
