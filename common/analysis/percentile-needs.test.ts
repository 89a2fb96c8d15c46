import { makePlan } from '../experiment/plan';
import type { DefinitionInput } from '../experiment/definition';
import { cannotShowSentence } from './cannot-show';
import { percentilesOutOfReach } from './percentile-needs';
import { define, REFRESH } from './testing/made-run';

const search = (executor: object): DefinitionInput['tasks'] => [
  { name: 'search', search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] }, executor },
];

const warned = (more: Partial<DefinitionInput>): string[] =>
  percentilesOutOfReach(
    makePlan(
      define({
        ...REFRESH,
        tasks: search({ 'constant-rate': { rate: 10 } }),
        measure: { warmup: '10s', duration: '1m' },
        expect: [],
        thresholds: [],
        ...more,
      }),
    ),
  ).map(cannotShowSentence);

const P99 = 'search.latency.p99 falls with index.settings.refresh_interval';

test('a percentile for which the rate is too low is reported before the run, with what helps', () => {
  expect(warned({ expect: [P99] })).toEqual([
    `“${P99}” cannot be decided: p99 needs at least 1,000 requests in each trial, and search will send about 600. ` +
      'What helps: measure.duration: 100s, or a rate of at least 16.7/s, or use p95',
  ]);
});

test('a threshold is reported too, and each of them once', () => {
  expect(warned({ thresholds: ['search.all.latency.p99.9 < 2s'], expect: [P99] })).toEqual([
    expect.stringContaining(P99),
    expect.stringMatching(
      /^“search\.all\.latency\.p99\.9 < 2s” cannot be decided: p99\.9 needs at least 10,000 /,
    ),
  ]);
});

test.each<[string, Partial<DefinitionInput>]>([
  ['a rate that is high enough', { tasks: search({ 'constant-rate': { rate: 17 } }), expect: [P99] }],
  ['a lower percentile', { expect: ['search.latency.p95 falls with index.settings.refresh_interval'] }],
  ['a mean', { expect: ['search.latency.mean falls with index.settings.refresh_interval'] }],
  [
    'clients, whose rate is not known before',
    { tasks: search({ 'constant-clients': { clients: 1 } }), expect: [P99] },
  ],
])('reports nothing about %s', (_, more) => {
  expect(warned(more)).toEqual([]);
});

test('a number of documents determines the number of bulks', () => {
  expect(
    warned({
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
          executor: { 'constant-clients': { clients: 1 } },
        },
      ],
      measure: { documents: 100_000 },
      thresholds: ['ingest.latency.p99 < 2s'],
    }),
  ).toEqual([
    expect.stringMatching(
      /ingest will send about 100\. What helps: measure\.documents: 1000000, or use p90$/,
    ),
  ]);
});
