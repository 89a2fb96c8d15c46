/**
 * A table of experiments. The server searches and sorts the experiments, and divides the list into pages. The URL of the app's page
 * contains the search, the order and the number of the page.
 */
import {
  EuiBadge,
  EuiBasicTable,
  EuiSearchBar,
  EuiSpacer,
  EuiText,
  type Criteria,
  type EuiBasicTableColumn,
  type Query,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Api } from '../../../common/api';
import { EXPERIMENT_STATES, LAST_RESULTS, type ExperimentSummary } from '../../../common/api/experiments';
import type { RouteResponse } from '../../../common/api/route';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { useQueryState } from '../../ui/query-state';
import { FIRST, isOneOf, listRequest, PAGE_SIZES, type Asked } from './list-request';
import { LastRunCell, ResultCell, ScheduleCell } from './result-cell';
import { isDeletable, rowActions, type RowActions } from './row-actions';
import { SelectedExperiments } from './selected';

const encode = encodeURIComponent;

/** The first column gets the remaining width. On a narrow page the table scrolls; on a phone it is a list of cards. */
const WIDE_ENOUGH = { '@media (min-width: 768px)': { '& table': { minInlineSize: 1120 } } } as const;

function columnsOf(actions: RowActions): EuiBasicTableColumn<ExperimentSummary>[] {
  return [
    {
      field: 'name',
      name: i18n.translate('dyno.experiments.column.name', { defaultMessage: 'Experiment' }),
      sortable: true,
      render: (_: string, { id, name, hypothesis, tags }: ExperimentSummary) => (
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
      // The key by which the server sorts. It is not a field of the experiment.
      field: 'answer' as 'last',
      name: i18n.translate('dyno.experiments.column.result', { defaultMessage: 'Last result' }),
      sortable: true,
      width: '290px',
      render: (_: unknown, { last }: ExperimentSummary) => <ResultCell last={last} />,
    },
    {
      field: 'lastRun' as 'last',
      name: i18n.translate('dyno.experiments.column.when', { defaultMessage: 'Last run' }),
      sortable: true,
      width: '170px',
      render: (_: unknown, experiment: ExperimentSummary) => <LastRunCell experiment={experiment} />,
    },
    {
      field: 'nextRun',
      name: i18n.translate('dyno.experiments.column.schedule', { defaultMessage: 'Schedule' }),
      sortable: true,
      width: '190px',
      render: (_: string, experiment: ExperimentSummary) => <ScheduleCell experiment={experiment} />,
    },
    {
      field: 'runs',
      name: i18n.translate('dyno.experiments.column.runs', { defaultMessage: 'Runs' }),
      sortable: true,
      align: 'right',
      width: '76px',
      render: (runs: number, { id, name }: ExperimentSummary) =>
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

/** Returns the filters in the text that the user has typed into the search bar. */
function askedBy(text: string): Asked {
  const { ast } = parsed(text);
  const values = (field: string): string[] => {
    const clause = ast.getOrFieldClause(field) ?? ast.getSimpleFieldClause(field);
    return clause === undefined ? [] : [clause.value].flat().map(String);
  };
  return {
    search: ast
      .getTermClauses()
      .map(({ value }) => String(value))
      .join(' '),
    state: values('state').filter((one) => isOneOf(EXPERIMENT_STATES, one)),
    answer: values('answer').filter((one) => isOneOf(LAST_RESULTS, one)),
    tag: values('tags'),
    target: values('target'),
  };
}

/** Parses a query of the search bar. If the query is invalid, for example incomplete, it is treated as plain text to search for. */
function parsed(text: string): Query {
  try {
    return EuiSearchBar.Query.parse(text);
  } catch {
    return EuiSearchBar.Query.parse(`"${text.replaceAll(/["\\]/g, ' ')}"`);
  }
}

/** Returns the state of the list (search, order, page), and the request for the list. The whole state is in the URL. */
export function useExperimentQuery() {
  const [q, setQ] = useQueryState('q', FIRST.q);
  const [sort, setSort] = useQueryState('sort', FIRST.sort);
  const [page, setPage] = useQueryState('page', FIRST.page);
  const [size, setSize] = useQueryState('size', FIRST.size);
  const request = listRequest({ sort, page, size }, askedBy(q));
  return { q, setQ, setSort, setPage, setSize, request };
}

export type ExperimentQuery = ReturnType<typeof useExperimentQuery>;

interface ExperimentTableProps {
  list: RouteResponse<Api['listExperiments']>;
  query: ExperimentQuery;
  actions: RowActions;
}

export function ExperimentTable({ list, query, actions }: ExperimentTableProps): ReactNode {
  const { request } = query;
  const { experiments, total } = list;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const selected = experiments.filter(({ id }) => chosen.includes(id));
  const filter = (field: string, name: string, options: { value: string; name?: string }[]) => ({
    type: 'field_value_selection' as const,
    field,
    name,
    multiSelect: 'or' as const,
    options,
  });
  const label = i18n.translate('dyno.experiments.search', { defaultMessage: 'Search experiments' });
  return (
    <>
      <EuiSearchBar
        query={parsed(query.q)}
        onChange={({ query: next }: { query: Query | null }) => {
          if (next === null) return;
          query.setQ(next.text);
          query.setPage('1');
        }}
        box={{ incremental: true, 'aria-label': label, placeholder: label }}
        toolsLeft={selected.length === 0 ? undefined : <SelectedExperiments experiments={selected} />}
        filters={[
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
          ...(list.tags.length === 0
            ? []
            : [
                filter(
                  'tags',
                  i18n.translate('dyno.experiments.filter.tags', { defaultMessage: 'Tags' }),
                  list.tags.map((value) => ({ value })),
                ),
              ]),
          filter(
            'target',
            i18n.translate('dyno.experiments.filter.target', { defaultMessage: 'Target' }),
            list.targets.map((value) => ({ value })),
          ),
        ]}
      />
      <EuiSpacer size="m" />
      <EuiBasicTable<ExperimentSummary>
        tableCaption={i18n.translate('dyno.experiments.caption', { defaultMessage: 'Experiments' })}
        items={[...experiments]}
        itemId="id"
        columns={columnsOf(actions)}
        scrollableInline
        css={WIDE_ENOUGH}
        pagination={
          total > PAGE_SIZES[0]
            ? {
                pageIndex: request.page - 1,
                pageSize: request.perPage,
                totalItemCount: total,
                pageSizeOptions: [...PAGE_SIZES],
              }
            : undefined
        }
        sorting={{ sort: { field: request.sort as keyof ExperimentSummary, direction: request.direction } }}
        selection={
          actions.canManage
            ? {
                selected,
                onSelectionChange: (items: ExperimentSummary[]) => setChosen(items.map(({ id }) => id)),
                selectable: isDeletable,
                selectableMessage: (selectable, { name }) =>
                  selectable
                    ? i18n.translate('dyno.experiments.select', {
                        defaultMessage: 'Select {name}',
                        values: { name },
                      })
                    : i18n.translate('dyno.experiments.selectNot', {
                        defaultMessage: 'A run of {name} is active',
                        values: { name },
                      }),
              }
            : undefined
        }
        onChange={({ sort: next, page }: Criteria<ExperimentSummary>) => {
          if (next) query.setSort(`${next.direction === 'desc' ? '-' : ''}${String(next.field)}`);
          if (page === undefined) return;
          query.setSize(String(page.size));
          query.setPage(String(page.size === request.perPage ? page.index + 1 : 1));
        }}
        noItemsMessage={i18n.translate('dyno.experiments.noneFound', {
          defaultMessage: 'No experiment matches. Clear the search to see all.',
        })}
      />
    </>
  );
}
