import { describeDistribution } from './distribution';

test('the line about a reduced distribution names ES|QL as missing only where it is', () => {
  expect(describeDistribution({ engine: 'elasticsearch', version: '9.5.3', kind: 'reduced' })).toContain(
    'without scripts, ingest pipelines, ES|QL',
  );
  expect(
    describeDistribution({ engine: 'elasticsearch', version: '8.19.21', kind: 'reduced' }),
  ).not.toContain('ES|QL');
  expect(describeDistribution({ engine: 'elasticsearch', version: '8.19.21', kind: 'full' })).toContain(
    'with all modules',
  );
});

test('the line about OpenSearch names its version, and that it has no plugins', () => {
  expect(describeDistribution({ engine: 'opensearch', version: '3.6.0', kind: 'full' })).toBe(
    'OpenSearch 3.6.0 has started, with all modules, without plugins',
  );
  expect(describeDistribution({ engine: 'opensearch', version: '2.19.6', kind: 'full' })).toBe(
    'OpenSearch 2.19.6 has started, with most modules, without plugins',
  );
});

test('the line about an OpenSearch whose archive has no modules says so', () => {
  expect(describeDistribution({ engine: 'opensearch', version: '3.4.0', kind: 'reduced' })).toMatch(
    /^OpenSearch 3\.4\.0 has started, reduced: without scripts, ingest pipelines/,
  );
});

test('the line about OpenSearch names its plugins', () => {
  const found = {
    engine: 'opensearch',
    version: '3.6.0',
    kind: 'full',
    plugins: ['opensearch-knn'],
  } as const;
  expect(describeDistribution(found)).toBe(
    'OpenSearch 3.6.0 has started, with all modules, with opensearch-knn',
  );
});
