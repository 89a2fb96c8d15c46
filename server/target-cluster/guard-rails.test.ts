import { freeBytes } from './disks';
import {
  checkAllowedHosts,
  checkHealth,
  checkReservedName,
  isHostAllowed,
  mostOnOneNode,
} from './guard-rails';

test.each([
  ['http://es1:9200', undefined, true],
  ['http://es1:9200', [], false],
  ['http://es1:9200', ['es1'], true],
  ['http://ES1:9200', ['es1:9200'], true],
  ['http://es1:9201', ['es1:9200'], false],
  ['https://es1', ['es1:443'], true],
  ['http://es1.bench.example', ['*.bench.example'], true],
  ['http://bench.example.evil.org', ['*bench.example'], false],
  ['http://es1xbench', ['es1.bench'], false],
  ['http://10.0.0.7:9200', ['10.0.0.*:9200'], true],
])('%s is judged by the allowed hosts %j: %s', (url, allowed, answer) => {
  expect(isHostAllowed(url, allowed)).toBe(answer);
});

test('every forbidden host is named, with what is allowed', () => {
  const check = (): void => checkAllowedHosts(['http://a:1', 'http://b:2', 'http://c:3'], ['b']);
  expect(check).toThrow('this host may not be a target (found http://a:1; allowed: b)');
  expect(check).toThrow('http://c:3');
});

test('a red cluster is refused, one of unknown health is not', () => {
  expect(() => checkHealth('red')).toThrow('the cluster is red');
  for (const health of ['green', 'yellow', 'unknown'] as const)
    expect(() => checkHealth(health)).not.toThrow();
});

test('names of result indices are reserved, names that only begin like them are not', () => {
  for (const name of ['dyno-runs', 'dyno-trials-x', 'dyno-samples-2026.11', 'dyno-profiles-2026.11']) {
    expect(() => checkReservedName(name)).toThrow('reserved for results');
  }
  for (const name of ['dyno-trial', 'dyno-trial-abc', 'dyno', 'runs'])
    expect(() => checkReservedName(name)).not.toThrow();
});

test.each([
  ['90%', 100],
  ['0.9', 100],
  ['300b', 300],
  ['1kb', 1024],
  ['nonsense', 0],
])('a watermark of %s leaves %d of 1000 bytes free', (watermark, bytes) => {
  expect(freeBytes(watermark, 1000)).toBeCloseTo(bytes);
});

test('a disk must hold the indices that exist at the same time, in the largest alternative', () => {
  const dataset = { bytes: 300, primaries: 3, replicas: 0 };
  const trial = { bytes: 100, primaries: 1, replicas: 1 };
  expect(mostOnOneNode([[dataset]], 1)).toBe(300);
  expect(mostOnOneNode([[dataset, dataset, trial], [trial]], 1)).toBe(700);
  // The three shards are on two nodes, so one node has two of them. A replica is on the other node.
  expect(mostOnOneNode([[dataset], [trial]], 2)).toBe(200);
  expect(mostOnOneNode([[dataset, trial]], 2)).toBe(300);
  expect(mostOnOneNode([], 2)).toBe(0);
});
