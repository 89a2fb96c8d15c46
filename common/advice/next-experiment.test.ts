import { readDefinition, readDefinitionText } from '../experiment/read';
import type { LimitName } from '../analysis/limiting-factor';
import { nextExperiment, nextExperimentText } from './next-experiment';
import { START } from './testing/simulated-target';

const LIMITS: readonly LimitName[] = [
  'generator',
  'gc',
  'disk wait',
  'cpu',
  'network',
  'merge throttling',
  'write queue',
  'none found',
];
const varied = { ...START, factors: { 'tasks.ingest.ingest.bulk.docs': [50, 3000] } };
const definition = readDefinition(varied);

test('a cell whose CPU is the limit is told that clients bring nothing, and what may', () => {
  const small = nextExperiment(definition, { 'tasks.ingest.ingest.bulk.docs': 50 }, 'cpu')!;
  expect(small.text).toBe('The CPU was the limit: more clients or shards bring nothing; try larger bulks.');
  expect(small.factor).toEqual({ path: 'tasks.ingest.ingest.bulk.docs', levels: [50, 500] });
  const large = nextExperiment(definition, { 'tasks.ingest.ingest.bulk.docs': 3000 }, 'cpu')!;
  expect(large.factor).toEqual({ path: 'index.settings.refresh_interval', levels: ['1s', '30s'] });
});

test('where nothing is at its limit more clients are tried', () => {
  const next = nextExperiment(definition, {}, 'none found')!;
  expect(next.factor).toEqual({
    path: 'tasks.ingest.executor.constant-clients.clients',
    levels: [2, 4, 8],
  });
});

test('a generator at its limit asks for another one, not for another setting', () => {
  expect(nextExperiment(definition, {}, 'generator')).toMatchObject({ factor: null });
});

test.each(LIMITS)('what is proposed for %s is an experiment that the editor reads', (limit) => {
  const levels = { 'tasks.ingest.ingest.bulk.docs': 50 };
  const next = nextExperiment(definition, levels, limit)!;
  const read = readDefinitionText(nextExperimentText(definition, levels, next), 'definition');
  expect(read.tasks[0]!.ingest!.bulk.docs).toBe(50);
  expect(Object.keys(read.factors)).toEqual(next.factor === null ? [] : [next.factor.path]);
});
