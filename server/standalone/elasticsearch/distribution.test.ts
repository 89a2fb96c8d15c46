import { describeDistribution } from './distribution';

test('the line about a reduced distribution names ES|QL as missing only where it is', () => {
  expect(describeDistribution({ version: '9.5.3', kind: 'reduced' })).toContain(
    'without scripts, ingest pipelines, ES|QL',
  );
  expect(describeDistribution({ version: '8.19.21', kind: 'reduced' })).not.toContain('ES|QL');
  expect(describeDistribution({ version: '8.19.21', kind: 'full' })).toContain('with all modules');
});
