/**
 * The machines that generate the load of a run together. The table shows which machines have joined, and what each one does. It marks
 * machines that are late or generate less than their share of the load.
 */
import { EuiBadge, EuiSpacer, EuiText, useEuiTheme, type EuiBadgeProps } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { isApart, isUneven, saySeatsOver } from '../../../common/analysis/seats';
import type { RunDetail } from '../../../common/api/runs';
import { INACTIVE_STATES } from '../../../common/experiment/run';
import type { Progress, SeatProgress } from '../../../common/measurement/progress';
import { seatsTableOf } from '../../../common/report/tables/seats';
import { cell, type TableCell } from '../../../common/report/tables/table';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { CellText, cellClass, PlainTable, ReportTable } from '../../ui/report-table';
import { FreeSeats } from './free-seats';

const titleOf = (): string => i18n.translate('dyno.machines.title', { defaultMessage: 'Machines' });

/** Shows the machines that generate load together. Renders nothing if only one machine generates load. */
export function Machines({ detail }: { detail: RunDetail }): ReactNode {
  const { run, progress, seats } = detail;
  const table = useMemo(() => seatsTableOf(seats), [seats]);
  const isActive = !INACTIVE_STATES.includes(run.run.state);
  if (isActive && progress?.seats !== undefined)
    return <LiveMachines detail={detail} progress={progress} live={progress.seats} />;
  if (table === null) return null;
  return (
    <Part title={titleOf()} note={table.note}>
      <ReportTable table={{ ...table, note: '' }} titled={false} />
    </Part>
  );
}

interface LiveMachinesProps {
  detail: RunDetail;
  progress: Progress;
  live: readonly SeatProgress[];
}

function LiveMachines({
  detail: { run, seats },
  progress: { phase, advice },
  live,
}: LiveMachinesProps): ReactNode {
  // Before the first load, there are no values.
  const isFirstWait = phase === 'preflight';
  const documents = run.definition.tasks.some(({ ingest }) => ingest);
  const figures = useMemo(() => (isFirstWait ? [] : figuresOf(documents)), [isFirstWait, documents]);
  const missing = live.filter(({ state }) => state === 'free' || state === 'lost').length;
  const warnings = saySeatsOver(seats);
  return (
    <Part title={titleOf()} note={<span role="status">{noteOf(live.length, missing)}</span>}>
      <SeatsNow seats={live} figures={figures} />
      {warnings === '' ? null : (
        <EuiText size="s" color="warning" css={{ marginBlockStart: 8 }}>
          <p>
            <CellText
              {...cell(
                i18n.translate('dyno.machines.warnings', {
                  defaultMessage: 'In the completed trials: {warnings}',
                  values: { warnings },
                }),
                'warning',
              )}
            />
          </p>
        </EuiText>
      )}
      {missing === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <FreeSeats missing={missing} load={run.definition.load} advice={advice} />
        </>
      )}
    </Part>
  );
}

const noteOf = (wanted: number, missing: number): string =>
  missing === 0
    ? i18n.translate('dyno.machines.together', {
        defaultMessage:
          '{wanted} machines generate the load together. The values are from the newest second that all machines have reported. ⚠ marks machines that are often late or busy, or whose part of the load differs from an equal part by more than a tenth.',
        values: { wanted },
      })
    : i18n.translate('dyno.machines.come', {
        defaultMessage:
          '{come} of {wanted} machines have joined. The load begins automatically when all machines have joined.',
        values: { come: wanted - missing, wanted },
      });

const LOOK: Readonly<Record<SeatProgress['state'], { color: EuiBadgeProps['color']; icon: string }>> = {
  free: { color: 'hollow', icon: 'hourglass' },
  taken: { color: 'success', icon: 'check' },
  loading: { color: 'primary', icon: 'play' },
  lost: { color: 'danger', icon: 'error' },
};

const stateText = (state: SeatProgress['state']): string =>
  ({
    free: i18n.translate('dyno.machines.free', { defaultMessage: 'free' }),
    taken: i18n.translate('dyno.machines.taken', { defaultMessage: 'ready' }),
    loading: i18n.translate('dyno.machines.loading', { defaultMessage: 'sends' }),
    lost: i18n.translate('dyno.machines.lost', { defaultMessage: 'lost' }),
  })[state];

interface Figure {
  name: string;
  /** Width of the column in px. It is fixed, so that new values do not move the columns. */
  width: number;
  of: (seat: SeatProgress) => TableCell;
}

const flagged = (text: string, isFlagged: boolean): TableCell =>
  cell(text, isFlagged ? 'warning' : undefined);

/** Returns as text how much a machine's clock differs from the clock of the process that executes the run, such as `+3.1 ± 0.4 ms`. */
function clockText({ clockOffsetMs, clockErrorMs }: NonNullable<SeatProgress['holder']>): string {
  if (clockOffsetMs === null) return '–';
  const sign = clockOffsetMs < 0 ? '−' : '+';
  return `${sign}${formatNumber(Math.abs(clockOffsetMs))} ± ${formatMs(clockErrorMs)}`;
}

/** Returns the columns with values of each machine. `documents`: whether any task sends documents. */
const figuresOf = (documents: boolean): Figure[] => [
  ...(documents
    ? [
        {
          name: i18n.translate('dyno.machines.documents', { defaultMessage: 'documents/s' }),
          width: 88,
          of: ({ second }: SeatProgress) => cell(formatNumber(second?.documents)),
        },
      ]
    : []),
  {
    name: i18n.translate('dyno.machines.requests', { defaultMessage: 'requests/s' }),
    width: 80,
    of: ({ second }) => cell(formatNumber(second?.requests)),
  },
  {
    name: i18n.translate('dyno.machines.part', { defaultMessage: 'of an equal part' }),
    width: 80,
    of: ({ second }) => {
      const part = second?.part ?? null;
      return part === null ? cell('–') : flagged(`${Math.round(part * 100)}%`, isUneven({ part }));
    },
  },
  {
    name: i18n.translate('dyno.machines.lag', { defaultMessage: 'leave late, p99' }),
    width: 96,
    of: ({ second }) => flagged(formatMs(second?.lagMs), second?.late ?? false),
  },
  {
    name: i18n.translate('dyno.machines.sent', { defaultMessage: 'sent/s' }),
    width: 80,
    of: ({ second }) => cell(formatBytes(second?.bytes)),
  },
  {
    name: i18n.translate('dyno.machines.thread', { defaultMessage: 'busiest thread' }),
    width: 72,
    of: ({ second }) => flagged(formatPercent(rounded(second?.utilisation)), second?.busy ?? false),
  },
  {
    name: i18n.translate('dyno.machines.cpu', { defaultMessage: 'CPU (Dyno’s part)' }),
    width: 96,
    of: ({ second }) => {
      const machine = second?.machine ?? null;
      return cell(
        machine === null
          ? '–'
          : `${formatPercent(rounded(machine.busy))} (${formatPercent(rounded(machine.own))})`,
      );
    },
  },
  {
    name: i18n.translate('dyno.machines.clock', { defaultMessage: 'wall clock off by' }),
    width: 128,
    of: ({ holder }) =>
      holder === null
        ? cell('–')
        : flagged(clockText(holder), isApart({ apartMs: holder.clockErrorMs ?? 0 })),
  },
];

/** Rounds a share in [0, 1] to whole percents. */
const rounded = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : Math.round(share * 100) / 100;

interface SeatsNowProps {
  seats: readonly SeatProgress[];
  figures: readonly Figure[];
}

function SeatsNow({ seats, figures }: SeatsNowProps): ReactNode {
  return (
    <PlainTable caption={titleOf()}>
      <thead>
        <tr>
          <th scope="col" className={cellClass('right')} css={{ inlineSize: 48 }}>
            {i18n.translate('dyno.machines.seat', { defaultMessage: 'seat' })}
          </th>
          <th scope="col">{i18n.translate('dyno.machines.state', { defaultMessage: 'state' })}</th>
          <th scope="col" css={{ inlineSize: '100%' }}>
            {i18n.translate('dyno.machines.machine', { defaultMessage: 'machine' })}
          </th>
          {figures.map(({ name, width }) => (
            <th
              key={name}
              scope="col"
              className={cellClass('right')}
              css={{ '&&': { minInlineSize: width, whiteSpace: 'normal' } }}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {seats.map((seat) => (
          <tr key={seat.seat}>
            <th scope="row" className={cellClass('right')}>
              {seat.seat + 1}
            </th>
            <td>
              <EuiBadge color={LOOK[seat.state].color} iconType={LOOK[seat.state].icon}>
                {stateText(seat.state)}
              </EuiBadge>
            </td>
            <td>
              <Holder seat={seat} />
            </td>
            {figures.map(({ name, of }) => {
              const figure = of(seat);
              return (
                <td key={name} className={cellClass('right', figure.text, figure.tone)}>
                  <CellText {...figure} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

/**
 * Shows the name of the machine in this row, or that the run waits for a machine. The text always has two lines, so that nothing moves when
 * a machine joins.
 */
function Holder({ seat: { state, holder } }: { seat: SeatProgress }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const [name, more] =
    holder === null
      ? [i18n.translate('dyno.machines.nobody', { defaultMessage: 'Waiting for a machine' }), '']
      : [
          holder.host,
          [
            i18n.translate('dyno.machines.process', {
              defaultMessage: 'process {pid}, {cores, plural, one {# core} other {# cores}}',
              values: { pid: String(holder.pid), cores: holder.cores },
            }),
            ...holder.labels,
          ].join(', '),
        ];
  const quiet = state === 'free' || state === 'lost';
  return (
    <div css={{ minBlockSize: 32, display: 'flex', flexDirection: 'column', justifyContent: 'center' }}>
      <div
        css={{
          color: quiet ? euiTheme.colors.textSubdued : undefined,
          fontWeight: quiet ? undefined : euiTheme.font.weight.medium,
        }}
      >
        {name}
      </div>
      {more === '' ? null : <div css={{ color: euiTheme.colors.textSubdued }}>{more}</div>}
    </div>
  );
}
