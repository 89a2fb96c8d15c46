import { TrackedFile } from './tracked';

const unread = (value: unknown, read: (view: never) => unknown): string[] => {
  const file = new TrackedFile('track.json');
  const view = file.view(value);
  read(view as never);
  return file.unread(view as object).map(({ owner, key }) => `${owner} ${key}`.trim());
};

test('lists unread keys with their path, at all depths', () => {
  const value = { name: 'n', meta: { a: 1 }, list: [{ a: 1, b: 2 }, { a: 3 }] };
  const found = unread(value, (view: { name: string; list: { a: number }[] }) => [
    view.name,
    view.list.map(({ a }) => a),
  ]);
  expect(found).toEqual(['meta', 'list[0] b']);
});

test('a value counts as read if it is copied, not if only its parent is read', () => {
  const value = { kept: { a: [1, { b: 2 }] }, looked: { a: 1 }, empty: {} };
  const read = (view: typeof value) => [JSON.stringify(view.kept), view.looked === undefined, view.empty];
  expect(unread(value, read as (view: never) => unknown)).toEqual(['looked']);
});

test('views behave like the objects themselves', () => {
  const value = { list: [1, 2], inner: { a: null } };
  const view = new TrackedFile('f').view(value);
  expect(view).toEqual(value);
  expect(Array.isArray(view.list)).toBe(true);
  expect(view.list).toBe(view.list);
  expect(Object.keys(view)).toEqual(['list', 'inner']);
});

test('readAll marks keys as read, at all depths', () => {
  const file = new TrackedFile('f');
  const view = file.view({ inner: { a: 1, b: [{ c: 2 }] }, other: 1 });
  file.readAll(view.inner);
  expect(file.unread(view).map(({ key }) => key)).toEqual(['other']);
});
