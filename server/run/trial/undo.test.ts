import { withUndo } from './undo';

test('steps are undone in reverse order, each after the one before it has been undone', async () => {
  const done: string[] = [];
  const result = await withUndo(async (undo) => {
    undo(() => done.push('first'));
    undo(async () => {
      await new Promise(setImmediate);
      done.push('second');
    });
    undo(() => done.push('third'));
    done.push('work');
    return await Promise.resolve(7);
  });
  expect(result).toBe(7);
  expect(done).toEqual(['work', 'third', 'second', 'first']);
});

test('work that fails is undone, and its error is thrown', async () => {
  const done: string[] = [];
  const work = withUndo((undo) => {
    undo(() => done.push('undone'));
    return Promise.reject(new Error('no index'));
  });
  await expect(work).rejects.toThrow('no index');
  expect(done).toEqual(['undone']);
});

test('all other steps are undone if undoing one of them fails', async () => {
  const done: string[] = [];
  const work = withUndo(async (undo) => {
    undo(() => done.push('first'));
    undo(() => Promise.reject(new Error('cannot undo')));
    undo(() => done.push('third'));
    await Promise.resolve();
  });
  await expect(work).rejects.toThrow('cannot undo');
  expect(done).toEqual(['third', 'first']);
});

test('a step that is registered while others are undone is undone too', async () => {
  const done: string[] = [];
  await withUndo((undo) => {
    undo(() => undo(() => done.push('late')));
    return Promise.resolve();
  });
  expect(done).toEqual(['late']);
});
