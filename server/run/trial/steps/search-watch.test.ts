import { operationJob } from '../../../../common/tasks/registry';
import { readDefinition } from '../../../../common/experiment/read';
import type { LoadJob } from '../../../load/contract';
import type { Needs } from '../input';
import { SearchWatches } from './search-watch';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface Sent {
  path: string;
  query: object;
  body: { query?: { term: { n: number } }; profile: boolean };
}

const ANSWER = {
  profile: { shards: [{ searches: [{ query: [{ type: 'TermQuery', time_in_nanos: 7 }] }] }] },
};

/** Creates the watches for tasks with this work, on a target that gives these answers in turn. */
function watching(
  tasks: object[],
  answers: readonly object[] = [{ status: 200, body: ANSWER }],
): { watches: SearchWatches; sent: Sent[]; notes: string[]; pass: (ms: number) => Promise<void> } {
  const definition = readDefinition({ version: 1, name: 'watch', index: { mapping: {} }, tasks });
  const job = {
    indices: ['trial-1', 'trial-2'],
    target: {},
    seed: 1,
    tasks: definition.tasks.map((task) => ({
      name: task.name,
      operation: operationJob(task, {
        index: { count: 1, route: 'in-turn' },
        seed: 1,
        resolveFile: (file) => file,
        pipeline: undefined,
      }),
    })),
  } as unknown as LoadJob;
  const sent: Sent[] = [];
  const notes: string[] = [];
  const trial = {
    target: {
      connection: {
        atOnce: {
          request: ({ path, query, body }: Sent): Promise<unknown> => {
            sent.push({ path, query, body });
            return Promise.resolve(answers[Math.min(sent.length, answers.length) - 1]);
          },
        },
      },
    },
    listener: { onNote: (note: string) => notes.push(note) },
  } as unknown as Needs<'target' | 'listener'>;
  const watches = new SearchWatches(trial, job, () => undefined);
  const pass = async (ms: number): Promise<void> => {
    for (const watch of watches.watches) watch.begin();
    await jest.advanceTimersByTimeAsync(ms);
    for (const watch of watches.watches) watch.end();
  };
  return { watches, sent, notes, pass };
}

const TERM = { query: { term: { n: '{{n}}' } } };
const reads = (list: object[], name = 'reads'): object => ({
  name,
  requests: { list, parameters: { n: { counter: {} } } },
});

test('each request is profiled in turn, with new values of its parameters, and only if it is a single search', async () => {
  const { watches, sent, pass } = watching([
    reads([
      { name: 'term', search: { body: TERM, params: { preference: '_local', scroll: '1m' } } },
      { name: 'count', count: {} },
      { name: 'pages', scroll: { size: 10, pages: 2 } },
      { name: 'raw', http: { path: '/{{index}}/_search', method: 'GET', params: { filter_path: 'took' } } },
    ]),
  ]);
  await pass(8500);
  const path = '/trial-1%2Ctrial-2/_search';
  const ofTerm = (n: unknown): object => ({
    path,
    query: { preference: '_local', filter_path: 'profile' },
    body: { query: { term: { n } }, profile: true },
  });
  const raw = { path, query: { filter_path: 'profile' }, body: { profile: true } };
  const values = [sent[0], sent[2]].map((one) => one?.body.query?.term.n);
  expect(new Set(values).size).toBe(2);
  expect(sent).toEqual([ofTerm(values[0]), raw, ofTerm(values[1]), raw]);
  const profile = { searches: 2, parts: { query: { TermQuery: 14 } } };
  expect(watches.byTask()).toEqual(
    new Map([
      [
        'reads',
        new Map([
          ['term', profile],
          ['raw', profile],
        ]),
      ],
    ]),
  );
});

test('each task has its own profile, and tasks without searches have none', async () => {
  const { watches, sent, pass } = watching([
    reads([{ name: 'term', search: { body: TERM } }], 'first'),
    { name: 'second', search: { requests: [{ name: 'all', body: {} }] } },
    { name: 'third', requests: { list: [{ name: 'count', count: {} }] } },
  ]);
  await pass(2500);
  expect(sent).toHaveLength(2);
  expect([...watches.byTask().keys()]).toEqual(['first', 'second']);
  expect(watches.missing()).toBe('');
});

test('a task without a profiled search is reported', async () => {
  const { watches, pass } = watching([reads([{ name: 'term', search: { body: TERM } }])]);
  await pass(1000);
  expect(watches.missing()).toContain('no search of reads was profiled');
});

test('only the first failure becomes a note, and does not end the profile', async () => {
  const failed = {
    status: 429,
    body: { error: { type: 'es_rejected_execution_exception', reason: 'full' } },
  };
  const { watches, notes, pass } = watching(
    [reads([{ name: 'term', search: { body: TERM } }])],
    [failed, failed, { status: 200, body: ANSWER }],
  );
  await pass(6500);
  expect(notes).toEqual([expect.stringContaining('the profile of the searches of reads lacks some: ')]);
  expect(watches.byTask().get('reads')!.get('term')!.searches).toBe(1);
});
