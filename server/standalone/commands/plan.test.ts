import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { clusterSentences, loadSentences } from './plan';

const sentences = (environment: object): string[] => {
  const definition = readDefinition({
    version: 1,
    name: 'clusters',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    environment,
  });
  return clusterSentences(makePlan(definition));
};

describe('what is said before a run of the embedded Elasticsearch as the target', () => {
  it('is nothing where it is asked for nothing', () => {
    expect(sentences({ disk: 'premium' })).toEqual([]);
  });

  it('is what it sets', () => {
    expect(sentences({ nodes: 3 })).toEqual([expect.stringMatching(/sets nodes by itself \(1 cluster/)]);
  });

  it('is a warning where it would refuse the run, though the definition is valid for other targets', () => {
    const [warning, ...others] = sentences({ nodes: 'many' });
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Warning: the embedded Elasticsearch as the target would refuse this/);
    expect(warning).toMatch(/environment\.nodes.*found many; allowed: a whole number/);
  });
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

  it('is told task by task: what is sent, and how it is paced', () => {
    expect(planOf({})).toEqual([`ingest: ${INGEST}; 2 clients, ${CLIENTS}`, ASK, SPREAD]);
  });

  it('is told for each way in which cells vary a task, with their numbers', () => {
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

  it('says where requests go, for each way in which cells spread them', () => {
    expect(planOf({ spread: ['data-nodes', 'given-hosts', 'one-host'] }).slice(-3)).toEqual([
      SPREAD.replace('spread:', 'spread (cell 1):'),
      'spread (cell 2): requests go to the given hosts in turn',
      'spread (cell 3): requests go to the first of the given hosts',
    ]);
  });
});
