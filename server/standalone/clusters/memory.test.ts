import { requestedCluster } from '../../../common/experiment/requested-cluster';
import { readDefinition } from '../../../common/experiment/read';
import { environmentsOf } from '../../../common/experiment/environment-blocks';
import { makePlan } from '../../../common/experiment/plan';
import { checkMemory, checkThreads, memoryOf } from './memory';

const GIB = 1024 ** 3;
const definition = readDefinition({
  version: 1,
  name: 'memory',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  factors: { 'environment.nodes': [1, 3, 9] },
});
const plan = makePlan(definition);
const requested = environmentsOf(plan.cells).map(requestedCluster);

test('refuses a cluster that does not fit, and names a setting that would', () => {
  expect(() => checkMemory({ definition, plan }, requested, 32 * GIB)).not.toThrow();
  expect(() => checkMemory({ definition, plan }, requested, 4 * GIB)).toThrow(
    /^environment: 9 nodes.*need about .*4 GB free; allowed: --set 'factors.environment.nodes=\[1, 3\]', or a smaller heap/,
  );
});

test('a node needs more memory than its heap', () => {
  expect(memoryOf(requestedCluster({ nodes: '2', heap: '1g' }))).toBeGreaterThan(2 * GIB);
});

test('refuses more write threads than a node allows before anything starts', () => {
  const asked = [requestedCluster({ 'write-threads': '4' })];
  expect(() => checkThreads(asked, 3)).not.toThrow();
  expect(() => checkThreads(asked, 2)).toThrow(/environment\.write-threads.*found 4; allowed: from 1 to 3/);
});
