/** The chart's runs as a table, for users of keyboards and screen readers, and for copying numbers. */
import { EuiBasicTable, EuiSpacer, type Criteria, type EuiBasicTableColumn } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { HistorySeries } from '../../../common/history/history';
import { formatFigure } from '../../../common/history/series';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { ShortTime } from '../../ui/time';
import type { RunMark, SeriesView } from './view';
import { sortName } from './words';

type Row = Pick<RunMark, 'point' | 'run' | 'iso'> & { mark: RunMark | undefined };

const PAGE_SIZES = [10, 25, 100];

export function RunsTable({ series, view }: { series: HistorySeries; view: SeriesView }): ReactNode {
  const [{ index, size }, setPage] = useState({ index: 0, size: PAGE_SIZES[0]! });
  const rows = useMemo(
    () =>
      [
        ...view.marks.map((mark): Row => ({ point: mark.point, run: mark.run, iso: mark.iso, mark })),
        ...view.gaps.map(({ point, run, iso }): Row => ({ point, run, iso, mark: undefined })),
      ].sort((one, other) => other.point - one.point),
    [view],
  );
  const columns = useMemo(() => columnsOf(series), [series]);
  return (
    <>
      <EuiSpacer size="s" />
      <EuiBasicTable<Row>
        tableCaption={i18n.translate('dyno.history.runs.caption', {
          defaultMessage: 'Runs, the newest first',
        })}
        items={rows.slice(index * size, (index + 1) * size)}
        itemId="point"
        columns={columns}
        compressed
        pagination={{
          pageIndex: index,
          pageSize: size,
          totalItemCount: rows.length,
          pageSizeOptions: PAGE_SIZES,
        }}
        onChange={({ page }: Criteria<Row>) => {
          if (page !== undefined) setPage(page);
        }}
      />
    </>
  );
}

const columnsOf = (series: HistorySeries): EuiBasicTableColumn<Row>[] => [
  {
    name: i18n.translate('dyno.history.runs.run', { defaultMessage: 'Run' }),
    render: ({ run, iso }: Row) => (
      <AppLink to={`/runs/${encodeURIComponent(run)}/result`}>
        <ShortTime iso={iso} />
      </AppLink>
    ),
  },
  {
    name: i18n.translate('dyno.history.runs.mean', { defaultMessage: 'Mean' }),
    align: 'right',
    render: ({ mark }: Row) => formatFigure(series, mark?.mean ?? null),
  },
  {
    name: i18n.translate('dyno.history.runs.interval', { defaultMessage: '95% interval' }),
    align: 'right',
    render: ({ mark }: Row) =>
      mark?.interval
        ? `${formatFigure(series, mark.interval.min)} to ${formatFigure(series, mark.interval.max)}`
        : '–',
  },
  {
    name: i18n.translate('dyno.history.runs.trials', { defaultMessage: 'Trials' }),
    align: 'right',
    width: '80px',
    render: ({ mark }: Row) => mark?.trials ?? 0,
  },
  {
    name: i18n.translate('dyno.history.runs.level', { defaultMessage: 'Level' }),
    align: 'right',
    render: ({ mark }: Row) => formatFigure(series, mark?.level ?? null),
  },
  {
    name: i18n.translate('dyno.history.runs.note', { defaultMessage: 'Note' }),
    render: ({ mark }: Row) =>
      mark === undefined
        ? i18n.translate('dyno.history.runs.none', { defaultMessage: 'not measured in this run' })
        : mark.sort === 'run'
          ? ''
          : sortName(mark.sort),
  },
];
