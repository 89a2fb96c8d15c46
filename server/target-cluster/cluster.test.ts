import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { checkPrivileges, identifyCluster } from './cluster';

/**
 * Simulates a target with security whose credentials have no privileges. `authenticated`: answer to `_security/_authenticate`, which
 * returns the user.
 */
function refusing(authenticated: { status: number; body: unknown }): ElasticsearchClient {
  const refused = {
    has_all_requested: false,
    username: 'alice',
    cluster: { monitor: false },
    index: { 'a-*': { read: true } },
  };
  return {
    request: <T>({ path }: ElasticsearchRequest) =>
      Promise.resolve(
        (path === '/_security/_authenticate' ? authenticated : { status: 200, body: refused }) as {
          status: number;
          body: T;
        },
      ),
  };
}

const authenticated = (body: object) => ({ status: 200, body });

test.each([
  [
    'the user alice lacks privileges: cluster: monitor',
    authenticated({ username: 'alice', authentication_type: 'realm' }),
  ],
  [
    'the API key nightly (made by alice) lacks privileges: cluster: monitor',
    authenticated({
      username: 'alice',
      authentication_type: 'api_key',
      api_key: { id: 'x', name: 'nightly' },
    }),
  ],
  [
    'the API key (made by alice) lacks privileges: cluster: monitor',
    authenticated({ username: 'alice', authentication_realm: { name: '_es_api_key' } }),
  ],
  ['these credentials (of alice) lack privileges: cluster: monitor', { status: 403, body: {} }],
])('the error about missing privileges names their owner: %s', async (sentence, answer) => {
  await expect(checkPrivileges(refusing(answer), ['a-*'])).rejects.toThrow(sentence);
});

/**
 * Simulates a cluster. `version`: version object in the answer to `GET /`. `ofNode`: version in the answer about the cluster's only node.
 */
const answering = (version: object, ofNode = ''): ElasticsearchClient => ({
  request: <T>({ path }: ElasticsearchRequest) => {
    const body =
      path === '/'
        ? { cluster_name: 'c', cluster_uuid: 'u', version }
        : { nodes: { n: { name: 'n', version: ofNode } } };
    return Promise.resolve({ status: 200, body: body as T });
  },
});

const disguised = { number: '7.10.2', distribution: 'opensearch' };

test.each([
  ['Elasticsearch', { number: '9.5.3', build_flavor: 'default' }, 'elasticsearch', '9.5.3'],
  [
    'Elasticsearch that names itself',
    { number: '8.19.0', distribution: 'elasticsearch' },
    'elasticsearch',
    '8.19.0',
  ],
  ['OpenSearch 2', { number: '2.19.6', distribution: 'opensearch' }, 'opensearch', '2.19.6'],
  ['OpenSearch 3', { number: '3.6.0', distribution: 'opensearch' }, 'opensearch', '3.6.0'],
  ['OpenSearch that reports the version of Elasticsearch', disguised, 'opensearch', '2.19.6'],
])('identifies the engine and its own version: %s', async (_, answered, engine, version) => {
  expect(await identifyCluster(answering(answered, '2.19.6'))).toMatchObject({ engine, version });
});

const SUPPORTED = 'Dyno measures Elasticsearch 7.0 and OpenSearch 2.0 and later';

test.each([
  [{ number: '6.8.23' }, `Elasticsearch 6.8.23 is too old; ${SUPPORTED}`],
  [{ number: '1.3.20', distribution: 'opensearch' }, `OpenSearch 1.3.20 is too old; ${SUPPORTED}`],
  [disguised, `OpenSearch 1.3.20 is too old; ${SUPPORTED}`],
  [{ number: '4.0.0', distribution: 'another' }, `this is another 4.0.0; ${SUPPORTED}`],
])('refuses an engine or a version that Dyno does not measure: %j', async (version, message) => {
  await expect(identifyCluster(answering(version, '1.3.20'))).rejects.toMatchObject({
    code: 'target.unsupported-version',
    message,
  });
});
