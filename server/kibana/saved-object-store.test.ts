import { savedObjectStore } from './saved-object-store';
import type { SavedObjectsClient } from './sdk-saved-objects';

test('a list of several pages is whole, and the pages after the first are read at once', async () => {
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
