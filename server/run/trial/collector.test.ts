/** Tests how a run waits for its collector, and the notes about it. An integration test checks the sums with a real collector. */
import { aCollectedTrial, aNode } from '../../../common/measurement/testing/made-collected';
import type { RunEvent } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { runError } from '../../../common/problem';
import { addCollected, describeCollected, onEitherClock } from './collector';

/**
 * Simulates a results cluster in which one collector has events of the node es-1. `latest`: returns the time of its last event, in ms since
 * the epoch; `asked` counts the requests. `aligned`: number of its events in measured phases. `periodMs`: interval between its readings.
 */
function resultsWith(latest: (asked: number) => number | null, { aligned = 5, periodMs = 1000 } = {}) {
  const requests: string[] = [];
  let asked = 0;
  const client = {
    request: ({ path, body }: { path: string; body?: { query?: object } }) => {
      requests.push(path);
      const answer = (aggregations: object): object => ({
        status: 200,
        body: { _shards: { total: 1 }, hits: { total: { value: 1 } }, aggregations },
      });
      if (!path.endsWith('_search')) return Promise.resolve({ status: 200, body: { fields: {} } });
      if (JSON.stringify(body).includes('trial.id')) {
        const identity = {
          hits: { hits: [{ _source: { elasticsearch: { node: { id: 'a', name: 'es-1' } } } }] },
        };
        const node = {
          key: 'a',
          doc_count: 300,
          identity,
          'dyno.node.interval.ms': { count: 300, sum: 300_000, max: 1000, avg: 1000 },
        };
        return Promise.resolve(
          answer({
            collectors: {
              buckets: [
                {
                  key: 'agent',
                  doc_count: 300,
                  nodes: { doc_count: 300, nodes: { buckets: [node] } },
                  host: { doc_count: 0, identity: { hits: { hits: [] } } },
                },
              ],
            },
          }),
        );
      }
      const last = latest(asked++);
      const dataset = {
        key: 'dyno.node',
        doc_count: 5,
        latest: { value: last },
        period: { value: periodMs },
        aligned: { doc_count: aligned },
      };
      return Promise.resolve(
        answer({
          collectors: {
            buckets: last === null ? [] : [{ key: 'agent', doc_count: 5, datasets: { buckets: [dataset] } }],
          },
        }),
      );
    },
  } as unknown as ElasticsearchClient;
  return { client, asked: () => asked };
}

/**
 * Returns a run of three nodes whose trials have ended, and a function that adds the collected metrics. `collected`: returns the metrics
 * that a trial already has.
 */
function ended(collected: (document: TrialDocument) => TrialDocument['collected'] = () => null) {
  const { run, trials } = refreshRun();
  for (const document of trials) document.collected = collected(document);
  const notes: Pick<RunEvent, 'level' | 'message'>[] = [];
  const saved: string[] = [];
  const measured = Math.max(...trials.map(({ times }) => Date.parse(times.drain!)));
  const add = (client: ElasticsearchClient, signal = new AbortController().signal): Promise<void> =>
    addCollected({
      activeRun: { document: run, trials, note: (message, level = 'info') => notes.push({ level, message }) },
      client,
      saveTrial: ({ trial }) => Promise.resolve(void saved.push(trial.id)),
      signal,
    });
  return { run, trials, notes, saved, measured, add };
}

test('adds the metrics to every completed trial, saves the trials, and adds one note', async () => {
  const { add, trials, notes, saved, measured } = ended();
  await add(resultsWith(() => measured + 1).client);
  expect(saved).toEqual(trials.map(({ trial }) => trial.id));
  expect(trials.every(({ collected }) => collected!.nodes[0]!.name === 'es-1')).toBe(true);
  expect(notes).toEqual([
    { level: 'warning', message: 'collector: metrics of 1 of 3 nodes for 9 of 9 trials' },
  ]);
});

test('waits for the events of the end of the last measured phase', async () => {
  const { add, saved, measured } = ended();
  const results = resultsWith((asked) => measured + (asked < 2 ? -500 : 500));
  await add(results.client);
  expect(results.asked()).toBe(3);
  expect(saved).toHaveLength(9);
});

test('stops waiting for a collector that has ended', async () => {
  jest.useFakeTimers();
  try {
    const { add, saved, measured } = ended();
    const began = Date.now();
    const done = add(resultsWith(() => measured - 60_000, { periodMs: 10_000 }).client);
    await jest.advanceTimersByTimeAsync(20_000);
    await done;
    expect(Date.now() - began).toBeLessThanOrEqual(20_000);
    expect(saved).toHaveLength(9);
  } finally {
    jest.useRealTimers();
  }
});

test('reads the available metrics at once if the run was cancelled', async () => {
  const { add, saved, measured } = ended();
  const controller = new AbortController();
  controller.abort(new Error('cancelled'));
  const results = resultsWith(() => measured - 60_000);
  await add(results.client, controller.signal);
  expect(results.asked()).toBe(1);
  expect(saved).toHaveLength(9);
});

test('stops waiting when the run is cancelled', async () => {
  const { add, saved, measured } = ended();
  const controller = new AbortController();
  const results = resultsWith(() => {
    setTimeout(() => controller.abort(new Error('cancelled')), 5);
    return measured - 60_000;
  });
  const began = Date.now();
  await add(results.client, controller.signal);
  expect(Date.now() - began).toBeLessThan(400);
  expect(saved).toHaveLength(9);
});

test('adds no note and writes nothing if there is no collector', async () => {
  const { add, notes, saved } = ended();
  await add(resultsWith(() => null).client);
  expect([notes, saved]).toEqual([[], []]);
});

test('reads only those trials of a resumed run that have no metrics yet', async () => {
  const { add, saved, measured } = ended(({ trial }) => (trial.order < 7 ? aCollectedTrial() : undefined));
  await add(resultsWith(() => measured + 1).client);
  expect(saved).toEqual(['run-1-7', 'run-1-8']);
});

test('turns metrics that cannot be read into a warning instead of a failed run', async () => {
  const { add, notes, saved } = ended();
  const away = { request: () => Promise.reject(runError('elasticsearch.unreachable', '', 'nobody answers')) };
  await add(away);
  expect(notes).toEqual([
    { level: 'warning', message: 'collector: its metrics could not be added: nobody answers' },
  ]);
  expect(saved).toEqual([]);
});

describe('the note about the collector', () => {
  const shipping = { latest: 0, periodMs: 10_000, aligned: 3 };
  const say = (
    of: (document: TrialDocument) => TrialDocument['collected'],
    shipped = shipping,
  ): ReturnType<typeof describeCollected> => {
    const { run, trials } = ended(of);
    return describeCollected(run, trials, [shipped]);
  };

  test.each([
    [
      'all is there',
      () => aCollectedTrial(),
      true,
      'collector: metrics of 3 of 3 nodes and their machines for 9 of 9 trials',
    ],
    [
      'one machine has a collector',
      () => aCollectedTrial((node) => (node.name === 'es-1' ? node : { ...node, host: null })),
      true,
      'collector: metrics of 3 of 3 nodes and the machines of 1 for 9 of 9 trials',
    ],
    [
      'one trial has none',
      ({ trial }: TrialDocument) => (trial.order === 4 ? null : aCollectedTrial()),
      false,
      'collector: metrics of 3 of 3 nodes and their machines for 8 of 9 trials',
    ],
    [
      'a node was not seen for long',
      () =>
        aCollectedTrial((node) => aNode(node.name, { coveredMs: node.name === 'es-2' ? 60_000 : 300_000 })),
      false,
      'collector: metrics of 3 of 3 nodes and their machines for 9 of 9 trials; some cover only 20% of a measured phase',
    ],
  ])('where %s', (_, collected, whole, message) => {
    expect(say(collected)).toEqual({ message, whole });
  });

  test('explains that trials are shorter than its period', () => {
    expect(say(() => null).message).toBe(
      'collector: no event is from a measured phase, because it reads only every 10s',
    );
  });

  test('explains that its events belong to no trial', () => {
    expect(say(() => null, { ...shipping, aligned: 0 }).message).toContain('cannot read dyno-markers');
  });
});

test('events are found by the run’s clock and by the target’s', () => {
  const times = {
    started: '2026-11-26T12:00:00.000Z',
    warmup: null,
    measure: null,
    drain: '2026-11-26T12:05:00.000Z',
    ended: null,
  };
  const clock = (offsetMs: number) => ({ before: { offsetMs, errorMs: 1, apartMs: 0 }, after: null });
  const span = (offsetMs: number): string[] => {
    const { since, until } = onEitherClock([{ times, clock: clock(offsetMs) }]);
    return [since, new Date(until).toISOString()];
  };
  expect(span(0)).toEqual(['2026-11-26T12:00:00.000Z', '2026-11-26T12:05:00.000Z']);
  expect(span(-600_000)).toEqual(['2026-11-26T11:50:00.000Z', '2026-11-26T12:05:00.000Z']);
  expect(span(600_000)).toEqual(['2026-11-26T12:00:00.000Z', '2026-11-26T12:15:00.000Z']);
});

test('if metrics are missing and the clocks differ, the note says so', async () => {
  const { add, trials, notes, measured } = ended();
  for (const trial of trials)
    trial.clock = { before: { offsetMs: -600_000, errorMs: 1, apartMs: 0 }, after: null };
  await add(resultsWith(() => measured + 1).client);
  expect(notes[0]!.message).toBe(
    'collector: metrics of 1 of 3 nodes for 9 of 9 trials; the target’s clock is 10m 00s behind that of the machine that ' +
      'carries the run: events of a collector that uses another clock may be missing',
  );
});
