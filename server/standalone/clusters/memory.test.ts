import { askedCluster } from '../../../common/experiment/asked-cluster';
import { readDefinition } from '../../../common/experiment/read';
import { environmentsOf } from '../../../common/experiment/environment-blocks';
import { checkMemory, memoryOf } from './memory';

const GIB = 1024 ** 3;
const definition = readDefinition({
  version: 1,
  name: 'memory',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  factors: { 'environment.nodes': [1, 3, 9] },
});
const asked = environmentsOf(definition).map(askedCluster);

test('the largest cluster must fit, and the error says what would', () => {
  expect(() => checkMemory(definition, asked, 32 * GIB)).not.toThrow();
  expect(() => checkMemory(definition, asked, 4 * GIB)).toThrow(
    /^environment: 9 nodes.*take about .*4 GB free; allowed: --set 'factors.environment.nodes=\[1, 3\]', or a smaller heap/,
  );
});

test('a node takes more than its heap', () => {
  expect(memoryOf(askedCluster({ nodes: '2', heap: '1g' }))).toBeGreaterThan(2 * GIB);
});
