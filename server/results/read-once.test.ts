import { MadeOnce, ReadOnce, type Stamped } from './read-once';

/** Simulates documents by id, each with its stamp. Records which documents are read. */
function documents(stored: Record<string, string>) {
  const reads: string[][] = [];
  return {
    stored,
    reads,
    stamps: (): Stamped[] => Object.entries(stored).map(([id, stamp]) => ({ id, stamp })),
    read: (ids: string[]): Promise<Map<string, string>> => {
      reads.push(ids);
      return Promise.resolve(
        new Map(ids.flatMap((id) => (id in stored ? [[id, `${id} of ${stored[id]}`]] : []))),
      );
    },
  };
}

const one = (): number => 1;

test('an unchanged document is read once', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { stamps, read, reads } = documents({ a: '1', b: '1' });
  const first = await memory.of(stamps(), read);
  expect([...first]).toEqual([
    ['a', 'a of 1'],
    ['b', 'b of 1'],
  ]);
  expect(await memory.of(stamps(), read)).toEqual(first);
  expect(reads).toEqual([['a', 'b']]);
});

test('changed, new and removed documents are seen at once, and only those are read', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { stored, stamps, read, reads } = documents({ a: '1', b: '1', c: '1' });
  await memory.of(stamps(), read);
  stored['b'] = '2';
  delete stored['c'];
  stored['d'] = '1';
  expect([...(await memory.of(stamps(), read))]).toEqual([
    ['a', 'a of 1'],
    ['b', 'b of 2'],
    ['d', 'd of 1'],
  ]);
  expect(reads.slice(1)).toEqual([['b', 'd']]);
});

test('a document that is removed before it is read is left out', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { stored, stamps, read } = documents({ a: '1', b: '1' });
  const seen = stamps();
  delete stored['b'];
  expect([...(await memory.of(seen, read)).keys()]).toEqual(['a']);
});

test('a document that changes before it is read is read again by the next request', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { stored, stamps, read, reads } = documents({ a: '1' });
  const seen = stamps();
  stored['a'] = '2';
  expect((await memory.of(seen, read)).get('a')).toBe('a of 2');
  await memory.of(stamps(), read);
  await memory.of(stamps(), read);
  expect(reads).toEqual([['a'], ['a']]);
});

test('most of a list that exceeds the limit is still read only once', async () => {
  const memory = new ReadOnce<string>(3, one);
  const { stamps, read, reads } = documents({ a: '1', b: '1', c: '1', d: '1', e: '1' });
  for (let look = 0; look < 3; look += 1) expect((await memory.of(stamps(), read)).size).toBe(5);
  expect(reads.slice(1)).toEqual([
    ['d', 'e'],
    ['d', 'e'],
  ]);
});

test('the least recently used documents are evicted, and too large ones are read each time', async () => {
  const memory = new ReadOnce<string>(30, (text) => text.length);
  const reads: string[] = [];
  const look = async (id: string, length = 10): Promise<void> => {
    await memory.of([{ id, stamp: '1' }], ([asked]) => {
      reads.push(asked!);
      return Promise.resolve(new Map([[asked!, 'x'.repeat(length)]]));
    });
  };
  for (const id of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await look(id);
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'b']);
  await look('large', 31);
  await look('large', 31);
  expect(reads.slice(5)).toEqual(['large', 'large']);
});

test('a value is computed once, also for concurrent callers, and again after its document has changed', async () => {
  const memory = new MadeOnce<string>(10, one);
  const made: string[] = [];
  let finish = (): void => undefined;
  const make = (text: string) => async (): Promise<string> => {
    made.push(text);
    await new Promise<void>((resolve) => (finish = resolve));
    return text;
  };
  const both = [
    memory.of({ id: 'a', stamp: '1' }, make('first')),
    memory.of({ id: 'a', stamp: '1' }, make('not')),
  ];
  await Promise.resolve();
  finish();
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  expect(await memory.of({ id: 'a', stamp: '1' }, make('not'))).toBe('first');
  const later = memory.of({ id: 'a', stamp: '2' }, make('second'));
  finish();
  expect(await later).toBe('second');
  expect(made).toEqual(['first', 'second']);
});

test('a failed computation is repeated by the next request', async () => {
  const memory = new MadeOnce<string>(10, one);
  const asked = { id: 'a', stamp: '1' };
  await expect(memory.of(asked, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memory.of(asked, () => Promise.resolve('made'))).toBe('made');
});
