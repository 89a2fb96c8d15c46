/** The table of runs. */
import {
  EuiBadge,
  EuiInMemoryTable,
  EuiProgress,
  EuiSpacer,
  EuiText,
  EuiToolTip,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import { engineWithVersion } from '../../../common/elasticsearch/engine';
import { outcomeOf } from '../../../common/experiment/run';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { AnswerBadge } from '../../ui/answer';
import { AppLink } from '../../ui/link';
import { StateBadge } from '../../ui/run-state';
import { ShortTime, useNow } from '../../ui/time';
import { TrustLevelText } from '../../ui/trust-level';
import { parseTime } from '../../../common/units/time';

interface RunTableProps {
  runs: readonly RunSummary[];
  selected: readonly RunSummary[];
  onSelect: (runs: readonly RunSummary[]) => void;
  /** Maximum number of runs that the page requests. If the table contains so many runs, a text says that older runs may be missing. */
  most: number;
}

/**
 * Layout of the table. The column with the name has the width that the other columns leave. On a narrow page, the table scrolls
 * horizontally. On a phone, it is a list of cards.
 */
const LAYOUT = {
  '@media (min-width: 768px)': { '& table': { minInlineSize: 1060 } },
  // Words are not broken in narrow columns.
  '& .euiTableCellContent, & .euiTableCellContent__text': { wordBreak: 'normal', overflowWrap: 'break-word' },
} as const;

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
        css={LAYOUT}
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
              defaultMessage: 'The newest {most} runs. To see older runs, choose an experiment or a state.',
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
      mobileOptions: { header: false, width: '100%' },
      render: (_: string, run) => <Name run={run} />,
    },
    {
      field: 'state',
      name: i18n.translate('dyno.runs.column.state', { defaultMessage: 'State' }),
      sortable: true,
      width: '130px',
      render: (_: unknown, run) => <State run={run} />,
    },
    {
      field: 'answer',
      name: i18n.translate('dyno.runs.column.verdict', { defaultMessage: 'Verdict' }),
      sortable: ({ answer }) => answer ?? '',
      width: '130px',
      render: (_: unknown, run) => <Answer run={run} />,
    },
    {
      field: 'effect',
      name: i18n.translate('dyno.runs.column.effect', { defaultMessage: 'Effect' }),
      width: '150px',
      render: (_: unknown, run) => <Effect run={run} />,
    },
    {
      field: 'cells',
      name: i18n.translate('dyno.runs.column.size', { defaultMessage: 'Cells × trials' }),
      width: '110px',
      render: (_: unknown, run) => <Size run={run} />,
    },
    {
      field: 'started',
      name: i18n.translate('dyno.runs.column.started', { defaultMessage: 'Started' }),
      sortable: true,
      width: '160px',
      render: (started: string) => <ShortTime iso={started} />,
    },
    {
      field: 'ended',
      name: i18n.translate('dyno.runs.column.length', { defaultMessage: 'Took' }),
      sortable: (run) => lengthOf(run, Date.now()),
      width: '90px',
      align: 'right',
      render: (_: unknown, run) => <Took run={run} />,
    },
  ];
}

/** The name of the experiment with its tags and its target. */
function Name({ run: { id, experiment, target, tags } }: { run: RunSummary }): ReactNode {
  const { name, engine, version } = target;
  return (
    <div css={{ paddingBlock: 6, minInlineSize: 0, overflowWrap: 'anywhere' }}>
      <AppLink to={`/runs/${encodeURIComponent(id)}`}>{experiment.name}</AppLink>
      <EuiText size="xs" color="subdued">
        {version === '' ? name : `${name} · ${engineWithVersion({ engine, version })}`}
      </EuiText>
      {tags.map((tag) => (
        <EuiBadge key={tag} color="hollow" css={{ marginBlockStart: 4 }}>
          {tag}
        </EuiBadge>
      ))}
    </div>
  );
}

function State({ run: { state, failed, reason, waitsFor } }: { run: RunSummary }): ReactNode {
  const text = [waitsFor, reason].filter(Boolean).join(': ');
  const badge = <StateBadge state={outcomeOf(state, failed)} />;
  if (text === '') return badge;
  return (
    <EuiToolTip content={text}>
      <span tabIndex={0}>{badge}</span>
    </EuiToolTip>
  );
}

/**
 * Shows the number of combinations of factor levels × the number of trials for each combination, such as `3 × 5`. While the run is running,
 * also shows its progress.
 */
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

function Answer({ run: { id, answer, sentence, trust } }: { run: RunSummary }): ReactNode {
  if (answer === null) return <span aria-hidden>–</span>;
  return (
    <div>
      <EuiToolTip content={sentence}>
        <span>
          <AppLink to={`/runs/${encodeURIComponent(id)}/result`}>
            <AnswerBadge answer={answer} />
          </AppLink>
        </span>
      </EuiToolTip>
      {trust === null ? null : <TrustLevelText trust={trust} />}
    </div>
  );
}

/** Shows how much a factor changed the metric of the run's first claim, with the interval of the change. */
function Effect({ run: { effect } }: { run: RunSummary }): ReactNode {
  if (effect === null) return <span aria-hidden>–</span>;
  const { size, interval, metric } = effect;
  return (
    <div css={{ fontVariantNumeric: 'tabular-nums' }}>
      {size}
      <EuiText size="xs" color="subdued">
        {interval === '' ? null : <div>{interval}</div>}
        <div>{metric}</div>
      </EuiText>
    </div>
  );
}

function Took({ run }: { run: RunSummary }): ReactNode {
  const now = useNow(run.ended === null);
  if (run.state === 'queued' || run.state === 'waiting') return <span aria-hidden>–</span>;
  return <span css={{ fontVariantNumeric: 'tabular-nums' }}>{formatDuration(lengthOf(run, now))}</span>;
}
