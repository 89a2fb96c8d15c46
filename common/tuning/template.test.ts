import { readDefinition } from '../experiment/read';
import { indexTemplate, NO_TEMPLATE, templateRequest } from './template';
import { START } from './testing/simulated-target';
import type { Tuning } from './tuning';
import { tuningLines } from './wording';

const definition = readDefinition({ ...START, index: { ...START.index, name: 'dyno-trial' } });
const BULK = { 'tasks.ingest.ingest.bulk.docs': 2500 };
const SHARDS = { 'index.settings.number_of_shards': 2 };

const templateOf = (levels: object, subject?: { name: string; dataStream: boolean }) =>
  indexTemplate(definition, levels as Record<string, unknown>, ['run-1'], subject);

test.each<[string, object]>([
  ['the size of bulks', BULK],
  ['the number of clients', { 'tasks.ingest.executor.constant-clients.clients': 4 }],
  ['nothing', {}],
])('there is no template where %s alone changed', (_, levels) => {
  expect(templateOf(levels, { name: 'logs', dataStream: false })).toBeNull();
});

test('a template is for the index of the user, and for no index of trials', () => {
  const template = templateOf({ ...BULK, ...SHARDS }, { name: 'logs', dataStream: false });
  expect(template).toMatchObject({
    index_patterns: ['logs'],
    template: { settings: { 'index.number_of_shards': 2 } },
  });
  expect(template).not.toHaveProperty('data_stream');
});

test('a template for a data stream has its name, and creates data streams', () => {
  expect(templateOf(SHARDS, { name: 'logs-nginx-default', dataStream: true })).toMatchObject({
    index_patterns: ['logs-nginx-default'],
    data_stream: {},
  });
});

test('a placeholder is used if the index is unknown', () => {
  // Elasticsearch refuses index patterns with < and >.
  expect(templateOf(SHARDS)).toMatchObject({ index_patterns: ['<your-index>'] });
});

/** Outcome as an earlier version stored it. */
const stored = (levels: object): Tuning =>
  ({
    name: 'logs',
    request: { goal: 'throughput', definition },
    stages: [],
    outcome: {
      recommended: true,
      sentence: 'confirmed.',
      confirmation: null,
      limits: [],
      lines: [
        {
          candidate: { title: 'x', from: '1', value: '2', levels },
          evidence: {
            run: 'run-1',
            against: 'start',
            goal: { title: 'docs/s', ratio: 2, interval: null },
            beside: [],
          },
        },
      ],
      dropped: [],
      untried: [],
      template: { index_patterns: ['dyno-trial*'], template: { settings: {} } },
      client: [{ title: 'Each bulk', value: '2,500 documents' }],
      notes: [],
    },
  }) as unknown as Tuning;

test('a stored template for the indices of trials is not offered', () => {
  const lines = tuningLines(stored(BULK));
  expect(lines).toContain(NO_TEMPLATE);
  expect(lines).toContain('  Each bulk: 2,500 documents');
  expect(lines.join('\n')).not.toContain('dyno-trial');
  const changed = stored(SHARDS);
  const text = templateRequest({ request: changed.request, outcome: changed.outcome! });
  expect(text).toContain('"<your-index>"');
  expect(text).not.toContain('dyno-trial');
});
