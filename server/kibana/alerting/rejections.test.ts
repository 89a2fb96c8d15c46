import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { RejectionParams } from '../../../common/alerting/rejections/params';
import { historyMemory } from '../../results/history-memory';
import { asElasticsearchClient } from '../elasticsearch';
import type { KibanaElasticsearchClient } from '../sdk';
import { kibanaRuleType, type Watchtower } from './rule-type';
import { rejections } from './rejections';
import { checkRuleType, fakeRule } from './testing/fake-alerting';

interface Group {
  id: string;
  attempted: number;
  rejected: number;
}

/** Answers searches of samples with these groups, and searches of runs with nothing. */
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

const tower: Watchtower = {
  resultsOf: (own) => own,
  urlOf: (space, path) => `http://kibana/${space}${path}`,
  waitingSamples: () => Promise.resolve([]),
  histories: historyMemory(),
};
const bulkRejectionRate = (home: () => Watchtower) =>
  kibanaRuleType('dyno.bulkRejectionRate', rejections, home);
const ruleType = bulkRejectionRate(() => tower);
const given = { warning: 0.1, critical: 0.5 };
const at = (minute: number): Date => new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000);

test('it is a rule type as Kibana takes it', () => expect(() => checkRuleType(ruleType)).not.toThrow());

test('a rule with wrong parameters is refused, with every path', () => {
  const validate = (params: unknown): unknown => ruleType.validate.params.validate(params);
  expect(() => validate({ warning: 0.5, critical: 0.1, window: 'soon' })).toThrow(/window: .*critical: /s);
  expect(validate({})).toMatchObject({ measure: 'documents', minAttempts: 100 });
});

test.each(['old', 'new'] as const)(
  'in an %s Kibana it fires, changes its level, and recovers with a context',
  async (version) => {
    const look = fakeRule(ruleType, given, version);
    const rates = async (minute: number, rejected: number) =>
      look({ at: at(minute), client: cluster([{ id: 'a', attempted: 1000, rejected }]) });

    expect(await rates(0, 10)).toEqual({ active: {}, recovered: {} });
    expect(await rates(1, 100)).toMatchObject({ active: { a: { group: 'warning' } } });
    // At every look while it lasts: an alert that is not scheduled has recovered.
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
  /** A rule that looks each minute; since when results wait, by the minute, null for none. */
  const looking = (version: 'old' | 'new', more: object = {}) => {
    let since: number | null = null;
    const waits = bulkRejectionRate(() => ({
      ...tower,
      waitingSamples: () =>
        Promise.resolve(since === null ? [] : [{ experiment: { ...experiment, ...more }, since }]),
    }));
    const look = fakeRule(waits, { ...given, window: '1m' }, version);
    return (minute: number, waitsSince: number | null, rejected: number | null, asked: object[] = []) => {
      since = waitsSince === null ? null : at(waitsSince).getTime();
      const groups = rejected === null ? [] : [{ id: 'a', attempted: 1000, rejected }];
      return look({ at: at(minute), client: cluster(groups, asked as { path: string; body: unknown }[]) });
    };
  };

  test.each(['old', 'new'] as const)(
    'in an %s Kibana it says so in place of ok, and judges the windows when they have come',
    async (version) => {
      const look = looking(version);
      expect(await look(0, null, 0)).toEqual({ active: {}, recovered: {} });
      expect(await look(1, 0.5, 0)).toMatchObject({
        active: {
          a: {
            group: 'nodata',
            context: {
              reason:
                'No data: results of A wait to be stored since 2026-11-20T10:00:30.000Z, and are judged when they have come',
            },
          },
        },
      });
      // Some of them have been stored, and the oldest that waits is a later one.
      expect(await look(2, 1.5, null)).toMatchObject({ active: { a: { group: 'nodata' } } });
      const asked: { path: string; body: unknown }[] = [];
      const caught = await look(3, null, 700, asked);
      expect(caught).toMatchObject({
        active: { a: { group: 'critical', context: { previousLevel: 'nodata', rejected: 700 } } },
      });
      const text = JSON.stringify(asked);
      expect(text).toContain(`"gte":${at(2).getTime()},"lt":${at(3).getTime()}`);
      expect(text).toContain(`"gte":${at(1).getTime()},"lt":${at(2).getTime()}`);
      expect(text).toContain(`"gte":${at(0).getTime()},"lt":${at(1).getTime()}`);
      expect(await look(4, null, 0)).toMatchObject({ active: {}, recovered: { a: { level: 'ok' } } });
    },
  );

  test('an alert does not recover, and one that can be read already is raised', async () => {
    const look = looking('new');
    await look(0, null, 200);
    expect(await look(1, 0.2, 0)).toMatchObject({
      active: {
        a: { group: 'warning', context: { reason: expect.stringContaining('wait to be stored') as string } },
      },
      recovered: {},
    });
    expect(await look(2, 0.2, 600)).toMatchObject({ active: { a: { group: 'critical' } } });
    expect(await look(3, 0.2, null)).toMatchObject({ active: { a: { group: 'critical' } } });
  });

  test.each([
    ['are only on their way', {}, 0.9],
    ['are of another space', { space: 'team' }, 0.2],
    ['are provoked', { provokesRejections: true }, 0.2],
  ])('it judges as ever where they %s', async (_, more, since) => {
    expect(await looking('new', more)(1, since, 0)).toEqual({ active: {}, recovered: {} });
  });
});

test('more alerts than Kibana takes are cut, the worst stay', async () => {
  const groups = [0.2, 0.9, 0.6].map((rate, i) => ({ id: `g${i}`, attempted: 1000, rejected: rate * 1000 }));
  const look = fakeRule(ruleType, given, 'new', 2);
  const { active } = await look({ at: at(0), client: cluster(groups) });
  expect(Object.keys(active)).toEqual(['g1', 'g2']);
});

test('it looks at its own space, over its window, and asks the cluster that keeps the results', async () => {
  const asked: { path: string; body: unknown }[] = [];
  const client = cluster([], asked);
  const elsewhere: ElasticsearchClient = {
    request: (request) => asElasticsearchClient(client).request(request),
  };
  const other = bulkRejectionRate(() => ({ ...tower, resultsOf: () => elsewhere }));
  const own: KibanaElasticsearchClient = {
    transport: { request: () => Promise.reject(new Error('the wrong cluster')) },
  };
  await fakeRule(other, given, 'new')({ at: at(0), client: own, spaceId: 'team' });
  const text = JSON.stringify(asked[0]);
  expect(text).toContain('{"term":{"experiment.space":"team"}}');
  expect(text).toContain(`"gte":${at(-5).getTime()},"lt":${at(0).getTime()}`);
});

test('while Kibana is starting, a look fails and says why', async () => {
  const starting = bulkRejectionRate(() => {
    throw new Error('Kibana is still starting');
  });
  const look = fakeRule(starting, given, 'new');
  await expect(look({ at: at(0), client: cluster([]) })).rejects.toThrow('still starting');
});

test('View in app opens the runs, those of the only experiment where it watches one', () => {
  const { getViewInAppRelativeUrl: view } = bulkRejectionRate(() => {
    throw new Error('not needed');
  });
  const of = (experiments: string[]): string =>
    view({ rule: { params: { experiments } as unknown as RejectionParams } });
  expect(of([])).toBe('/app/dyno/runs');
  expect(of(['shards & more'])).toBe('/app/dyno/runs?experiment=shards%20%26%20more');
  expect(of(['a', 'b'])).toBe('/app/dyno/runs');
});
