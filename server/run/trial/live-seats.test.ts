import { noCounts } from '../../../common/measurement/counts';
import type { SeatSecond } from '../../../common/measurement/progress';
import type { LoadJob, TaskJob } from '../../load/contract';
import type { FromSeat, TaskSecond } from '../../load/messages';
import { LiveSeats } from './live-seats';

const executor: TaskJob['executor'] = { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 };
const search: TaskJob = {
  name: 'search',
  operation: { kind: 'search', requests: [], parameters: {} },
  executor,
};
const ingest = {
  name: 'ingest',
  operation: { kind: 'ingest' },
  executor,
} as TaskJob;

interface Did {
  requests: number;
  attempted: number;
  lagMs?: number;
}

const second = (number: number, tasks: Record<string, Did>): FromSeat => ({
  kind: 'seconds',
  seconds: Object.entries(tasks).map(([task, { requests, attempted, lagMs = 0 }]) => ({
    ...({ task, second: number, phase: 'measure', scheduleLagMs: lagMs } as TaskSecond),
    counts: { ...noCounts(), requests, attempted, bytes: 10 * requests },
  })),
  health: { cpuMs: 300, utilisation: 0.2, eventLoopDelayMs: 1 },
  machine: { busy: 0.5, steal: 0, own: 0.3 },
});

const liveOf = (...tasks: LoadJob['tasks']): LiveSeats => new LiveSeats(tasks, 2);
const shown = (live: LiveSeats): (SeatSecond | null)[] => [0, 1].map((seat) => live.secondOf(seat));

test('seats are shown side by side, in the newest second that all have reported', () => {
  const live = liveOf(search, ingest);
  const all = (requests: number): FromSeat =>
    second(0, {
      search: { requests, attempted: requests },
      ingest: { requests: 2, attempted: 200, lagMs: 7 },
    });
  live.receive(0, all(30));
  expect(shown(live)).toEqual([null, null]);
  live.receive(1, all(28));
  live.receive(1, second(1, { search: { requests: 99, attempted: 99 } }));
  const same = {
    documents: 200,
    lagMs: 7,
    late: false,
    busy: false,
    utilisation: 0.2,
    machine: { busy: 0.5, steal: 0, own: 0.3 },
    part: null,
  };
  expect(shown(live)).toEqual([
    { ...same, requests: 32, bytes: 320 },
    { ...same, requests: 30, bytes: 300 },
  ]);
});

test('no number of documents is shown if no task sends documents', () => {
  const live = liveOf(search);
  for (const seat of [0, 1]) live.receive(seat, second(0, { search: { requests: 5, attempted: 5 } }));
  expect(live.secondOf(0)).toMatchObject({ requests: 5, documents: null });
});

test('a seat’s part is that of all common seconds, and is unknown before ten of them', () => {
  const live = liveOf(search);
  const report = (seat: number, number: number, attempted: number): void =>
    live.receive(seat, second(number, { search: { requests: attempted, attempted } }));
  for (let number = 0; number < 9; number += 1) {
    report(0, number, 30);
    report(1, number, 10);
  }
  expect(live.secondOf(0)?.part).toBeNull();
  // The first process is one second ahead, and sent many requests in that second.
  report(0, 9, 30);
  report(0, 10, 5000);
  report(1, 9, 10);
  expect(shown(live).map((one) => one?.part)).toEqual([1.5, 0.5]);
});

test('a seat counts as late after many late seconds, not after one', () => {
  const live = liveOf(search);
  const report = (number: number, lagMs: number): void => {
    live.receive(0, second(number, { search: { requests: 5, attempted: 5 } }));
    live.receive(1, second(number, { search: { requests: 5, attempted: 5, lagMs } }));
  };
  for (let number = 0; number < 10; number += 1) report(number, number === 9 ? 50 : 1);
  expect(shown(live)).toMatchObject([{ late: false }, { late: false, lagMs: 50 }]);
  report(10, 50);
  expect(shown(live)).toMatchObject([{ late: false }, { late: true }]);
  for (let number = 11; number < 71; number += 1) report(number, 1);
  expect(live.secondOf(1)).toMatchObject({ late: false, lagMs: 1 });
});
