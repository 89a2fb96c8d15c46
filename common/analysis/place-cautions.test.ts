import { makePlan } from '../experiment/plan';
import { readDefinition } from '../experiment/read';
import { placeCautions } from './place-cautions';

const causes = (preload: object, factors: object): string[] => {
  const definition = readDefinition({
    version: 1,
    name: 'searches',
    index: { mapping: 'apache-logs' },
    preload: { documents: 1000, source: { generator: 'apache-logs' }, ...preload },
    tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] } }],
    factors,
  });
  return placeCautions(makePlan(definition), null, []).map(({ cause }) => cause);
};

const INDICES = { 'index.settings.codec': ['default', 'best_compression'] };
const CLIENTS = { 'tasks.search.executor.constant-clients.clients': [1, 2] };

test.each([
  ['different indices that are loaded once', { reuse: 'same' }, INDICES, true],
  ['clones of indices that are loaded once', { reuse: 'copy' }, INDICES, true],
  ['different indices for each trial', {}, INDICES, false],
  ['indices with one segment per shard', { reuse: 'same', 'force-merge': 1 }, INDICES, false],
  ['indices with several segments', { reuse: 'same', 'force-merge': 5 }, INDICES, true],
  ['the same index for all cells', { reuse: 'same' }, CLIENTS, false],
])('a difference between cells may come from one load: %s', (_, preload, factors, warns) => {
  expect(causes(preload, factors).includes('loaded-once')).toBe(warns);
});
