import { PROVENANCE } from '../../../common/analysis/testing/made-run';
import { storedBlocks } from '../../../common/measurement/stored-names';
import { readDefinition } from '../../../common/experiment/read';
import { newRun, ActiveRun } from './active-run';

const run = (more: object) =>
  newRun(
    'run-1',
    readDefinition({
      version: 1,
      name: 'kept',
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
      ...more,
    }),
  );

test('a run is stored with the names and levels of its cells, without their resolved definitions', () => {
  const { cells } = run({ factors: { 'index.settings.number_of_shards': [1, 2] } }).plan;
  expect(cells[0]).toEqual({
    index: 0,
    id: 'index.settings.number_of_shards=1',
    label: 'number_of_shards=1',
    levels: { 'index.settings.number_of_shards': 1 },
  });
});

test('a run provokes rejections on purpose if one of its cells searches for the highest rate', () => {
  const search = { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'] } };
  const steady = { 'constant-rate': { rate: 10 } };
  const marked = (executors: object[]): boolean =>
    run({ factors: { 'tasks.ingest.executor': executors } }).experiment.provokesRejections ?? false;
  expect(marked([steady, search])).toBe(true);
  expect(marked([steady])).toBe(false);
});

test('cluster settings are not changed if their original values cannot be stored', async () => {
  let isSafe = false;
  const saved = (): Promise<boolean> => Promise.resolve(isSafe);
  const activeRun = new ActiveRun(run({}), [], { saveRun: saved, saveTrial: saved });
  const replaced = { cluster: 'u', settings: { 'indices.memory.index_buffer_size': null } };
  await expect(activeRun.keepReplaced(replaced)).rejects.toMatchObject({ code: 'results.spool-failed' });
  expect(activeRun.document.run.replaced).toBeUndefined();
  isSafe = true;
  await activeRun.keepReplaced(replaced);
  expect(activeRun.document.run.replaced).toEqual(replaced);
});

test('a load from the machine of the target is noted once, and recorded in the provenance of run and block', () => {
  const saved = (): Promise<boolean> => Promise.resolve(true);
  const activeRun = new ActiveRun(run({}), [], { saveRun: saved, saveTrial: saved });
  activeRun.beginBlock({ ...PROVENANCE, sharedMachine: false });
  activeRun.noteSharedMachine();
  activeRun.noteSharedMachine();
  const { provenance, events } = activeRun.document;
  expect(provenance).toMatchObject({ sharedMachine: true });
  for (const block of storedBlocks(provenance)) expect(block.sharedMachine).toBe(true);
  expect(events.filter(({ message }) => message.includes('both share its cores'))).toHaveLength(1);
});
