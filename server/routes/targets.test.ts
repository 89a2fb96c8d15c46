import { readDefinition } from '../../common/experiment/read';
import type { Services } from './services';
import { targetHandlers } from './targets';

test('a target from which an experiment copies documents is in use, and is not removed', async () => {
  const definition = readDefinition({
    version: 1,
    name: 'Replay of the shop',
    target: 'staging',
    preload: { 'from-index': 'shop', 'from-target': 'production' },
    tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
  });
  const removed: string[] = [];
  const handlers = targetHandlers({
    experiments: { list: () => Promise.resolve([{ definition }]) },
    targets: {
      list: () => Promise.resolve(['production', 'staging', 'spare'].map((id) => ({ id }))),
      get: (id: string) => Promise.resolve({ id }),
      delete: (id: string) => Promise.resolve(removed.push(id)),
    },
  } as unknown as Services);
  const request = (id: string): Parameters<typeof handlers.deleteTarget>[0] => ({ params: { id } }) as never;
  const { targets } = await handlers.listTargets({} as never, {} as never);
  expect(targets.map(({ id, experiments }) => [id, experiments])).toEqual([
    ['production', 1],
    ['staging', 1],
    ['spare', 0],
  ]);
  await expect(handlers.deleteTarget(request('production'), {} as never)).rejects.toThrow(
    'experiments use it',
  );
  await handlers.deleteTarget(request('spare'), {} as never);
  expect(removed).toEqual(['spare']);
});
