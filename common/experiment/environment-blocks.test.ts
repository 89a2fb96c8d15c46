import { environmentLabel } from './environment';
import { makePlan } from './plan';
import { readDefinition } from './read';
import { blocksOf } from './environment-blocks';

const input = (more: object = {}): object => ({
  version: 1,
  name: 'environments',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  trials: 2,
  ...more,
});

const labelsAndOrders = (more: object): [string, number[]][] => {
  const definition = readDefinition(input(more));
  return blocksOf(makePlan(definition)).map(({ environment, trials }) => [
    environmentLabel(environment),
    trials.map(({ order }) => order),
  ]);
};

test('trials of one environment form one block, and the next begins when its labels change', () => {
  const factors = {
    'index.settings.number_of_shards': [1, 2],
    'environment.disk': ['standard', 'premium'],
  };
  expect(labelsAndOrders({ factors })).toEqual([
    ['disk: standard', [0, 1, 2, 3]],
    ['disk: premium', [4, 5, 6, 7]],
  ]);
});

test('equal labels form one block, and so do no labels', () => {
  const factors = { 'index.settings.number_of_shards': [1, 2] };
  expect(labelsAndOrders({ factors, environment: { disk: 'premium', os: 'Debian' } })).toEqual([
    ['disk: premium, os: Debian', [0, 1, 2, 3]],
  ]);
  expect(labelsAndOrders({ factors })).toEqual([['', [0, 1, 2, 3]]]);
});

test('a number becomes a label in its written form', () => {
  expect(labelsAndOrders({ factors: { 'environment.nodes': [3, 6] } }).map(([label]) => label)).toEqual([
    'nodes: 3',
    'nodes: 6',
  ]);
});
