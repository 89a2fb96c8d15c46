import { readDefinitionText } from '../../common/experiment/read';
import { experimentStore, type KeptExperiment } from './experiment-store';
import type { VersionedStore } from './versioned';

const text = (trials: number): string =>
  `version: 1\nname: a\ntrials: ${trials}\ntasks: [{ name: i, ingest: { source: { generator: systembase } } }]\n`;

const storeOf = (...kept: Partial<KeptExperiment>[]) =>
  experimentStore({
    list: () => Promise.resolve(kept.map((source, at) => ({ id: String(at), version: '1', source }))),
    get: (id: string) => Promise.resolve({ id, version: '1', source: kept[Number(id)] }),
  } as unknown as VersionedStore<KeptExperiment>);

test('a list tells what was kept and reads no text again; one experiment is read as this version reads it', async () => {
  const store = storeOf({ text: text(5), definition: readDefinitionText(text(4), 'a') });
  expect((await store.list())[0]!.definition.trials).toBe(4);
  expect((await store.get('0')).definition.trials).toBe(5);
});

test('what an older version kept without a part that lists tell of is read again', async () => {
  const older: Partial<KeptExperiment['definition']> = readDefinitionText(text(4), 'a');
  delete older.tags;
  expect((await storeOf({ text: text(5), definition: older as never }).list())[0]!.definition).toMatchObject({
    trials: 5,
    tags: [],
  });
});
