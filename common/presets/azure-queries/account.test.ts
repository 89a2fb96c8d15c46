/** The account's own arithmetic: what agrees with itself, and that each note on what does not says the right figures. */
import { MAPPINGS_BY_NAME } from '../../experiment/mappings';
import { parseMetric, requestKey } from '../../measurement/metric';
import type { Preset } from '../preset';
import { CACHE, INGEST_CLIENTS, NO_DOC_VALUES, QUERY_CLIENTS } from './account';
import { azureQueriesMixedCache, azureQueriesOnlyCache } from './cache';
import { QUERIES, sumOf, type Seven } from './columns';
import { azureQueriesMixedDisks } from './disks';
import { azureQueriesMixedDocValues, azureQueriesOnlyDocValues } from './doc-values';
import { azureQueriesMixedReplicas, azureQueriesOnlyReplicas } from './replicas';
import { azureQueriesOnlyScaleOut } from './scale-out';
import { azureQueriesMixedScaleUp, azureQueriesOnlyScaleUp } from './scale-up';
import { azureQueriesOnlyShards } from './shards';
import {
  MIXED,
  MIXED_2_REPLICAS,
  MIXED_CACHE_OFF,
  MIXED_CACHE_ON,
  MIXED_NO_DOC_VALUES,
  QUERY_ONLY,
  QUERY_ONLY_1_NODE,
  QUERY_ONLY_2_REPLICAS,
  QUERY_ONLY_3_NODES,
  QUERY_ONLY_DOC_VALUES,
  QUERY_ONLY_NO_DOC_VALUES,
  QUERY_ONLY_SHARDS,
  type MixedTrial,
} from './tables';
import { AZURE_QUERIES } from '.';

const A_DAY_S = 24 * 3600;
const QUERY_ONLY_S = 90 * 60;

const notes = ({ published }: Preset): string => published.notes.join('\n');
const change = (from: number, to: number): number => (to / from - 1) * 100;

test('its queries are those of the set, in the order of its tables, and metrics name them', () => {
  expect(QUERIES).toEqual([
    'Count By Rating',
    'Count Over Time',
    'Hits By Country',
    'Top 15 Organizations',
    'Unique Count Organizations',
    'Unique IP Count',
    'Total Hits Counts',
  ]);
  for (const { published } of AZURE_QUERIES)
    for (const { metric } of published.compared) {
      const { request } = parseMetric(metric)!;
      if (request !== undefined) expect(QUERIES.map(requestKey)).toContain(request);
    }
});

test.each(AZURE_QUERIES.map((preset) => [preset.name, preset] as const))(
  '%s prints a figure for all queries of a cell or for none',
  (_, { published: { rows, units } }) => {
    const isOfQuery = (column: string): boolean => QUERIES.some((name) => units[column]!.endsWith(name));
    for (const { figures } of rows) {
      const given = Object.keys(figures).filter((column) => isOfQuery(column) && figures[column] !== null);
      expect(given.length % QUERIES.length).toBe(0);
    }
  },
);

describe("the number of clients, by Little's law", () => {
  const ofIngestion = ({ bulks, ingestion }: MixedTrial, seconds = A_DAY_S): string =>
    ((bulks! * ingestion) / 1000 / seconds).toFixed(1);

  it('is 3 of most trials with ingestion, and what the notes say of the others', () => {
    expect([MIXED.D4, MIXED.DS4, MIXED.DS14].map((trial) => ofIngestion(trial))).toEqual([
      '3.0',
      '3.0',
      '3.0',
    ]);
    expect(notes(azureQueriesMixedDisks)).toContain('about 3 on both');
    expect(ofIngestion(MIXED.DS3)).toBe('8.0');
    expect(notes(azureQueriesMixedScaleUp)).toContain('8 on DS3 and 3 on DS4 and DS14');
    expect(Object.values(MIXED_NO_DOC_VALUES).map((trial) => ofIngestion(trial))).toEqual([
      '3.9',
      '3.9',
      '3.9',
    ]);
    expect(notes(azureQueriesMixedDocValues)).toContain('3 with doc values and 4 without');
    const cached = [MIXED_CACHE_OFF, MIXED_CACHE_ON].flatMap((trials) =>
      Object.values(trials).map((trial) => ofIngestion(trial, QUERY_ONLY_S)),
    );
    expect(cached).toEqual(['3.6', '3.6', '8.0', '8.0']);
    expect(notes(azureQueriesMixedCache)).toContain('3.6 with the cache off and 8 with it on');
  });

  /** All seven are answered one after the other: their times add up to that of the transaction. */
  const ofQueries = ({ times, counts }: { times: Seven; counts: Seven }): string =>
    ((sumOf(times) * (sumOf(counts) / 7)) / 1000 / QUERY_ONLY_S).toFixed(1);

  it('is 8 of the trials with queries alone, but for those that the notes name', () => {
    const plain = [
      ...Object.values(QUERY_ONLY),
      QUERY_ONLY_1_NODE,
      QUERY_ONLY_3_NODES,
      ...Object.values(QUERY_ONLY_2_REPLICAS),
    ];
    for (const trial of plain) expect(Math.abs(Number(ofQueries(trial)) - QUERY_CLIENTS)).toBeLessThan(0.15);
    for (const [, , queries, response] of QUERY_ONLY_SHARDS)
      expect(((queries / 7) * response) / 1000 / QUERY_ONLY_S).toBeCloseTo(QUERY_CLIENTS, 1);
    for (const preset of [
      azureQueriesOnlyScaleUp,
      azureQueriesOnlyScaleOut,
      azureQueriesOnlyReplicas,
      azureQueriesOnlyShards,
    ])
      expect(notes(preset)).toContain('about 8 ');
    expect(ofQueries(QUERY_ONLY_NO_DOC_VALUES.DS4)).toBe('5.3');
    expect(notes(azureQueriesOnlyDocValues)).toContain('on DS4 5.3 without');
    expect(ofQueries(QUERY_ONLY_NO_DOC_VALUES.DS14)).toBe('8.3');
    expect(notes(azureQueriesOnlyDocValues)).toContain('8.3 clients without');
  });

  it('was also that of the queries beside ingestion once they were cached', () => {
    const { times, counts } = MIXED_CACHE_ON.DS4;
    expect(ofQueries({ times, counts })).toBe('7.9');
  });

  it('is one number in all cells of all presets', () => {
    for (const { definition } of AZURE_QUERIES) {
      expect(JSON.stringify(definition.factors)).not.toContain('clients');
      const [first] = definition.tasks;
      const clients = first!.ingest ? INGEST_CLIENTS : QUERY_CLIENTS;
      expect(first!.executor!['constant-clients']!.clients).toBe(clients);
    }
  });
});

describe('the printed percentages', () => {
  interface Printed {
    from: Seven;
    to: Seven;
    printed: Seven;
  }
  /** Names of the queries whose percentage is not the rounded one, with what it is. */
  const wrong = ({ from, to, printed }: Printed): string[] =>
    QUERIES.flatMap((name, at) => {
      const computed = change(from[at]!, to[at]!);
      return Math.abs(computed - printed[at]!) <= 0.5 + 1e-9
        ? []
        : [`${name} ${signed(printed[at]!, 0)}% is ${signed(computed, 1)}%`];
    });
  const signed = (percent: number, digits: number): string =>
    `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(digits)}`;
  const of = (from: { times: Seven }, to: { times: Seven }, printed: Seven): string[] =>
    wrong({ from: from.times, to: to.times, printed });

  it('of replicas are right', () => {
    expect(of(MIXED.DS4, MIXED_2_REPLICAS.DS4, [-10, -25, 40, 19, 18, 17, 0])).toEqual([]);
    expect(of(MIXED.DS14, MIXED_2_REPLICAS.DS14, [37, 56, 46, 67, 42, 21, 11])).toEqual([]);
  });

  it('of doc values beside ingestion are right', () => {
    expect(of(MIXED.D4, MIXED_NO_DOC_VALUES.D4, [28, 41, 30, 34, 42, 18, 51])).toEqual([]);
    expect(of(MIXED.DS4, MIXED_NO_DOC_VALUES.DS4, [2, -0.5, 3, -7, -2, 14, 19])).toEqual([]);
    expect(of(MIXED.DS14, MIXED_NO_DOC_VALUES.DS14, [15, 14, 26, 39, 24, 33, 23])).toEqual([]);
  });

  it.each<[string, Preset, string[]]>([
    [
      'doc values and queries alone on DS4',
      azureQueriesOnlyDocValues,
      of(QUERY_ONLY_DOC_VALUES.DS4, QUERY_ONLY_NO_DOC_VALUES.DS4, [-16, -25, -22, -14, -2, 3, -44]),
    ],
    [
      'doc values and queries alone on DS14',
      azureQueriesOnlyDocValues,
      of(QUERY_ONLY_DOC_VALUES.DS14, QUERY_ONLY_NO_DOC_VALUES.DS14, [11, -3, 2, 9, 4, 7, -1]),
    ],
    [
      'the cache on DS4',
      azureQueriesMixedCache,
      of(MIXED_CACHE_OFF.DS4, MIXED_CACHE_ON.DS4, [25, -30, -11, -7, -12, -53, 12]),
    ],
    [
      'the cache on DS14',
      azureQueriesMixedCache,
      of(MIXED_CACHE_OFF.DS14, MIXED_CACHE_ON.DS14, [12, -17, -8, -7, -3, -48, 29]),
    ],
  ])('of %s are wrong where the note says so, and nowhere else', (_, preset, found) => {
    const note = notes(preset)
      .split('\n')
      .find((line) => line.includes('Printed percentages'))!;
    for (const claim of found) {
      const [query, printed] = claim.split(/ (?=[+−])/) as [string, string];
      expect(note).toContain(query);
      expect(note).toContain(printed);
    }
  });

  it('are as many in the notes as are wrong', () => {
    const said = (preset: Preset): number => notes(preset).match(/[+−]\d+% is [+−]\d+\.\d%/g)?.length ?? 0;
    expect(said(azureQueriesOnlyDocValues)).toBe(3);
    expect(said(azureQueriesMixedCache)).toBe(2);
    expect(AZURE_QUERIES.reduce((sum, preset) => sum + said(preset), 0)).toBe(5);
  });

  it('of ingestion are right', () => {
    const pairs: [MixedTrial, MixedTrial, number][] = [
      [MIXED.DS4, MIXED_2_REPLICAS.DS4, 28],
      [MIXED.DS14, MIXED_2_REPLICAS.DS14, 21],
      [MIXED.D4, MIXED_NO_DOC_VALUES.D4, -15],
      [MIXED.DS4, MIXED_NO_DOC_VALUES.DS4, 14],
      [MIXED.DS14, MIXED_NO_DOC_VALUES.DS14, 12],
      [MIXED_CACHE_OFF.DS4, MIXED_CACHE_ON.DS4, 547],
      [MIXED_CACHE_OFF.DS14, MIXED_CACHE_ON.DS14, 569],
    ];
    for (const [from, to, printed] of pairs)
      expect(change(from.ingestion, to.ingestion).toFixed(0)).toBe(String(printed));
  });
});

describe('what the sentences of the account say otherwise than its tables', () => {
  it('is noted of the pace of the queries', () => {
    const every = ([first]: Seven, seconds: number): string => (seconds / first).toFixed(1);
    expect(every(MIXED.DS4.counts, A_DAY_S)).toBe('12.4');
    expect(every(MIXED.DS14.counts, A_DAY_S)).toBe('12.3');
    expect(notes(azureQueriesMixedDisks)).toContain('every 12.4 s on DS4 and every 12.3 s on DS14');
    expect(every(MIXED.DS3.counts, A_DAY_S)).toBe('4.7');
    expect((sumOf(MIXED.DS3.counts) / sumOf(MIXED.DS4.counts)).toFixed(1)).toBe('2.7');
    expect(notes(azureQueriesMixedScaleUp)).toContain('every 4.7 s on DS3, 2.7 times as often');
    expect(every(MIXED_CACHE_OFF.DS4.counts, QUERY_ONLY_S)).toBe('10.3');
    for (const machine of ['DS4', 'DS14'] as const)
      expect(
        (sumOf(MIXED_CACHE_ON[machine].counts) / sumOf(MIXED_CACHE_OFF[machine].counts)).toFixed(0),
      ).toMatch(/^3[67]$/);
  });

  it('is noted of the documents that the queries had to look at', () => {
    expect(((MIXED.DS3.bulks / MIXED.DS4.bulks) * 100).toFixed(0)).toBe('41');
    expect(notes(azureQueriesMixedScaleUp)).toContain('DS3 stored 41% of');
    expect(MIXED.D4.bulks / MIXED.DS4.bulks).toBeCloseTo(0.5, 1);
  });

  it('is noted of six nodes', () => {
    const times = (counts: Seven): string => (sumOf(counts) / sumOf(QUERY_ONLY_1_NODE.counts)).toFixed(1);
    expect(notes(azureQueriesOnlyScaleOut)).toContain(`${times(QUERY_ONLY.DS14.counts)} times (3 nodes`);
    expect(notes(azureQueriesOnlyScaleOut)).toContain(`3 nodes: ${times(QUERY_ONLY_3_NODES.counts)} times`);
  });

  it('is noted of replicas: how little the difference is', () => {
    const percent = (machine: 'DS4' | 'DS14'): string =>
      Math.abs(
        change(sumOf(QUERY_ONLY[machine].counts), sumOf(QUERY_ONLY_2_REPLICAS[machine].counts)),
      ).toFixed(0);
    expect(notes(azureQueriesOnlyReplicas)).toContain(`${percent('DS4')}% and ${percent('DS14')}%`);
  });

  it('is noted of the counts without doc values, which are those with them', () => {
    expect(QUERY_ONLY_NO_DOC_VALUES.DS14.counts).toEqual(QUERY_ONLY.DS14.counts);
    expect(notes(azureQueriesOnlyDocValues)).toContain('swapped');
    // The text: about 4% more with doc values.
    expect(
      change(sumOf(QUERY_ONLY_DOC_VALUES.DS14.counts), sumOf(QUERY_ONLY_NO_DOC_VALUES.DS14.counts)),
    ).toBeCloseTo(3.9, 0);
  });
});

describe('the totals', () => {
  it('that it prints are the sums of its counts', () => {
    expect(sumOf(QUERY_ONLY.DS4.counts)).toBe(7369);
    expect(sumOf(QUERY_ONLY_NO_DOC_VALUES.DS4.counts)).toBe(5894);
  });

  it('of 13 shards are those of its DS4 machines', () => {
    const [shards, , queries, response] = QUERY_ONLY_SHARDS[1]!;
    expect([shards, queries]).toEqual([13, sumOf(QUERY_ONLY.DS4.counts)]);
    expect(Math.abs(response - sumOf(QUERY_ONLY.DS4.times))).toBeLessThan(10);
    const said = notes(azureQueriesOnlyShards);
    for (const figure of [queries, sumOf(QUERY_ONLY.DS4.times), sumOf(QUERY_ONLY.DS14.counts)])
      expect(said).toContain(figure.toLocaleString('en-US'));
  });

  it('of shards are the most with 61, and each layout has all of them on six nodes', () => {
    const most = Math.max(...QUERY_ONLY_SHARDS.map(([, , queries]) => queries));
    expect(QUERY_ONLY_SHARDS.at(-1)![2]).toBe(most);
    for (const [shards, layout] of QUERY_ONLY_SHARDS) {
      const nodes = layout.split('-').map(Number);
      expect(nodes).toHaveLength(6);
      expect(nodes.reduce((sum, own) => sum + own, 0)).toBe(2 * shards);
    }
  });
});

test('the request cache is off wherever it is not what is varied', () => {
  for (const { name, definition } of AZURE_QUERIES) {
    expect(definition.index!.settings).toMatchObject({ 'requests.cache.enable': false });
    expect([name, JSON.stringify(definition.factors).includes(CACHE)]).toEqual([
      name,
      [azureQueriesMixedCache, azureQueriesOnlyCache].some((preset) => preset.name === name),
    ]);
  }
});

test('without doc values are all fields but the two that nothing else can serve', () => {
  const { properties } = MAPPINGS_BY_NAME[NO_DOC_VALUES] as {
    properties: Record<string, { type: string; doc_values?: boolean; fielddata?: boolean }>;
  };
  const types = Object.entries(properties);
  expect(types).toHaveLength(32);
  expect(types.filter(([, type]) => type.doc_values === false)).toHaveLength(27);
  expect(types.filter(([, type]) => type.fielddata).map(([name]) => name)).toEqual([
    'Organization',
    'SourceIpCountryCode',
    'Rating',
  ]);
  expect(
    types.filter(([, type]) => type.doc_values !== false && !type.fielddata).map(([name]) => name),
  ).toEqual(['DateTimeReceivedUtc', 'SourceIp']);
  expect(azureQueriesMixedReplicas.definition.index!.mapping).toBeUndefined();
});
