import { dashboardPath } from './dashboard-path';

test('without a view it is the dashboard as it was saved', () => {
  expect(dashboardPath('dyno-overview-default')).toBe('#/view/dyno-overview-default');
});

test('a view contains its time and its query', () => {
  const view = { field: 'run.id', value: '2026-a', from: '2026-01-01T00:00:00.000Z', to: 'now' } as const;
  expect(decodeURIComponent(dashboardPath('a', view))).toBe(
    `#/view/a?_g=(time:(from:'2026-01-01T00:00:00.000Z',to:'now'))&_a=(query:(language:kuery,query:'run.id: "2026-a"'))`,
  );
});

test('no value can escape from the query or the URL', () => {
  const value = `it's "a" \\ b! & #c?`;
  const path = dashboardPath('a', { field: 'experiment.id', value, from: 'now-1h', to: 'now' });
  expect(path.split('&')).toHaveLength(2);
  expect(path.slice(1)).not.toContain('#');
  expect(decodeURIComponent(path)).toContain(`'experiment.id: "it!'s \\"a\\" \\\\ b!! & #c?"'`);
});

test('a view of one task includes documents without a task', () => {
  const view = { field: 'run.id', value: 'a', task: 'find', from: 'now-1h', to: 'now' } as const;
  expect(decodeURIComponent(dashboardPath('b', view))).toContain(
    `query:'run.id: "a" and (task: "find" or not task: *)'`,
  );
});
