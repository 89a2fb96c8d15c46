import type { TaskDefinition } from '../../common/experiment/definition';
import { viewOfRun } from './dashboards-menu';

const RUN = { id: 'run-1', started: '2026-11-26T10:00:00Z', ended: null };
const tasks = [{ name: 'ingest' }, { name: 'find' }] as TaskDefinition[];
const taskOf = (...claimed: string[]): string | undefined =>
  viewOfRun(RUN, { tasks, expect: claimed.map((metric) => `${metric} stays with index.settings.codec`) })
    .task;

test('dashboards of a run show the task that the first claim is about', () => {
  expect(taskOf('find.latency.p99')).toBe('find');
  expect(taskOf('find.top-15.latency.p99', 'ingest.throughput')).toBe('find');
  expect(taskOf()).toBe('ingest');
});

test('dashboards show all tasks where the claim is about the indices or the cluster', () => {
  expect([taskOf('index.store_bytes'), taskOf('cluster.gc', 'find.throughput')]).toEqual([
    undefined,
    undefined,
  ]);
});
