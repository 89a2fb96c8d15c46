import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { clusterSentences, loadSentences } from './plan';

const sentences = (environment: object, more: object = {}): string[] => {
  const definition = readDefinition({
    version: 1,
    name: 'clusters',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    environment,
    ...more,
  });
  return clusterSentences(makePlan(definition));
};

describe('sentences about the embedded Elasticsearch as the target', () => {
  it('are empty without an environment', () => {
    expect(sentences({ disk: 'premium' })).toEqual([]);
  });

  it('name the settings that Dyno changes', () => {
    expect(sentences({ nodes: 3 })).toEqual([expect.stringMatching(/sets nodes itself \(1 cluster/)]);
  });

  it('warn if it would refuse the run, although the definition is valid for other targets', () => {
    const [warning, ...others] = sentences({ nodes: 'many' });
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Warning: the embedded Elasticsearch as the target would refuse this/);
    expect(warning).toMatch(/environment\.nodes.*found many; allowed: a whole number/);
  });
});

test('features that the clusters started by Dyno lack are listed', () => {
  const index = { settings: { 'merge.policy.type': 'tiered' } };
  expect(sentences({ engine: 'opensearch' }, { index })).toContainEqual(
    expect.stringMatching(
      /^Warning: a run on clusters that Dyno starts would be refused: index\.settings\.merge\.policy\.type: OpenSearch 3\.6\.0 offers no index setting/,
    ),
  );
  expect(sentences({ engine: 'elasticsearch' }, { index }).join()).not.toContain('refused');
});

describe('the load of each trial', () => {
  const planOf = (factors: object): string[] =>
    loadSentences(
      makePlan(
        readDefinition({
          version: 1,
          name: 'loads',
          tasks: [
            {
              name: 'ingest',
              ingest: { source: { generator: 'systembase' } },
              executor: { 'constant-clients': { clients: 2 } },
            },
            { name: 'ask', search: { set: 'azure-queries' }, executor: { 'constant-rate': { rate: 5 } } },
          ],
          factors,
        }),
      ),
    );
  const INGEST = 'bulks of 1,000 documents from systembase';
  const CLIENTS = 'each with its next request when the last one is answered';
  const SPREAD =
    'spread: requests go directly to the addresses of the data nodes, bypassing any proxy or path of the given hosts; use given-hosts to send them through it';
  const ASK = 'ask: searches drawn from azure-queries; 5 requests a second, at most 1,000 in flight';

  it('lists for each task what is sent and at which rate', () => {
    expect(planOf({})).toEqual([`ingest: ${INGEST}; 2 clients, ${CLIENTS}`, ASK, SPREAD]);
  });

  it('lists each variant of a task, with the numbers of its cells', () => {
    const factors = {
      'tasks.ingest.executor.constant-clients.clients': [1, 8],
      'index.settings.refresh_interval': ['1s', '30s'],
    };
    expect(planOf(factors)).toEqual([
      `ingest (cells 1, 2): ${INGEST}; 1 client, ${CLIENTS}`,
      `ingest (cells 3, 4): ${INGEST}; 8 clients, ${CLIENTS}`,
      ASK,
      SPREAD,
    ]);
  });

  it('lists for each variant to which hosts requests go', () => {
    expect(planOf({ spread: ['data-nodes', 'given-hosts', 'one-host'] }).slice(-3)).toEqual([
      SPREAD.replace('spread:', 'spread (cell 1):'),
      'spread (cell 2): requests go to the given hosts in turn',
      'spread (cell 3): requests go to the first of the given hosts',
    ]);
  });
});
