import { readDefinitionText } from '../../../common/experiment/read';
import { experimentStore, type KeptExperiment } from './experiment-store';
import type { VersionedStore } from './versioned';

const text = (trials: number): string =>
  `version: 1\nname: a\ntrials: ${trials}\ntasks: [{ name: i, ingest: { source: { generator: systembase } } }]\n`;

/**
 * Returns a store with these experiments. `reads` contains one list for each read of the storage: the ids of the experiments that were
 * read.
 */
function storeOf(...kept: Partial<KeptExperiment>[]) {
  const versions = kept.map(() => 1);
  const found = (id: string) => ({ id, version: String(versions[Number(id)]), source: kept[Number(id)] });
  const reads: string[][] = [];
  const store = experimentStore({
    stamps: () =>
      Promise.resolve(versions.map((version, at) => ({ id: String(at), stamp: String(version) }))),
    getMany: (ids: string[]) => {
      reads.push(ids);
      return Promise.resolve(ids.map(found));
    },
    get: (id: string) => Promise.resolve(found(id)),
  } as unknown as VersionedStore<KeptExperiment>);
  return {
    store,
    reads,
    change: (at: number, source: Partial<KeptExperiment>) => {
      kept[at] = source;
      versions[at]! += 1;
    },
  };
}

const keptOf = (trials: number): Partial<KeptExperiment> => ({
  text: text(trials),
  definition: readDefinitionText(text(trials), 'a'),
});

test('a list returns stored definitions without parsing texts; a single experiment is parsed by this version', async () => {
  const { store } = storeOf({ text: text(5), definition: readDefinitionText(text(4), 'a') });
  expect((await store.list())[0]!.definition.trials).toBe(4);
  expect((await store.get('0')).definition.trials).toBe(5);
});

test('a definition of an older version that lacks a listed part is parsed again', async () => {
  const older: Partial<KeptExperiment['definition']> = readDefinitionText(text(4), 'a');
  delete older.tags;
  const { store } = storeOf({ text: text(5), definition: older as never });
  expect((await store.list())[0]!.definition).toMatchObject({ trials: 5, tags: [] });
});

test('lists read unchanged experiments once, and changed ones again', async () => {
  const { store, reads, change } = storeOf(keptOf(1), keptOf(2), keptOf(3));
  const trials = async () => (await store.list()).map(({ definition }) => definition.trials);
  expect(await trials()).toEqual([1, 2, 3]);
  expect(await trials()).toEqual([1, 2, 3]);
  expect(reads).toEqual([['0', '1', '2']]);
  change(1, keptOf(7));
  expect(await trials()).toEqual([1, 7, 3]);
  expect(reads.slice(1)).toEqual([['1']]);
});
