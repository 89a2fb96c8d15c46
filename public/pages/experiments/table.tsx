/** All experiments in a table that can be searched, sorted and filtered; its state is in the address. */
import {
  EuiBadge,
  EuiInMemoryTable,
  EuiText,
  type Criteria,
  type EuiBasicTableColumn,
  type Query,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { useQueryState } from '../../ui/query-state';
import { LastRunCell, ResultCell, ScheduleCell } from './result-cell';
import { rowActions, type RowActions } from './row-actions';

/** What the search goes through, beside what is shown. */
interface Row extends ExperimentSummary {
  /** `running`, `queued`, `scheduled`, `idle`. */
  state: string;
  answer: string;
  lastRun: string;
}

const rowOf = (experiment: ExperimentSummary): Row => ({
  ...experiment,
  state: experiment.active?.state ?? (experiment.schedule === null ? 'idle' : 'scheduled'),
  answer: experiment.last?.answer ?? experiment.last?.state ?? 'none',
  lastRun: experiment.last?.ended ?? '',
});

const encode = encodeURIComponent;

/** The first column has what the others leave: on a narrow page the table scrolls, on a phone it is a list of cards. */
const WIDE_ENOUGH = { '@media (min-width: 768px)': { '& table': { minInlineSize: 1120 } } } as const;

function columnsOf(actions: RowActions): EuiBasicTableColumn<Row>[] {
  return [
    {
      field: 'name',
      name: i18n.translate('dyno.experiments.column.name', { defaultMessage: 'Experiment' }),
      sortable: ({ name }) => name.toLowerCase(),
      render: (_: string, { id, name, hypothesis, tags }: Row) => (
        <div css={{ paddingBlock: 6, minInlineSize: 0 }}>
          <AppLink to={`/experiments/${encode(id)}`}>{name}</AppLink>
          {hypothesis === '' ? null : (
            <EuiText size="xs" color="subdued">
              {hypothesis}
            </EuiText>
          )}
          {tags.map((tag) => (
            <EuiBadge key={tag} color="hollow" css={{ marginBlockStart: 4 }}>
              {tag}
            </EuiBadge>
          ))}
        </div>
      ),
    },
    {
      field: 'target',
      name: i18n.translate('dyno.experiments.column.target', { defaultMessage: 'Target' }),
      sortable: true,
      width: '100px',
      render: (target: string) => <AppLink to={`/targets/${encode(target)}`}>{target}</AppLink>,
    },
    {
      field: 'answer',
      name: i18n.translate('dyno.experiments.column.result', { defaultMessage: 'Last result' }),
      sortable: true,
      width: '290px',
      render: (_: string, { last }: Row) => <ResultCell last={last} />,
    },
    {
      field: 'lastRun',
      name: i18n.translate('dyno.experiments.column.when', { defaultMessage: 'Last run' }),
      sortable: true,
      width: '170px',
      render: (_: string, experiment: Row) => <LastRunCell experiment={experiment} />,
    },
    {
      field: 'nextRun',
      name: i18n.translate('dyno.experiments.column.schedule', { defaultMessage: 'Schedule' }),
      sortable: ({ nextRun }) => nextRun ?? '9',
      width: '190px',
      render: (_: string, experiment: Row) => <ScheduleCell experiment={experiment} />,
    },
    {
      field: 'runs',
      name: i18n.translate('dyno.experiments.column.runs', { defaultMessage: 'Runs' }),
      sortable: true,
      align: 'right',
      width: '76px',
      render: (runs: number, { id, name }: Row) =>
        runs === 0 ? (
          '0'
        ) : (
          <AppLink to={`/runs?experiment=${encode(id)}`}>
            <span
              aria-label={i18n.translate('dyno.experiments.runsOf', {
                defaultMessage: '{runs, plural, one {# run} other {# runs}} of {name}',
                values: { runs, name },
              })}
            >
              {runs}
            </span>
          </AppLink>
        ),
    },
    {
      name: i18n.translate('dyno.experiments.column.actions', { defaultMessage: 'Actions' }),
      width: '96px',
      actions: rowActions(actions),
    },
  ];
}

const stateOptions = (): { value: string; name: string }[] => [
  { value: 'running', name: i18n.translate('dyno.experiments.state.running', { defaultMessage: 'Running' }) },
  { value: 'queued', name: i18n.translate('dyno.experiments.state.queued', { defaultMessage: 'Waiting' }) },
  {
    value: 'waiting',
    name: i18n.translate('dyno.experiments.state.waiting', { defaultMessage: 'Waiting for you to continue' }),
  },
  {
    value: 'scheduled',
    name: i18n.translate('dyno.experiments.state.scheduled', { defaultMessage: 'Scheduled' }),
  },
  { value: 'idle', name: i18n.translate('dyno.experiments.state.idle', { defaultMessage: 'Idle' }) },
];

const answerOptions = (): { value: string; name: string }[] => [
  { value: 'confirmed', name: i18n.translate('dyno.experiments.confirmed', { defaultMessage: 'Confirmed' }) },
  { value: 'refuted', name: i18n.translate('dyno.experiments.refuted', { defaultMessage: 'Refuted' }) },
  { value: 'undecided', name: i18n.translate('dyno.experiments.undecided', { defaultMessage: 'Undecided' }) },
  { value: 'no-claim', name: i18n.translate('dyno.experiments.noClaim', { defaultMessage: 'No claim' }) },
  { value: 'failed', name: i18n.translate('dyno.experiments.failed', { defaultMessage: 'Failed' }) },
  { value: 'none', name: i18n.translate('dyno.experiments.never', { defaultMessage: 'Never run' }) },
];

const distinct = (values: string[]): { value: string }[] =>
  [...new Set(values)].sort().map((value) => ({ value }));

interface ExperimentTableProps {
  experiments: readonly ExperimentSummary[];
  actions: RowActions;
}

export function ExperimentTable({ experiments, actions }: ExperimentTableProps): ReactNode {
  const [query, setQuery] = useQueryState('q');
  const [sort, setSort] = useQueryState('sort', 'name');
  const rows = useMemo(() => experiments.map(rowOf), [experiments]);
  const filter = (field: string, name: string, options: { value: string; name?: string }[]) => ({
    type: 'field_value_selection' as const,
    field,
    name,
    multiSelect: 'or' as const,
    options,
  });
  const tags = distinct(rows.flatMap((row) => row.tags));
  return (
    <EuiInMemoryTable<Row>
      tableCaption={i18n.translate('dyno.experiments.caption', { defaultMessage: 'Experiments' })}
      items={rows}
      itemId="id"
      columns={columnsOf(actions)}
      scrollableInline
      css={WIDE_ENOUGH}
      pagination={rows.length > 20 ? { initialPageSize: 20, pageSizeOptions: [20, 50, 100] } : undefined}
      sorting={{
        sort: {
          field: (sort.replace(/^-/, '') || 'name') as keyof Row,
          direction: sort.startsWith('-') ? 'desc' : 'asc',
        },
      }}
      onTableChange={({ sort: next }: Criteria<Row>) => {
        if (next) setSort(`${next.direction === 'desc' ? '-' : ''}${String(next.field)}`);
      }}
      search={{
        query,
        onChange: ({ query: next }: { query: Query | null }) => {
          if (next) setQuery(next.text);
          return true;
        },
        box: {
          incremental: true,
          'aria-label': i18n.translate('dyno.experiments.search', { defaultMessage: 'Search experiments' }),
          placeholder: i18n.translate('dyno.experiments.search', { defaultMessage: 'Search experiments' }),
        },
        filters: [
          filter(
            'state',
            i18n.translate('dyno.experiments.filter.state', { defaultMessage: 'State' }),
            stateOptions(),
          ),
          filter(
            'answer',
            i18n.translate('dyno.experiments.filter.result', { defaultMessage: 'Last result' }),
            answerOptions(),
          ),
          ...(tags.length === 0
            ? []
            : [
                filter(
                  'tags',
                  i18n.translate('dyno.experiments.filter.tags', { defaultMessage: 'Tags' }),
                  tags,
                ),
              ]),
          filter(
            'target',
            i18n.translate('dyno.experiments.filter.target', { defaultMessage: 'Target' }),
            distinct(rows.map(({ target }) => target)),
          ),
        ],
      }}
      noItemsMessage={i18n.translate('dyno.experiments.noneFound', {
        defaultMessage: 'No experiment matches. Clear the search to see all.',
      })}
    />
  );
}
