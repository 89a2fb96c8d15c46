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

test('seats are shown side by side, in the newest second of which all have told', () => {
  const live = liveOf(search, ingest);
  const all = (requests: number): FromSeat =>
    second(0, {
      search: { requests, attempted: requests },
      ingest: { requests: 2, attempted: 200, lagMs: 7 },
    });
  live.hear(0, all(30));
  expect(shown(live)).toEqual([null, null]);
  live.hear(1, all(28));
  live.hear(1, second(1, { search: { requests: 99, attempted: 99 } }));
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

test('where no task sends documents, none are told', () => {
  const live = liveOf(search);
  for (const seat of [0, 1]) live.hear(seat, second(0, { search: { requests: 5, attempted: 5 } }));
  expect(live.secondOf(0)).toMatchObject({ requests: 5, documents: null });
});

test('a part is that of all seconds, by as many of each seat, and none before ten of them', () => {
  const live = liveOf(search);
  const tell = (seat: number, number: number, attempted: number): void =>
    live.hear(seat, second(number, { search: { requests: attempted, attempted } }));
  for (let number = 0; number < 9; number += 1) {
    tell(0, number, 30);
    tell(1, number, 10);
  }
  expect(live.secondOf(0)?.part).toBeNull();
  // The first one is ahead by a second, in which it did much.
  tell(0, 9, 30);
  tell(0, 10, 5000);
  tell(1, 9, 10);
  expect(shown(live).map((one) => one?.part)).toEqual([1.5, 0.5]);
});

test('a seat is late by many seconds, not by one', () => {
  const live = liveOf(search);
  const tell = (number: number, lagMs: number): void => {
    live.hear(0, second(number, { search: { requests: 5, attempted: 5 } }));
    live.hear(1, second(number, { search: { requests: 5, attempted: 5, lagMs } }));
  };
  for (let number = 0; number < 10; number += 1) tell(number, number === 9 ? 50 : 1);
  expect(shown(live)).toMatchObject([{ late: false }, { late: false, lagMs: 50 }]);
  tell(10, 50);
  expect(shown(live)).toMatchObject([{ late: false }, { late: true }]);
  for (let number = 11; number < 71; number += 1) tell(number, 1);
  expect(live.secondOf(1)).toMatchObject({ late: false, lagMs: 1 });
});
