import type { Engine } from '../../common/elasticsearch/engine';
import { checkKeepsResults } from './host';

const check = (cluster: string, isTarget: boolean): void => {
  const [engine, version] = cluster.split(' ') as [Engine, string];
  checkKeepsResults({ engine, version }, isTarget);
};

test.each([
  ...['8.3.0', '8.19.21', '9.0.0', '9.5.3', '10.0.0-SNAPSHOT'].map((version) => `elasticsearch ${version}`),
  ...['2.7.0', '2.19.6', '3.0.0', '3.6.0', '4.0.0-SNAPSHOT'].map((version) => `opensearch ${version}`),
])('%s can store results', (cluster) => {
  expect(() => check(cluster, true)).not.toThrow();
});

test.each(['7.17.29', '8.0.0', '8.2.3'])(
  'Elasticsearch %s is refused with the reason and --results',
  (version) => {
    expect(() => check(`elasticsearch ${version}`, true)).toThrow(
      `--results: the target, which would store the results, is Elasticsearch ${version}: it cannot store results, because their mapping needs subobjects, which Elasticsearch supports since 8.3`,
    );
    expect(() => check(`elasticsearch ${version}`, false)).toThrow(
      `the results cluster is Elasticsearch ${version}`,
    );
  },
);

test('an OpenSearch that is too old is refused with the versions that are accepted', () => {
  expect(() => check('opensearch 2.6.0', false)).toThrow(
    'the results cluster is OpenSearch 2.6.0: it cannot store results, because their mapping needs flat_object, which OpenSearch supports since 2.7',
  );
  expect(() => check('opensearch 1.3.20', false)).toThrow('Elasticsearch 8.3 or OpenSearch 2.7 or later');
});
