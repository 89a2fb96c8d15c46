import { checkKeepsResults } from './host';

test.each(['8.3.0', '8.19.21', '9.0.0', '9.5.3', '10.0.0-SNAPSHOT'])('%s can store results', (version) => {
  expect(() => checkKeepsResults(version, true)).not.toThrow();
});

test.each(['7.17.29', '8.0.0', '8.2.3'])('%s is refused with the reason and --results', (version) => {
  expect(() => checkKeepsResults(version, true)).toThrow(
    `--results: the target, which would store the results, is Elasticsearch ${version}: it cannot store results, because their mapping needs subobjects, which Elasticsearch supports since 8.3`,
  );
  expect(() => checkKeepsResults(version, false)).toThrow(`the results cluster is Elasticsearch ${version}`);
});
