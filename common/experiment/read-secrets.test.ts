import { problemsOf } from './testing/problems';

const withHeaders = (headers: unknown, more: object = {}): object => ({
  version: 1,
  name: 'test',
  index: { mapping: {} },
  tasks: [
    { name: 'search', requests: { list: [{ name: 'any', http: { path: '/{{index}}/_search', headers } }] } },
  ],
  ...more,
});

test('an error about a credential does not repeat it', () => {
  const problems = problemsOf(withHeaders({ 'x-api-key': ['Hunter2'], 'x-token': 'Hunter2\n' }));
  expect(problems).not.toEqual([]);
  expect(JSON.stringify(problems)).not.toContain('Hunter2');
});

test('a definition from which a credential was removed reports where it was', () => {
  expect(problemsOf(withHeaders({ 'x-api-key': '[removed]', 'x-any': '[removed]' }))).toMatchObject([
    {
      code: 'definition.secret-removed',
      path: 'tasks[0].requests.list[0].http.headers.x-api-key',
      found: '[removed]',
    },
  ]);
});

test('a factor must not vary a credential, whose levels every table would show', () => {
  const path = 'tasks.search.requests.list[0].http.headers.x-api-key';
  const problems = problemsOf(
    withHeaders({ 'x-api-key': 'a' }, { factors: { [path]: ['Hunter2', 'Hunter3'] } }),
  );
  expect(problems).toMatchObject([{ code: 'definition.secret-factor', path: `factors.${path}` }]);
  expect(JSON.stringify(problems)).not.toContain('Hunter');
});

test.each([
  ['headers', [{ 'x-api-key': 'Hunter2' }]],
  ['headers.X-Api-Key', [['Hunter2'], ['Hunter3']]],
  ['hedars.X-Api-Key', ['Hunter2', 'Hunter3']],
  ['hedars', [{ 'x-api-key': 'Hunter2' }]],
  ['headers.x-any', [['ApiKey Hunter2']]],
])('levels of the factor %s are refused without being shown', (name, levels) => {
  const path = `tasks.search.requests.list[0].http.${name}`;
  const problems = problemsOf(withHeaders({}, { factors: { [path]: levels } }));
  expect(problems).not.toEqual([]);
  expect(JSON.stringify(problems)).not.toContain('Hunter');
});

test.each([
  { headers: { 'X-Api-Key': 'Hunter2' } },
  { hedars: { authorization: 'ApiKey Hunter2' } },
  { headers: ['X-Api-Key: Hunter2'] },
  { headers: 'X-Api-Key: Hunter2' },
  { bdoy: { password: 'Hunter2' } },
  { token: 'Hunter2' },
])('%j in the wrong place is refused without its credential', (more) => {
  const search = { requests: [{ name: 'all', body: {}, ...more }], ...more };
  const problems = problemsOf({
    version: 1,
    name: 'test',
    tasks: [{ name: 'search', search, ...more }],
    ...more,
  });
  expect(problems.length).toBeGreaterThan(1);
  expect(JSON.stringify(problems)).not.toContain('Hunter');
});
