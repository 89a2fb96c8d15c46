import { screen, within } from '@testing-library/react';
import { seatsOver } from '../../../common/analysis/seats';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import type { RunDetail } from '../../../common/api/runs';
import type { Progress, SeatProgress, SeatSecond } from '../../../common/measurement/progress';
import type { SeatSummary } from '../../../common/measurement/trial';
import { show, type Answers } from '../../testing/fake-host';
import { Machines } from './machines';

const second = (more: Partial<SeatSecond> = {}): SeatSecond => ({
  requests: 12,
  documents: 6000,
  bytes: 2 * 1024 ** 2,
  lagMs: 0.5,
  late: false,
  utilisation: 0.21,
  busy: false,
  machine: { busy: 0.6, steal: 0, own: 0.25 },
  part: 1,
  ...more,
});

const free = (seat: number): SeatProgress => ({ seat, state: 'free', holder: null, second: null });

const held = (
  seat: number,
  state: SeatProgress['state'],
  { own = null, ...more }: Partial<NonNullable<SeatProgress['holder']>> & { own?: SeatSecond | null } = {},
): SeatProgress => ({
  seat,
  state,
  holder: {
    host: `load-${seat + 1}`,
    pid: 70 + seat,
    cores: 8,
    labels: [],
    clockOffsetMs: null,
    clockErrorMs: null,
    ...more,
  },
  second: own,
});

const summary = (seat: number, more: Partial<SeatSummary> = {}): SeatSummary => ({
  seat,
  host: `load-${seat + 1}`,
  pid: 70 + seat,
  labels: ['zone=a'],
  workers: 2,
  attempted: 1000,
  cpuMs: 100,
  utilisation: 0.1,
  lateMs: 1,
  clockOffsetMs: 3,
  clockErrorMs: 2,
  ...more,
});

function detailOf(
  progress: Partial<Progress> | null,
  trials: readonly (readonly SeatSummary[])[] = [],
): RunDetail {
  const { run } = refreshRun();
  const load = { seats: 2, within: '10m', 'share-machine': false };
  return {
    run: {
      ...run,
      run: { ...run.run, state: progress === null ? 'completed' : 'running' },
      definition: { ...run.definition, load },
    },
    trials: [],
    seats: seatsOver(trials),
    progress: progress && ({ phase: 'measure', ...progress } as Progress),
    queuedBehind: null,
    heldBack: '',
    left: null,
  };
}

const statusOf = (url: string): Answers => ({
  'GET /api/dyno/status': () =>
    Response.json({
      version: '1',
      host: 'standalone',
      results: { url, version: '9.5.3', problem: '' },
      startsClustersOf: null,
      allowedHosts: null,
      spooled: 0,
      untold: [],
    }),
});

/** Returns the texts of a row's cells by column name. */
function rowOf(seat: number): Record<string, string> {
  const table = screen.getByRole('table', { name: 'Machines' });
  const names = within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  const row = within(table).getAllByRole('row')[seat]!;
  const cells = [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent.trim());
  return Object.fromEntries(names.map((name, at) => [name, cells[at]!]));
}

/** Returns the names of the columns that are flagged in a row. */
const markedIn = (seat: number): string[] =>
  [...screen.getAllByRole('row')[seat]!.querySelectorAll('.warning')].map(({ textContent }) =>
    textContent.trim(),
  );

test('while seats are free, the page shows the connected machines and the command for others', async () => {
  const seats = [held(0, 'taken', { labels: ['zone=a', 'rack=7'] }), free(1)];
  show(<Machines detail={detailOf({ phase: 'preflight', seats })} />, {
    answers: statusOf('https://results-1:9200, https://results-2:9200'),
  });
  expect(screen.getByRole('status').textContent).toContain('1 of 2 machines have joined');
  expect(rowOf(1)).toEqual({
    seat: '1',
    state: 'ready',
    machine: 'load-1process 70, 8 cores, zone=a, rack=7',
  });
  expect(rowOf(2)).toEqual({ seat: '2', state: 'free', machine: 'Waiting for a machine' });
  expect(
    await screen.findByText('dyno worker --join https://results-1:9200,https://results-2:9200'),
  ).toBeTruthy();
  expect(screen.getByText(/for the free seat, each on a separate machine/)).toBeTruthy();
  expect(screen.getByText(/still free after 10m/)).toBeTruthy();
  expect(screen.queryByText(/only works on this machine/)).toBeNull();
});

test('an address that no other machine can reach is flagged, and other machines with seats are listed', async () => {
  const advice = 'nodes of Kibana take seats';
  show(<Machines detail={detailOf({ phase: 'preflight', seats: [free(0), free(1)], advice })} />, {
    answers: statusOf('http://127.0.0.1:9200'),
  });
  expect(await screen.findByText(/only works on this machine/)).toBeTruthy();
  expect(screen.getByText('Nodes of Kibana take seats.')).toBeTruthy();
});

test('during a load, machines are side by side, and late or uneven ones are marked', () => {
  const seats = [
    held(0, 'loading', { clockOffsetMs: -3.1, clockErrorMs: 0.4, own: second() }),
    held(1, 'loading', {
      clockOffsetMs: 12,
      clockErrorMs: 25,
      own: second({ documents: 5000, part: 0.85, lagMs: 41, late: true, machine: null }),
    }),
  ];
  show(<Machines detail={detailOf({ seats })} />);
  expect(rowOf(1)).toMatchObject({
    state: 'sends',
    'documents/s': '6,000',
    'requests/s': '12',
    'of an equal part': '100%',
    'leave late, p99': '0.5 ms',
    'sent/s': '2 MB',
    'busiest thread': '21%',
    'CPU (Dyno’s part)': '60% (25%)',
    'wall clock off by': '−3.1 ± 0.4 ms',
  });
  expect(markedIn(1)).toEqual([]);
  expect(rowOf(2)).toMatchObject({ 'CPU (Dyno’s part)': '–' });
  expect(markedIn(2)).toEqual(['85%', '41 ms', '+12 ± 25 ms']);
  expect(screen.queryByText(/dyno worker/)).toBeNull();
});

test('a lost machine is named, and its seat waits for another one', () => {
  show(
    <Machines
      detail={detailOf({ phase: 'prepare', seats: [held(0, 'lost'), held(1, 'taken')] }, [
        [summary(0, { lateMs: 40 }), summary(1)],
      ])}
    />,
    { answers: statusOf('https://results:9200') },
  );
  expect(rowOf(1)).toMatchObject({ state: 'lost', machine: 'load-1process 70, 8 cores', 'requests/s': '–' });
  expect(screen.getByText(/for the free seat/)).toBeTruthy();
  // The results of earlier trials are next to it.
  expect(
    screen.getByText(/In the completed trials: seat 1 \(load-1\) may have begun 42 ms late/),
  ).toBeTruthy();
});

test('for an ended run, the machines are shown over its trials', () => {
  show(
    <Machines
      detail={detailOf(null, [
        [summary(0), summary(1)],
        [summary(0, { attempted: 1500 }), summary(1, { attempted: 500 })],
      ])}
    />,
  );
  const table = screen.getByRole('table', { name: 'Machines that generated the load' });
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(within(table).getAllByText('zone=a')).toHaveLength(2);
  expect(within(table).getByText('50% to 100%').className).toContain('warning');
});

test('nothing is shown for a run with one machine', () => {
  const { container } = show(<Machines detail={detailOf({ phase: 'measure' })} />);
  expect(container.textContent).toBe('');
});
