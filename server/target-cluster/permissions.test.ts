import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { MORE_NEEDS } from '../../common/privileges';
import { checkAccess, CLOSE_SCROLLS } from './permissions';

const SECURED = { engine: 'opensearch', plugins: new Set(['opensearch-security']) } as const;

/** Simulates an OpenSearch. `answer`: returns the response to a request. Keeps all requests in `sent`, as `PUT /index`. */
function openSearch(answer: (sent: string) => { status: number; body: unknown }) {
  const sent: ElasticsearchRequest[] = [];
  const client = {
    request(request: ElasticsearchRequest) {
      sent.push(request);
      return Promise.resolve(answer(`${request.method} ${request.path}`));
    },
  } as ElasticsearchClient;
  return { client, sent };
}

const reports = (...missingPrivileges: string[]) => ({
  status: 200,
  body: { accessAllowed: missingPrivileges.length === 0, missingPrivileges },
});
const NO_PARAMETER = { status: 400, body: { error: { reason: 'contains unrecognized parameter' } } };

test('an OpenSearch that does not report permissions gets no request that changes something', async () => {
  for (const plugins of [SECURED.plugins, null]) {
    const { client, sent } = openSearch(() => NO_PARAMETER);
    expect(await checkAccess(client, { engine: 'opensearch', plugins }, ['dyno-trial-*'])).toContain(
      'a missing one is found when a request needs it',
    );
    expect(sent.map(({ method }) => method)).toEqual(['GET']);
  }
});

test('an OpenSearch without the security plugin gets no request', async () => {
  const { client, sent } = openSearch(() => reports('all'));
  expect(await checkAccess(client, { engine: 'opensearch', plugins: new Set() }, ['dyno-trial-*'])).toBe('');
  expect(sent).toEqual([]);
});

test('every request only asks, and none hides the answer', async () => {
  const { client, sent } = openSearch(() => reports());
  const cluster = [...Object.values(MORE_NEEDS), CLOSE_SCROLLS];
  const existing = [{ names: ['products'], privileges: ['read', 'view_index_metadata', 'monitor'] }];
  const more = { cluster, index: ['manage'] };
  expect(await checkAccess(client, SECURED, ['dyno-trial-*'], more, existing)).toBe('');
  for (const { query } of sent) {
    expect(query).toMatchObject({ perform_permission_check: true });
    expect(query).not.toHaveProperty('filter_path');
  }
  const asked = sent.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual(
    expect.arrayContaining([
      'PUT /dyno-trial-check',
      'DELETE /dyno-trial-check',
      'POST /dyno-trial-check/_bulk',
      'POST /dyno-trial-check/_cache/clear',
      'PUT /_cluster/settings',
      'PUT /_ingest/pipeline/dyno-check',
      'PUT /_index_template/dyno-check',
      'GET /_snapshot/dyno-check/dyno-check',
      'DELETE /_search/scroll',
      'POST /products/_search',
      'GET /products',
    ]),
  );
  expect(asked).not.toContain('PUT /products');
});

test('the error names every missing permission with a request that needs it', async () => {
  const { client } = openSearch((sent) => {
    if (sent.startsWith('PUT /dyno-trial-check')) return reports('indices:admin/create');
    if (sent.endsWith('/_bulk')) return reports('indices:data/write/bulk');
    // The plugin fails to answer for some requests.
    return sent.includes('_stats') ? { status: 500, body: {} } : reports();
  });
  await expect(checkAccess(client, SECURED, ['dyno-trial-*'])).rejects.toMatchObject({
    code: 'target.missing-privileges',
    message:
      'these credentials lack permissions: indices:admin/create (for PUT /dyno-trial-check), indices:data/write/bulk (for POST /dyno-trial-check/_bulk), indices:admin/create (for PUT /dyno-trial-check/_doc/dyno-check)',
  });
});
