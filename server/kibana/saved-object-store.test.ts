import { experimentMemory } from '../host/stores/experiment-store';
import { readDefinitionText } from '../../common/experiment/read';
import { createExperimentStore } from './experiments';
import { savedObjectStore } from './saved-object-store';
import type { SavedObjectsClient } from './sdk-saved-objects';
import { fakeSavedObjects } from './testing/fake-saved-objects';

test('a list of several pages is complete, and the pages after the first are read in parallel', async () => {
  const all = Array.from({ length: 506 }, (_, at) => ({
    id: `e${String(505 - at).padStart(3, '0')}`,
    attributes: { at },
  }));
  let [open, most] = [0, 0];
  const find = async ({ page, perPage }: { page: number; perPage: number }) => {
    most = Math.max(most, (open += 1));
    await new Promise(setImmediate);
    open -= 1;
    return { total: all.length, saved_objects: all.slice((page - 1) * perPage, page * perPage) };
  };
  const store = savedObjectStore({ find } as unknown as SavedObjectsClient, 'experiment');
  const listed = await store.list();
  expect(listed.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
  expect(most).toBe(2);
});

test('objects that one request has listed are not read again by the next', async () => {
  const { client } = fakeSavedObjects();
  const read: string[][] = [];
  const objects: SavedObjectsClient = {
    ...client,
    bulkGet: (asked) => {
      read.push(asked.map(({ id }) => id));
      return client.bulkGet(asked);
    },
    find: (options) => {
      expect(options.fields).toEqual(['updated']);
      return client.find(options);
    },
  };
  const memory = experimentMemory();
  const request = () => createExperimentStore(objects, memory);
  const text = `version: 1\nname: a\ntasks: [{ name: i, ingest: { source: { generator: systembase } } }]\n`;
  const definition = readDefinitionText(text, 'a.yml');
  for (let count = 0; count < 3; count += 1) await request().create(text, definition);
  expect((await request().list()).map(({ id }) => id)).toEqual(['a', 'a-2', 'a-3']);
  const { version } = await request().get('a-2');
  await request().save('a-2', text, { ...definition, trials: 9 }, version);
  expect((await request().list()).map(({ definition: { trials } }) => trials)).toEqual([
    definition.trials,
    9,
    definition.trials,
  ]);
  await request().list();
  expect(read).toEqual([['a', 'a-2', 'a-3'], ['a-2']]);
});

test('removed objects are left out, and an object that cannot be read is an error', async () => {
  const answers: Record<string, object> = {
    there: { id: 'there', version: 'v', attributes: { updated: 'now' } },
    gone: { id: 'gone', error: { statusCode: 404, message: 'Not found' } },
    broken: { id: 'broken', error: { statusCode: 500, message: 'shard failure' } },
  };
  const bulkGet = (asked: { id: string }[]) =>
    Promise.resolve({ saved_objects: asked.map(({ id }) => answers[id]) });
  const store = savedObjectStore({ bulkGet } as unknown as SavedObjectsClient, 'experiment');
  expect((await store.getMany(['there', 'gone'])).map(({ id }) => id)).toEqual(['there']);
  await expect(store.getMany(['there', 'broken'])).rejects.toThrow('broken could not be read: shard failure');
});
