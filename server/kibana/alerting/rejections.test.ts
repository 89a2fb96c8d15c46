import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { RejectionParams } from '../../../common/alerting/rejections/params';
import { historyMemory } from '../../results/history-memory';
import { asElasticsearchClient } from '../elasticsearch';
import type { KibanaElasticsearchClient } from '../sdk';
import { kibanaRuleType, type RuleServices } from './adapter';
import { rejections } from './rejections';
import { checkRuleType, fakeRule } from './testing/fake-alerting';

interface Group {
  id: string;
  attempted: number;
  rejected: number;
}

/**
 * Simulates a cluster. Searches for samples return these groups (targets or experiments) with their counts of attempted and rejected
 * documents. Searches for runs return nothing.
 */
function cluster(groups: Group[], asked: { path: string; body: unknown }[] = []): KibanaElasticsearchClient {
  const bucket = ({ id, attempted, rejected }: Group): object => {
    const task = {
      key: 'ingest',
      doc_count: 1,
      kind: { buckets: [{ key: 'ingest', doc_count: 1 }] },
      attempted: { value: attempted },
      rejected: { value: rejected },
      refused: { doc_count: 1, samples: { hits: { hits: [] } } },
    };
    const run = {
      key: `run-of-${id}`,
      doc_count: 1,
      newest: { value: 1 },
      tasks: { buckets: [task] },
    };
    const part = { doc_count: 1, runs: { buckets: [run] } };
    const newest = { hits: { hits: [{ _source: { experiment: { id, name: id.toUpperCase() } } }] } };
    return {
      key: id,
      doc_count: 1,
      newest,
      counted: part,
      silenced: { doc_count: 0, runs: { buckets: [] } },
    };
  };
  return {
    transport: {
      request: ({ path, body }) => {
        asked.push({ path, body });
        const aggregations = { groups: { buckets: groups.map(bucket) } };
        return Promise.resolve({
          statusCode: 200,
          body: {
            _shards: { total: 1 },
            ...(path.includes('samples') ? { aggregations } : { hits: { hits: [] } }),
          },
        });
      },
    },
  };
}

const services: RuleServices = {
  resultsOf: (own) => own,
  urlOf: (space, path) => `http://kibana/${space}${path}`,
  waitingSamples: () => Promise.resolve([]),
  histories: historyMemory(),
};
const bulkRejectionRate = (home: () => RuleServices) =>
  kibanaRuleType('dyno.bulkRejectionRate', rejections, home);
const ruleType = bulkRejectionRate(() => services);
const given = { warning: 0.1, critical: 0.5 };
const at = (minute: number): Date => new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000);

test('Kibana accepts the rule type', () => expect(() => checkRuleType(ruleType)).not.toThrow());

test('a rule with wrong parameters is refused, with every path', () => {
  const validate = (params: unknown): unknown => ruleType.validate.params.validate(params);
  expect(() => validate({ warning: 0.5, critical: 0.1, window: 'soon' })).toThrow(/window: .*critical: /s);
  expect(validate({})).toMatchObject({ measure: 'documents', minAttempts: 100 });
});

test.each(['old', 'new'] as const)(
  'in an %s Kibana it fires, changes its level, and recovers with a context',
  async (version) => {
    const check = fakeRule(ruleType, given, version);
    const rates = async (minute: number, rejected: number) =>
      check({ at: at(minute), client: cluster([{ id: 'a', attempted: 1000, rejected }]) });

    expect(await rates(0, 10)).toEqual({ active: {}, recovered: {} });
    expect(await rates(1, 100)).toMatchObject({ active: { a: { group: 'warning' } } });
    // The alert is reported at every check while it lasts, because Kibana counts an alert that is not reported as recovered.
    expect(await rates(2, 60)).toMatchObject({
      active: { a: { group: 'warning', context: { previousLevel: 'warning', rate: '6%' } } },
    });
    expect(await rates(3, 700)).toMatchObject({
      active: {
        a: {
          group: 'critical',
          context: {
            previousLevel: 'warning',
            group: 'A',
            attempts: 1000,
            rejected: 700,
            link: 'http://kibana/default/runs/run-of-a',
            from: '2026-11-20T09:58:00.000Z',
            to: '2026-11-20T10:03:00.000Z',
          },
        },
      },
    });
    expect(await rates(4, 0)).toMatchObject({
      active: {},
      recovered: {
        a: {
          level: 'ok',
          previousLevel: 'critical',
          reason: expect.stringMatching(/^Recovered: 0 of 1,000/) as string,
        },
      },
    });
  },
);

describe('while results wait to be stored', () => {
  const experiment = { id: 'a', name: 'A', target: 'local' };
  /**
   * Creates a rule that is checked each minute. `waitingSince`: minute since which results have not been stored; null if all are stored.
   */
  const checking = (version: 'old' | 'new', more: object = {}) => {
    let since: number | null = null;
    const waits = bulkRejectionRate(() => ({
      ...services,
      waitingSamples: () =>
        Promise.resolve(since === null ? [] : [{ experiment: { ...experiment, ...more }, since }]),
    }));
    const check = fakeRule(waits, { ...given, window: '1m' }, version);
    return (minute: number, waitsSince: number | null, rejected: number | null, asked: object[] = []) => {
      since = waitsSince === null ? null : at(waitsSince).getTime();
      const groups = rejected === null ? [] : [{ id: 'a', attempted: 1000, rejected }];
      return check({ at: at(minute), client: cluster(groups, asked as { path: string; body: unknown }[]) });
    };
  };

  test.each(['old', 'new'] as const)(
    'in an %s Kibana it reports missing data instead of ok, and judges the windows when the data has arrived',
    async (version) => {
      const check = checking(version);
      expect(await check(0, null, 0)).toEqual({ active: {}, recovered: {} });
      expect(await check(1, 0.5, 0)).toMatchObject({
        active: {
          a: {
            group: 'nodata',
            context: {
              reason:
                'No data: results of A have been waiting to be stored since 2026-11-20T10:00:30.000Z, and are judged once they are stored',
            },
          },
        },
      });
      // Some results have been stored in the meantime, so the oldest waiting result is newer.
      expect(await check(2, 1.5, null)).toMatchObject({ active: { a: { group: 'nodata' } } });
      const asked: { path: string; body: unknown }[] = [];
      const caught = await check(3, null, 700, asked);
      expect(caught).toMatchObject({
        active: { a: { group: 'critical', context: { previousLevel: 'nodata', rejected: 700 } } },
      });
      const text = JSON.stringify(asked);
      expect(text).toContain(`"gte":${at(2).getTime()},"lt":${at(3).getTime()}`);
      expect(text).toContain(`"gte":${at(1).getTime()},"lt":${at(2).getTime()}`);
      expect(text).toContain(`"gte":${at(0).getTime()},"lt":${at(1).getTime()}`);
      expect(await check(4, null, 0)).toMatchObject({ active: {}, recovered: { a: { level: 'ok' } } });
    },
  );

  test('an alert does not recover, and one in data that is already stored is raised', async () => {
    const check = checking('new');
    await check(0, null, 200);
    expect(await check(1, 0.2, 0)).toMatchObject({
      active: {
        a: {
          group: 'warning',
          context: { reason: expect.stringContaining('waiting to be stored') as string },
        },
      },
      recovered: {},
    });
    expect(await check(2, 0.2, 600)).toMatchObject({ active: { a: { group: 'critical' } } });
    expect(await check(3, 0.2, null)).toMatchObject({ active: { a: { group: 'critical' } } });
  });

  test.each([
    ['are only being stored', {}, 0.9],
    ['belong to another space', { space: 'team' }, 0.2],
    ['are provoked', { provokesRejections: true }, 0.2],
  ])('it judges as usual if they %s', async (_, more, since) => {
    expect(await checking('new', more)(1, since, 0)).toEqual({ active: {}, recovered: {} });
  });
});

test('alerts beyond Kibana’s limit are left out, the worst are kept', async () => {
  const groups = [0.2, 0.9, 0.6].map((rate, i) => ({ id: `g${i}`, attempted: 1000, rejected: rate * 1000 }));
  const check = fakeRule(ruleType, given, 'new', 2);
  const { active } = await check({ at: at(0), client: cluster(groups) });
  expect(Object.keys(active)).toEqual(['g1', 'g2']);
});

test('it reads its own space and window from the results cluster', async () => {
  const asked: { path: string; body: unknown }[] = [];
  const client = cluster([], asked);
  const elsewhere: ElasticsearchClient = {
    request: (request) => asElasticsearchClient(client).request(request),
  };
  const other = bulkRejectionRate(() => ({ ...services, resultsOf: () => elsewhere }));
  const own: KibanaElasticsearchClient = {
    transport: { request: () => Promise.reject(new Error('the wrong cluster')) },
  };
  await fakeRule(other, given, 'new')({ at: at(0), client: own, spaceId: 'team' });
  const text = JSON.stringify(asked[0]);
  expect(text).toContain('{"term":{"experiment.space":"team"}}');
  expect(text).toContain(`"gte":${at(-5).getTime()},"lt":${at(0).getTime()}`);
});

test('while Kibana is starting, a check fails and reports why', async () => {
  const starting = bulkRejectionRate(() => {
    throw new Error('Kibana is still starting');
  });
  const check = fakeRule(starting, given, 'new');
  await expect(check({ at: at(0), client: cluster([]) })).rejects.toThrow('still starting');
});

test('View in app opens the runs, limited to the experiment if the rule watches only one', () => {
  const { getViewInAppRelativeUrl: view } = bulkRejectionRate(() => {
    throw new Error('not needed');
  });
  const of = (experiments: string[]): string =>
    view({ rule: { params: { experiments } as unknown as RejectionParams } });
  expect(of([])).toBe('/app/dyno/runs');
  expect(of(['shards & more'])).toBe('/app/dyno/runs?experiment=shards%20%26%20more');
  expect(of(['a', 'b'])).toBe('/app/dyno/runs');
});
