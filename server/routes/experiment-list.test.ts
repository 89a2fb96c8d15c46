import { readDefinition } from '../../common/experiment/read';
import { EXPERIMENT_ROUTES } from '../../common/api/experiments';
import type { RunDocument } from '../../common/experiment/run';
import { NO_RUNS } from '../results/experiment-history';
import { experimentHandlers } from './experiments';
import { pageOf, type Listed, type ListQuery } from './experiment-list';
import type { Services } from './services';

const queryOf = (given: object): ListQuery => EXPERIMENT_ROUTES.listExperiments.query.parse(given);

const listed = (id: string, more: object = {}): Listed => ({
  experiment: {
    id,
    version: '499-1',
    definition: readDefinition({
      version: 1,
      name: `Experiment ${id}`,
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
      ...more,
    }),
    created: '2026-01-01T00:00:00.499Z',
    updated: '2026-01-01T00:00:00.499Z',
  },
  history: NO_RUNS,
  missed: null,
  nextRun: () => null,
});

const all = Array.from({ length: 45 }, (_, at) => listed(String(at).padStart(2, '0')));
const idsOf = (given: object, of = all): string[] =>
  pageOf(of, queryOf(given)).page.map(({ experiment }) => experiment.id);

test('a page contains the requested number in order, and the total', () => {
  expect(idsOf({ page: '2', perPage: '20' })).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 20)));
  expect(idsOf({ perPage: '2', direction: 'desc' })).toEqual(['44', '43']);
  expect(pageOf(all, queryOf({ page: 3, perPage: 20 }))).toMatchObject({ total: 45 });
  expect(idsOf({ page: '9', perPage: '20' })).toEqual([]);
});

test('a search matches if the visible texts contain all words, and ignores hidden texts', () => {
  expect(idsOf({ search: '499' })).toEqual([]);
  expect(idsOf({ search: 'EXPERIMENT 07' })).toEqual(['07']);
  const tagged = listed('tagged', { tags: ['nightly'], hypothesis: 'It is slower' });
  expect(idsOf({ search: 'slower nightly' }, [...all, tagged])).toEqual(['tagged']);
});

test('values of one filter are alternatives, several filters must all match', () => {
  const some = [
    listed('a', { tags: ['x'] }),
    listed('b', { tags: ['y'], schedule: 'every 1h' }),
    listed('c', { schedule: 'once 2001-01-01 00:00' }),
  ];
  expect(idsOf({ tag: ['x', 'y'] }, some)).toEqual(['a', 'b']);
  expect(idsOf({ tag: ['x', 'y'], state: 'scheduled' }, some)).toEqual(['b']);
  expect(idsOf({ answer: 'none', state: 'idle' }, some)).toEqual(['a', 'c']);
});

test('experiments of tunings are listed with the others, alone, or not at all', () => {
  const some = [listed('mine'), listed('made', { tags: ['tuning', 'tuning-20261126t165738-ab1z'] })];
  expect(idsOf({}, some)).toEqual(['made', 'mine']);
  expect(idsOf({ tunings: 'without' }, some)).toEqual(['mine']);
  expect(idsOf({ tunings: 'only' }, some)).toEqual(['made']);
});

describe('a one-time schedule', () => {
  const textOf = (schedule: string): string =>
    JSON.stringify({ ...listed('x').experiment.definition, schedule });
  const past = 'once 2001-01-01 00:00';
  const handlers = (before?: string) =>
    experimentHandlers({
      experiments: {
        get: () => Promise.resolve({ definition: readDefinition(JSON.parse(textOf(before ?? 'every 1h'))) }),
        create: () => Promise.resolve('created'),
        save: () => Promise.resolve('saved'),
      },
      targets: { list: () => Promise.resolve([{ id: 'local' }]) },
      checkFiles: () => Promise.resolve(),
      nextDue: () => null,
      startsClusters: () => false,
    } as unknown as Services);
  const { signal } = new AbortController();
  const save = (text: string, before: string) =>
    handlers(before).saveExperiment({ params: { id: 'x' }, body: { text, version: '1' } }, { signal });

  test('is refused if it is new and in the past, with advice', async () => {
    const problem = {
      code: 'definition.schedule',
      problems: [
        {
          path: 'schedule',
          message: 'this time has passed, so no run would start',
          found: 'Once, on 2001-01-01 at 00:00 UTC',
          allowed: 'a later time, or no schedule',
        },
      ],
    };
    await expect(
      handlers().createExperiment({ body: { text: textOf(past) } }, { signal }),
    ).rejects.toMatchObject(problem);
    await expect(save(textOf(past), 'once 2001-01-02 00:00')).rejects.toMatchObject(problem);
  });

  test('may remain after its run when other parts of the experiment are saved', async () => {
    expect(await save(textOf(past), past)).toBe('saved');
    expect(await save(textOf('once 2999-01-01 00:00'), past)).toBe('saved');
  });
});

const RUN = { run: { id: 'r1', state: 'running' }, experiment: { id: '00' } } as RunDocument;

test.each(['keep', 'delete'] as const)(
  'an experiment is not deleted while one of its runs is active (runs: %s)',
  async (runs) => {
    const deleted: string[] = [];
    const forgotten: string[] = [];
    const services = {
      experiments: {
        get: () => Promise.resolve(all[0]!.experiment),
        delete: (id: string) => Promise.resolve(void deleted.push(id)),
      },
      annotations: { removeAll: (id: string) => Promise.resolve(void forgotten.push(id)) },
      scheduleLog: { forget: () => Promise.resolve() },
      results: { findActiveRuns: () => Promise.resolve([RUN]), listRuns: () => Promise.resolve([]) },
      // This run has started in this process and is not stored yet.
      runs: { runOf: (id: string) => (id === '02' ? 'r2' : null) },
    } as unknown as Services;
    const { deleteExperiment } = experimentHandlers(services);
    const { signal } = new AbortController();
    for (const id of ['00', '02'])
      await expect(deleteExperiment({ params: { id }, query: { runs } }, { signal })).rejects.toMatchObject({
        code: 'run.unfinished',
      });
    expect(deleted).toEqual([]);
    await deleteExperiment({ params: { id: '01' }, query: { runs } }, { signal });
    expect(deleted).toEqual(['01']);
    // Runs that are kept keep the notes of their history.
    expect(forgotten).toEqual(runs === 'delete' ? ['01'] : []);
  },
);
