import { answerCeiling } from '../../common/elasticsearch/ceiling';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import * as api from './api';
import { asking, having, type Endpoint } from './ask';

const MB = 1024 ** 2;
const NOTHING = having();

test.each<[string, Endpoint<unknown>, number]>([
  ['who answers', api.root(), 16],
  ['a count', api.count('a'), 16],
  ['the health', api.clusterHealth(), 16],
  ['statistics of nodes', api.nodes('stats/jvm', [], NOTHING), 128],
  ['segments', api.indexFigures(['a', 'b'], '_segments', NOTHING, {}), 128],
  ['all mappings', api.getMappings(undefined), 128],
  ['a search', api.search('dyno-trials-*', {}, NOTHING), 256],
  ['a bulk', api.bulk('index', '', 1000), 256],
])('the answer with %s has at most its ceiling', (_, endpoint, mb) => {
  expect(answerCeiling(endpoint)).toBe(mb * MB);
});

/** Simulates a cluster that gives these answers in turn, and then repeats the last one. */
const answering = (...answers: { status: number; body: unknown }[]) => {
  const asked: ElasticsearchRequest[] = [];
  const client: ElasticsearchClient = {
    request: (request) => {
      asked.push(request);
      return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) as never);
    },
  };
  return { client, asked };
};

const { ask, askIfThere, askIfOffered } = asking('target');
const named = { ...api.root(), answer: having<{ version: { number: string } }>('version.number') };

test('the answer is the value that the endpoint reads, and the client receives only the request', async () => {
  const body = { version: { number: '9.5.3' } };
  const { client, asked } = answering({ status: 200, body });
  expect(await ask(client, named, 'ask who answers')).toEqual(body);
  expect(asked).toEqual([{ method: 'GET', path: '/' }]);
});

test.each([
  ['a page of a proxy', '<html>', 'no JSON'],
  ['nothing', null, 'version.number is missing'],
  ['an answer without a part', { version: {} }, 'version.number is missing'],
])('%s is an error that names what is wrong, in the words of each cluster', async (_, body, why) => {
  const { client } = answering({ status: 200, body });
  await expect(ask(client, named, 'ask who answers')).rejects.toMatchObject({
    code: 'target.bad-answer',
    message: `could not ask who answers: the answer does not come from Elasticsearch (${why}); is a proxy in between?`,
  });
  await expect(asking('results').ask(client, named, 'ask who answers')).rejects.toMatchObject({
    code: 'results.refused',
    message: `could not ask who answers: it answered 200, but not as Elasticsearch does (${why})`,
  });
});

test.each([
  [400, 'input', 'target.refused', 'could not read a: wrong'],
  [401, 'run', 'target.unauthorised', 'the cluster does not accept these credentials: wrong'],
  [403, 'run', 'target.forbidden', 'these credentials lack a privilege to read a: wrong'],
  [404, 'run', 'target.refused', 'could not read a: wrong'],
  [429, 'run', 'target.unavailable', 'the cluster refuses requests, because it is overloaded (429): wrong'],
  [503, 'run', 'target.unavailable', 'the cluster is not available (503): wrong'],
])('an unexpected error %d has a code and the reason of the cluster', async (status, kind, code, text) => {
  const { client } = answering({ status, body: { error: { type: 't', reason: 'wrong' }, status } });
  await expect(ask(client, api.count('a'), 'read a')).rejects.toMatchObject({
    kind,
    code,
    message: expect.stringContaining(text) as string,
  });
});

test('the first expectation that fits an answer decides what is returned', async () => {
  const exists = { error: { type: 'resource_already_exists_exception' }, status: 400 };
  const { client } = answering({ status: 400, body: exists });
  const expected = { illegal: () => 'illegal', exists: () => 'exists', failed: () => 'failed' };
  expect(await ask(client, api.createIndex('a', {}), 'make a', expected)).toBe('exists');
  expect(await askIfThere(answering({ status: 404, body: {} }).client, named, 'look')).toBeUndefined();
  expect(await askIfOffered(answering({ status: 410, body: {} }).client, named, 'look')).toBeUndefined();
  await expect(askIfThere(answering({ status: 410, body: {} }).client, named, 'look')).rejects.toThrow('410');
});

test('a request with retries is repeated after each pause, and not more often', async () => {
  const early = { status: 503, body: null };
  const endpoint = {
    ...named,
    retry: { when: ({ status }: { status: number }) => status === 503, pausesMs: [0, 0] },
  };
  const back = answering(early, early, { status: 200, body: { version: { number: '9' } } });
  await expect(ask(back.client, endpoint, 'ask')).resolves.toEqual({ version: { number: '9' } });
  const away = answering(early);
  await expect(ask(away.client, endpoint, 'ask')).rejects.toMatchObject({ code: 'target.unavailable' });
  expect([back.asked.length, away.asked.length]).toEqual([3, 3]);
});
