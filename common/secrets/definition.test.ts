import { removedSecrets, withoutSecrets } from './definition';

const SECRETS = [
  ...[
    'Bearer planted-header-1',
    'planted-header-2',
    'planted-header-3',
    'planted-header-4',
    'planted-header-5',
  ],
  ...[
    'planted-param-1',
    'planted-value-1',
    'planted-value-2',
    'planted-body-1',
    'planted-body-2',
    'planted-level-1',
  ],
] as const;

const definition = {
  name: 'search as somebody',
  tasks: [
    {
      name: 'search',
      requests: [
        {
          parameters: {
            word: { values: ['error', 'timeout'] },
            key: { values: [SECRETS[6]] },
            token: { weighted: [{ value: SECRETS[7], weight: 3 }] },
          },
          http: {
            method: 'POST',
            path: '/_reindex',
            params: { api_key: SECRETS[5], routing: 'a' },
            headers: {
              'X-Any': SECRETS[0],
              'X-Api-Key': SECRETS[1],
              cookie: SECRETS[2],
              'x-amz-security-token': SECRETS[3],
              'Proxy-Authorization': SECRETS[4],
              authorization: 'ApiKey {{key}}',
              'x-opaque-id': 'dyno',
              'accept-encoding': 'gzip',
            },
            body: {
              source: { remote: { host: 'h', password: SECRETS[8] } },
              query: { term: { token: 'kept' } },
            },
          },
        },
        { http: { method: 'POST', path: '/x', body: `{"password": "${SECRETS[9]}", "size": 1.0}` } },
      ],
    },
  ],
  factors: { 'tasks[0].requests[0].http.headers.authorization': [SECRETS[10], ''] },
};

test('all credentials of a definition are removed, and everything else is kept', () => {
  const document = { definition, plan: { cells: [{ label: `authorization: ${SECRETS[10]}` }] }, count: 3 };
  const shown = withoutSecrets(document, definition);
  const text = JSON.stringify(shown);
  for (const secret of SECRETS) expect(text).not.toContain(secret.replace('Bearer ', ''));
  for (const kept of [
    '"dyno"',
    '"gzip"',
    '"error"',
    '"routing":"a"',
    '"kept"',
    '"size\\": 1.0',
    '"host":"h"',
    '"weight":3',
  ])
    expect(text).toContain(kept.replace('"size\\"', '\\"size\\"'));
  expect(shown.plan.cells[0]!.label).toBe('authorization: [removed]');
  // The original definition, which is sent, is unchanged.
  expect(JSON.stringify(document)).toContain('planted-header-1');
});

test('a definition without credentials is the same object', () => {
  const plain = {
    tasks: [{ http: { headers: { 'x-opaque-id': 'a' }, body: { query: { match_all: {} } } } }],
  };
  expect(withoutSecrets(plain, plain)).toBe(plain);
});

test('removed secrets are named by their paths', () => {
  const paths = removedSecrets(withoutSecrets(definition, definition));
  expect(paths).toContain('tasks[0].requests[0].http.headers.cookie');
  expect(paths).toContain('tasks[0].requests[0].http.params.api_key');
  expect(removedSecrets(definition)).toEqual([]);
  // Only for secrets, because documents may contain the word.
  expect(removedSecrets({ tasks: [{ body: { query: { match: { text: '[removed]' } } } }] })).toEqual([]);
});

test('levels of a factor that varies all headers lose their credentials', () => {
  const varied = { factors: { 'tasks[0].http.headers': [{ cookie: 'planted-cookie' }] } };
  expect(JSON.stringify(withoutSecrets(varied, varied))).not.toContain('planted-cookie');
});
