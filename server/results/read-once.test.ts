import { MadeOnce, ReadOnce, type Stamped } from './read-once';

/** Of documents by id, each with its stamp; what is read is noted. */
function documents(standing: Record<string, string>) {
  const reads: string[][] = [];
  return {
    standing,
    reads,
    stamps: (): Stamped[] => Object.entries(standing).map(([id, stamp]) => ({ id, stamp })),
    read: (ids: string[]): Promise<Map<string, string>> => {
      reads.push(ids);
      return Promise.resolve(
        new Map(ids.flatMap((id) => (id in standing ? [[id, `${id} of ${standing[id]}`]] : []))),
      );
    },
  };
}

const one = (): number => 1;

test('what has not changed is read once', async () => {
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

test('what changed, came or went is told at once, and only that is read', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { standing, stamps, read, reads } = documents({ a: '1', b: '1', c: '1' });
  await memory.of(stamps(), read);
  standing['b'] = '2';
  delete standing['c'];
  standing['d'] = '1';
  expect([...(await memory.of(stamps(), read))]).toEqual([
    ['a', 'a of 1'],
    ['b', 'b of 2'],
    ['d', 'd of 1'],
  ]);
  expect(reads.slice(1)).toEqual([['b', 'd']]);
});

test('what goes between the look and the reading is left out', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { standing, stamps, read } = documents({ a: '1', b: '1' });
  const seen = stamps();
  delete standing['b'];
  expect([...(await memory.of(seen, read)).keys()]).toEqual(['a']);
});

test('what changes between the look and the reading is read again at the next look', async () => {
  const memory = new ReadOnce<string>(10, one);
  const { standing, stamps, read, reads } = documents({ a: '1' });
  const seen = stamps();
  standing['a'] = '2';
  expect((await memory.of(seen, read)).get('a')).toBe('a of 2');
  await memory.of(stamps(), read);
  await memory.of(stamps(), read);
  expect(reads).toEqual([['a'], ['a']]);
});

test('of a list that is larger than its bound most is still read once', async () => {
  const memory = new ReadOnce<string>(3, one);
  const { stamps, read, reads } = documents({ a: '1', b: '1', c: '1', d: '1', e: '1' });
  for (let look = 0; look < 3; look += 1) expect((await memory.of(stamps(), read)).size).toBe(5);
  expect(reads.slice(1)).toEqual([
    ['d', 'e'],
    ['d', 'e'],
  ]);
});

test('what nobody asked for lately makes room, and what is too large is read each time', async () => {
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

test('what is made of a document is made once, also for whoever asks meanwhile, and again once it has changed', async () => {
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

test('what could not be made is made when it is asked for again', async () => {
  const memory = new MadeOnce<string>(10, one);
  const asked = { id: 'a', stamp: '1' };
  await expect(memory.of(asked, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memory.of(asked, () => Promise.resolve('made'))).toBe('made');
});
