import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { RuleParams } from '../../../common/alerting/params';
import { asElasticsearchClient } from '../elasticsearch';
import type { KibanaElasticsearchClient } from '../sdk';
import type { Watchtower } from './executor';
import { bulkRejectionRate } from './rule-type';
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
      attempted: { value: attempted },
      rejected: { value: rejected },
      refused: { samples: { hits: { hits: [] } } },
    };
    const part = { runs: { buckets: [{ key: `run-of-${id}`, tasks: { buckets: [task] } }] } };
    const newest = { hits: { hits: [{ _source: { experiment: { id, name: id.toUpperCase() } } }] } };
    return { key: id, newest, counted: part, silenced: { runs: { buckets: [] } } };
  };
  return {
    transport: {
      request: ({ path, body }) => {
        asked.push({ path, body });
        const aggregations = { groups: { buckets: groups.map(bucket) } };
        return Promise.resolve({
          statusCode: 200,
          body: path.includes('samples') ? { aggregations } : { hits: { hits: [] } },
        });
      },
    },
  };
}

const tower: Watchtower = {
  resultsOf: (own) => own,
  urlOf: (space, path) => `http://kibana/${space}${path}`,
};
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
    view({ rule: { params: { experiments } as unknown as RuleParams } });
  expect(of([])).toBe('/app/dyno/runs');
  expect(of(['shards & more'])).toBe('/app/dyno/runs?experiment=shards%20%26%20more');
  expect(of(['a', 'b'])).toBe('/app/dyno/runs');
});
