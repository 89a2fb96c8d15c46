import { screen } from '@testing-library/react';
import type { TargetFacts } from '../../../common/api/targets';
import { show } from '../../testing/fake-host';
import { Facts } from './facts';

const FACTS: TargetFacts = {
  reachable: true,
  problem: '',
  tookMs: 3,
  cluster: {
    name: 'c',
    uuid: 'u',
    engine: 'elasticsearch',
    version: '9.5.3',
    health: 'green',
    serverless: false,
  },
  nodes: [],
  missing: [],
  notes: [],
};

test('a reduced distribution is named as such, with what is missing and where to measure instead', () => {
  const missing = [{ module: 'mapper-extras', brings: 'the field type scaled_float' }];
  show(<Facts facts={{ ...FACTS, missing }} />);
  screen.getByText('Elasticsearch 9.5.3, reduced distribution');
  screen.getByText('Reduced distribution: 1 module is missing');
  expect(screen.getByText('mapper-extras').closest('li')!.textContent).toContain('scaled_float');
  screen.getByText(/add it on the page Targets, or give --elasticsearch URL/);
});

test('nothing is shown about the modules of a default distribution', () => {
  show(<Facts facts={FACTS} />);
  screen.getByText('Elasticsearch 9.5.3');
  expect(screen.queryByText(/educed/)).toBeNull();
});

test('an OpenSearch and its nodes are named as such', () => {
  const node = {
    ...{ name: 'n', version: '3.6.0', roles: ['data'], jvm: 'OpenJDK 25', os: 'Linux', cores: 2 },
    ...{ heapBytes: 1, memoryBytes: 1, disk: 'ssd', diskTotalBytes: 1, diskFreeBytes: 1 },
  };
  const cluster = { ...FACTS.cluster!, engine: 'opensearch', version: '3.6.0' } as const;
  show(<Facts facts={{ ...FACTS, cluster, nodes: [node] }} />);
  expect(screen.getAllByText(/OpenSearch 3\.6\.0/)).toHaveLength(2);
  expect(screen.queryByText(/Elasticsearch/)).toBeNull();
});
