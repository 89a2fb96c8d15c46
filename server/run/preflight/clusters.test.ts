import type { NodeFacts } from '../../../common/experiment/run';
import { unlikeRequested } from './preflight';

const MIB = 1024 ** 2;
const node = (version: string, heapBytes: number): NodeFacts => ({
  name: 'dyno-1',
  version,
  jvm: 'OpenJDK 25',
  heapBytes,
  cores: 2,
  memoryBytes: 8 * 1024 * MIB,
  os: 'Debian',
  roles: ['data'],
  disk: 'ssd',
  diskTotalBytes: 1,
  diskFreeBytes: 1,
});
const ASKED = { nodes: 2, heapBytes: 256 * MIB, version: '9.5.3' };

test('what was asked for is no surprise, nor a heap that the JVM has rounded', () => {
  expect(unlikeRequested(ASKED, [node('9.5.3', 256 * MIB), node('9.5.3', 250 * MIB)])).toBe('');
});

test('everything else is said', () => {
  expect(unlikeRequested(ASKED, [node('9.5.2', 512 * MIB)])).toBe(
    '1 nodes, not 2; Elasticsearch 9.5.2, not 9.5.3; heap 512 MB, not 256 MB',
  );
});
