/** The table of runs. */
import {
  EuiInMemoryTable,
  EuiProgress,
  EuiSpacer,
  EuiText,
  EuiToolTip,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import { outcomeOf } from '../../../common/experiment/run';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { AnswerBadge } from '../../ui/answer';
import { AppLink } from '../../ui/link';
import { StateBadge } from '../../ui/run-state';
import { Time, useNow } from '../../ui/time';
import { parseTime } from '../../../common/units/time';

interface RunTableProps {
  runs: readonly RunSummary[];
  selected: readonly RunSummary[];
  onSelect: (runs: readonly RunSummary[]) => void;
  /** So many are asked for at once. */
  most: number;
}

/** Experiment and target have what the other columns leave: on a narrow page the table scrolls, on a phone it is a list of cards. */
const WIDE_ENOUGH = { '@media (min-width: 768px)': { '& table': { minInlineSize: 1190 } } } as const;

export function RunTable({ runs, selected, onSelect, most }: RunTableProps): ReactNode {
  const columns = useMemo(columnsOf, []);
  const items = useMemo(() => [...runs], [runs]);
  return (
    <>
      <EuiInMemoryTable<RunSummary>
        tableCaption={i18n.translate('dyno.runs.caption', { defaultMessage: 'Runs, the newest first' })}
        items={items}
        itemId="id"
        columns={columns}
        scrollableInline
        css={WIDE_ENOUGH}
        pagination={{ initialPageSize: 25, pageSizeOptions: [25, 50, 100] }}
        sorting={{ sort: { field: 'started', direction: 'desc' } }}
        selection={{ selected: [...selected], onSelectionChange: onSelect }}
        rowProps={({ id }) => ({ 'data-test-subj': `dynoRun-${id}` })}
      />
      {runs.length < most ? null : (
        <>
          <EuiSpacer size="s" />
          <EuiText size="xs" color="subdued">
            {i18n.translate('dyno.runs.most', {
              defaultMessage: 'The newest {most} runs; choose an experiment or a state to see older ones.',
              values: { most: formatNumber(most) },
            })}
          </EuiText>
        </>
      )}
    </>
  );
}

const lengthOf = ({ started, ended }: RunSummary, now: number): number =>
  (ended === null ? now : parseTime(ended)) - parseTime(started);

function columnsOf(): EuiBasicTableColumn<RunSummary>[] {
  return [
    {
      field: 'experiment.name',
      name: i18n.translate('dyno.runs.column.experiment', { defaultMessage: 'Experiment' }),
      sortable: ({ experiment }) => experiment.name.toLowerCase(),
      width: '28%',
      mobileOptions: { header: false, width: '100%' },
      render: (name: string, { id }) => <AppLink to={`/runs/${encodeURIComponent(id)}`}>{name}</AppLink>,
    },
    {
      field: 'state',
      name: i18n.translate('dyno.runs.column.state', { defaultMessage: 'State' }),
      sortable: true,
      width: '200px',
      render: (_: unknown, run) => <State run={run} />,
    },
    {
      field: 'target.name',
      name: i18n.translate('dyno.runs.column.target', { defaultMessage: 'Target' }),
      sortable: ({ target }) => target.name,
      render: (name: string, { target: { version } }) => (
        <span>
          {name}
          {version === '' ? null : (
            <EuiText size="xs" color="subdued">
              Elasticsearch {version}
            </EuiText>
          )}
        </span>
      ),
    },
    {
      field: 'cells',
      name: i18n.translate('dyno.runs.column.size', { defaultMessage: 'Cells × trials' }),
      width: '150px',
      render: (_: unknown, run) => <Size run={run} />,
    },
    {
      field: 'answer',
      name: i18n.translate('dyno.runs.column.verdict', { defaultMessage: 'Verdict' }),
      sortable: ({ answer }) => answer ?? '',
      width: '140px',
      render: (_: unknown, run) => <Answer run={run} />,
    },
    {
      field: 'started',
      name: i18n.translate('dyno.runs.column.started', { defaultMessage: 'Started' }),
      sortable: true,
      width: '190px',
      render: (started: string) => <Time iso={started} />,
    },
    {
      field: 'ended',
      name: i18n.translate('dyno.runs.column.length', { defaultMessage: 'Took' }),
      sortable: (run) => lengthOf(run, Date.now()),
      width: '100px',
      align: 'right',
      render: (_: unknown, run) => <Took run={run} />,
    },
  ];
}

function State({ run: { state, failed, reason, waitsFor } }: { run: RunSummary }): ReactNode {
  const told = [waitsFor, reason].filter(Boolean).join(': ');
  const badge = <StateBadge state={outcomeOf(state, failed)} />;
  if (told === '') return badge;
  return (
    <EuiToolTip content={told}>
      <span tabIndex={0}>{badge}</span>
    </EuiToolTip>
  );
}

/** `3 × 3`; while it goes on, how much of it is done. */
function Size({ run: { state, cells, trials, completed } }: { run: RunSummary }): ReactNode {
  const each = cells === 0 ? 0 : trials / cells;
  return (
    <div css={{ inlineSize: '100%' }}>
      {formatNumber(cells)} × {formatNumber(each)}
      {state === 'completed' && completed === trials ? null : (
        <>
          <EuiProgress
            value={completed}
            max={Math.max(1, trials)}
            size="xs"
            color={state === 'running' ? 'primary' : 'subdued'}
            aria-label={i18n.translate('dyno.runs.completedBar', { defaultMessage: 'Completed trials' })}
          />
          <EuiText size="xs" color="subdued">
            {i18n.translate('dyno.runs.completed', {
              defaultMessage: '{completed} of {trials} trials',
              values: { completed: formatNumber(completed), trials: formatNumber(trials) },
            })}
          </EuiText>
        </>
      )}
    </div>
  );
}

function Answer({ run: { id, answer, sentence } }: { run: RunSummary }): ReactNode {
  if (answer === null) return <span aria-hidden>–</span>;
  return (
    <EuiToolTip content={sentence}>
      <span>
        <AppLink to={`/runs/${encodeURIComponent(id)}/result`}>
          <AnswerBadge answer={answer} />
        </AppLink>
      </span>
    </EuiToolTip>
  );
}

function Took({ run }: { run: RunSummary }): ReactNode {
  const now = useNow(run.ended === null);
  if (run.state === 'queued' || run.state === 'waiting') return <span aria-hidden>–</span>;
  return <span css={{ fontVariantNumeric: 'tabular-nums' }}>{formatDuration(lengthOf(run, now))}</span>;
}
