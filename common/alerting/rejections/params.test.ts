import { groupingOf, recoveryOf, rejectionParamsSchema, windowMs, type RejectionParamsInput } from './params';

test('by default a rule watches the documents of each experiment', () => {
  const params = rejectionParamsSchema.parse({});
  expect(params).toMatchObject({
    measure: 'documents',
    warning: 0.01,
    critical: 0.05,
    silenceProvoked: true,
  });
  expect(groupingOf(params)).toBe('experiment');
  expect(groupingOf(rejectionParamsSchema.parse({ measure: 'write-pool' }))).toBe('node');
  expect(windowMs(params)).toBe(300_000);
});

test('recovery is half of the warning, or the same fraction of both levels', () => {
  expect(recoveryOf(rejectionParamsSchema.parse({ warning: 0.1, critical: 0.4 }))).toEqual({
    warning: 0.05,
    critical: 0.2,
  });
  const { warning, critical } = recoveryOf(
    rejectionParamsSchema.parse({ warning: 0.1, critical: 0.4, recovery: 0.08 }),
  );
  expect(warning).toBeCloseTo(0.08);
  expect(critical).toBeCloseTo(0.32);
});

test.each<[string, RejectionParamsInput, string]>([
  ['a critical level not above the warning', { warning: 0.1, critical: 0.1 }, 'critical'],
  ['a recovery not below it', { warning: 0.1, critical: 0.2, recovery: 0.1 }, 'recovery'],
  ['a percentage instead of a share', { critical: 5 }, 'critical'],
  ['no threshold', { warning: 0 }, 'warning'],
  ['an invalid window', { window: 'soon' }, 'window'],
  ['a window too short', { window: '5s' }, 'window'],
  ['documents grouped by node', { groupBy: 'node' }, 'groupBy'],
  ['tasks of nodes grouped by experiment', { measure: 'write-pool', groupBy: 'experiment' }, 'groupBy'],
  ['a filter by node for documents', { nodes: 'data-*' }, 'nodes'],
  ['a filter by target for nodes', { measure: 'indexing-pressure', target: 'local' }, 'target'],
  ['an unknown key', { threshold: 3 } as RejectionParamsInput, ''],
])('%s is refused, with its path', (_, given, path) => {
  const { error } = rejectionParamsSchema.safeParse(given);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});
