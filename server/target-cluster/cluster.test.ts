import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { checkPrivileges } from './cluster';

/** Simulates a target with security whose credentials have no privileges. It answers this to a question about the user. */
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
