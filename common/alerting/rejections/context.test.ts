import { CONTEXT_VARIABLES, contextOf } from './context';
import type { Judgement } from './evaluate';
import { rejectionParamsSchema } from './params';
import { BULK_REJECTION_RATE } from './texts';

const params = rejectionParamsSchema.parse({ warning: 0.01, critical: 0.05 });
const window = { from: Date.parse('2026-11-20T10:00:00Z'), to: Date.parse('2026-11-20T10:05:00Z') };
const linkTo = (run: string | null): string => `http://kibana/app/dyno/runs${run === null ? '' : `/${run}`}`;

const judgement: Judgement = {
  group: 'shards',
  name: 'Shards',
  level: 'critical',
  was: 'warning',
  ground: 'rate',
  figures: {
    group: 'shards',
    name: 'Shards',
    attempted: 98_765,
    rejected: 12_345,
    silenced: 0,
    causes: { queue: 12_000, coordinating: 345, primary: 0, replica: 0 },
    restarts: 0,
    run: 'r1',
  },
};

test('an alert contains the rejections, the attempts, the cause and a link', () => {
  expect(contextOf(judgement, params, window, linkTo)).toMatchObject({
    reason:
      'Critical (threshold 5%): 12,345 of 98,765 documents of Shards were rejected in the last 5m (12.5%), refused by: full write queue and indexing pressure (coordinating)',
    rate: '12.5%',
    attempts: 98_765,
    rejected: 12_345,
    warningThreshold: '1%',
    recoveryThreshold: '0.5%',
    causeKind: 'mixed',
    queueRejections: 12_000,
    coordinatingRejections: 345,
    from: '2026-11-20T10:00:00.000Z',
    link: 'http://kibana/app/dyno/runs/r1',
  });
});

test('an alert that has recovered, or has no data, says so', () => {
  const recovered: Judgement = { ...judgement, level: 'ok', ground: 'few' };
  expect(contextOf(recovered, params, window, linkTo).reason).toMatch(/^Recovered: .*, too few to judge$/);
  const idle: Judgement = { ...recovered, figures: { ...judgement.figures!, attempted: 0, rejected: 0 } };
  expect(contextOf(idle, params, window, linkTo).reason).toBe(
    'Recovered: Shards had no attempts in the last 5m',
  );
  const gone: Judgement = { ...judgement, level: 'nodata', ground: 'none', figures: null };
  expect(contextOf(gone, params, window, linkTo)).toMatchObject({
    reason: 'No data: Shards has no data in the last 5m',
    link: 'http://kibana/app/dyno/runs',
    attempts: 0,
  });
});

test('every variable is described, and the messages use no other', () => {
  const names = CONTEXT_VARIABLES.map(({ name }) => name);
  expect(Object.keys(contextOf(judgement, params, window, linkTo)).sort()).toEqual([...names].sort());
  for (const [, name] of `${BULK_REJECTION_RATE.message}${BULK_REJECTION_RATE.recoveryMessage}`.matchAll(
    /\{\{context\.(\w+)\}\}/g,
  ))
    expect(names).toContain(name);
});
