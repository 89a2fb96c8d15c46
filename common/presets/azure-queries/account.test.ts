/**
 * Checks the numbers of the published benchmark against each other. Also checks that the notes in its YAML files, which report inconsistent
 * numbers, contain the correct ones.
 */
import { MAPPINGS_BY_NAME } from '../../generators/registry';
import { parseMetric, requestKey } from '../../measurement/metric';
import { requestsOf } from '../../tasks/request-list';
import { findPreset, PRESETS } from '..';
import type { Preset } from '../preset';
import type { PublishedRow } from '../published';

/**
 * Presets whose published benchmark has tables of results. Other presets are for experiments that the publication only describes in words.
 */
const AZURE_QUERIES = PRESETS.filter(({ name }) => name.startsWith('azure-queries-'));
const azureQueriesMixedCache = findPreset('azure-queries-mixed-cache')!;
const azureQueriesMixedDisks = findPreset('azure-queries-mixed-disks')!;
const azureQueriesMixedDocValues = findPreset('azure-queries-mixed-doc-values')!;
const azureQueriesMixedReplicas = findPreset('azure-queries-mixed-replicas')!;
const azureQueriesMixedScaleUp = findPreset('azure-queries-mixed-scale-up')!;
const azureQueriesOnlyCache = findPreset('azure-queries-only-cache')!;
const azureQueriesOnlyDocValues = findPreset('azure-queries-only-doc-values')!;
const azureQueriesOnlyReplicas = findPreset('azure-queries-only-replicas')!;
const azureQueriesOnlyScaleOut = findPreset('azure-queries-only-scale-out')!;
const azureQueriesOnlyScaleUp = findPreset('azure-queries-only-scale-up')!;
const azureQueriesOnlyShards = findPreset('azure-queries-only-shards')!;

const CACHE = 'index.settings.requests.cache.enable';
/** Name of the mapping with doc values. It is a level of the factor `index.mapping`. */
const DOC_VALUES = 'http-events';
/** Name of the mapping without doc values. It is a level of the factor `index.mapping`. */
const NO_DOC_VALUES = 'http-events-no-doc-values';
/** Number of clients in most trials with ingestion, by Little's law. */
const INGEST_CLIENTS = 3;
/** Number of clients in nearly all trials with queries only, by Little's law. */
const QUERY_CLIENTS = 8;

/** Names of the queries in the order of the tables. */
const QUERIES = requestsOf({ set: 'azure-queries', window: 'none' }).map(({ name }) => name);

/** One figure per query, in the order of {@link QUERIES}. */
type Seven = number[];
const sumOf = (counts: Seven): number => counts.reduce((sum, count) => sum + count, 0);

/** Published figures of a trial; NaN for missing ones. */
interface Trial {
  /** Mean response times, in ms. */
  ingestion: number;
  times: Seven;
  bulks: number;
  counts: Seven;
}

const trialOf = ({ figures }: PublishedRow): Trial => {
  const seven = (suffix: string): Seven =>
    QUERIES.map((name) => Number(figures[`${requestKey(name)}${suffix}`]));
  return {
    ingestion: Number(figures['ingestion']),
    times: seven(''),
    bulks: Number(figures['bulks']),
    counts: seven('-count'),
  };
};

/**
 * Returns the published figures for one level of the factor of `preset`. `machine`: type of machine, if the table has rows for several
 * types.
 */
function trial({ published }: Preset, level: unknown, machine?: string): Trial {
  const found = published.rows.filter(
    ({ levels, labels }) =>
      Object.values(levels)[0] === level && (machine === undefined || labels?.['machine'] === machine),
  );
  expect(found).toHaveLength(1);
  return trialOf(found[0]!);
}
const onDs = (preset: Preset, level: unknown): { DS4: Trial; DS14: Trial } => ({
  DS4: trial(preset, level, 'DS4'),
  DS14: trial(preset, level, 'DS14'),
});

/** Trials with ingestion and queries over 24 hours, on 6 nodes, with one replica and doc values. The key is the type of machine. */
const MIXED = {
  D4: trial(azureQueriesMixedDisks, 'standard'),
  DS3: trial(azureQueriesMixedScaleUp, 'DS3'),
  DS4: trial(azureQueriesMixedScaleUp, 'DS4'),
  DS14: trial(azureQueriesMixedScaleUp, 'DS14'),
};
/** Trials with ingestion and queries over 24 hours, on 6 nodes, with two replicas and doc values. The key is the type of machine. */
const MIXED_2_REPLICAS = onDs(azureQueriesMixedReplicas, 2);
/** Trials with ingestion and queries over 24 hours, on 6 nodes, with one replica and without doc values. The key is the type of machine. */
const MIXED_NO_DOC_VALUES = {
  D4: trial(azureQueriesMixedDocValues, NO_DOC_VALUES, 'D4'),
  ...onDs(azureQueriesMixedDocValues, NO_DOC_VALUES),
};
/** The first 90 minutes of trials with ingestion and queries, with the request cache off. */
const MIXED_CACHE_OFF = onDs(azureQueriesMixedCache, false);
/** The first 90 minutes of trials with ingestion and queries, with the request cache on. */
const MIXED_CACHE_ON = onDs(azureQueriesMixedCache, true);

/** Trials with queries only, on 6 nodes, with one replica, doc values and no cache. The key is the type of machine. */
const QUERY_ONLY = { DS3: trial(azureQueriesOnlyScaleUp, 'DS3'), ...onDs(azureQueriesOnlyReplicas, 1) };
/** Trial with queries only, on 1 node of type DS14. */
const QUERY_ONLY_1_NODE = trial(azureQueriesOnlyScaleOut, '1');
/** Trial with queries only, on 3 nodes of type DS14. */
const QUERY_ONLY_3_NODES = trial(azureQueriesOnlyScaleOut, '3');
const QUERY_ONLY_2_REPLICAS = onDs(azureQueriesOnlyReplicas, 2);
const QUERY_ONLY_DOC_VALUES = onDs(azureQueriesOnlyDocValues, DOC_VALUES);
const QUERY_ONLY_NO_DOC_VALUES = onDs(azureQueriesOnlyDocValues, NO_DOC_VALUES);

/**
 * The table of shards on 6 machines of type DS14. Each row contains the number of primary shards, the shards on each node including
 * replicas, the number of queries, and the mean time of a transaction in ms.
 */
const QUERY_ONLY_SHARDS = azureQueriesOnlyShards.published.rows.map(
  ({ levels, figures }) =>
    [
      Number(Object.values(levels)[0]),
      String(figures['layout']),
      Number(figures['queries']),
      Number(figures['response']),
    ] as const,
);

const A_DAY_S = 24 * 3600;
const QUERY_ONLY_S = 90 * 60;

const notes = ({ published }: Preset): string => published.notes.join('\n');
const change = (from: number, to: number): number => (to / from - 1) * 100;

test('its queries are those of the set in the order of the tables, and metrics name them', () => {
  expect(QUERIES).toEqual([
    'Count By Rating',
    'Count Over Time',
    'Hits By Country',
    'Top 15 Organizations',
    'Unique Count Organizations',
    'Unique IP Count',
    'Total Hits Counts',
  ]);
  const named = AZURE_QUERIES.flatMap(({ published }) =>
    published.compared.flatMap(({ metric }) => parseMetric(metric)!.request ?? []),
  );
  expect(new Set(named)).toEqual(new Set(QUERIES.map(requestKey)));
});

test.each(AZURE_QUERIES.map((preset) => [preset.name, preset] as const))(
  '%s prints a figure for all queries of a cell or for none',
  (_, { published: { rows, units } }) => {
    const isOfQuery = (column: string): boolean => QUERIES.some((name) => units[column]!.endsWith(name));
    const given = rows.map(
      ({ figures }) =>
        Object.keys(figures).filter((column) => isOfQuery(column) && figures[column] !== null).length,
    );
    expect(given.filter((count) => count % QUERIES.length !== 0)).toEqual([]);
  },
);

describe("the number of clients, by Little's law", () => {
  const ofIngestion = ({ bulks, ingestion }: Trial, seconds = A_DAY_S): string =>
    ((bulks * ingestion) / 1000 / seconds).toFixed(1);

  it('is 3 in most trials with ingestion, and as noted in the others', () => {
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

  /**
   * Returns the number of clients by Little's law. A client executes all seven queries one after the other, so the mean times of the
   * queries add up to that of a transaction.
   */
  const ofQueries = ({ times, counts }: { times: Seven; counts: Seven }): string =>
    ((sumOf(times) * (sumOf(counts) / 7)) / 1000 / QUERY_ONLY_S).toFixed(1);

  it('is 8 in the trials with queries only, except those in the notes', () => {
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

  it('is also 8 for the queries during ingestion once they were cached', () => {
    const { times, counts } = MIXED_CACHE_ON.DS4;
    expect(ofQueries({ times, counts })).toBe('7.9');
  });

  it('is the same in all cells of all presets', () => {
    for (const { definition } of AZURE_QUERIES) {
      expect(JSON.stringify(definition.factors)).not.toContain('clients');
      const [first] = definition.tasks;
      const clients = first!.ingest ? INGEST_CLIENTS : QUERY_CLIENTS;
      expect(first!.executor!['constant-clients']!.clients).toBe(clients);
    }
  });
});

describe('the published percentages', () => {
  interface Printed {
    from: Seven;
    to: Seven;
    printed: Seven;
  }
  /** Returns the queries whose printed percentage is rounded wrongly, each with the correct percentage. */
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

  it('for replicas are right', () => {
    expect(of(MIXED.DS4, MIXED_2_REPLICAS.DS4, [-10, -25, 40, 19, 18, 17, 0])).toEqual([]);
    expect(of(MIXED.DS14, MIXED_2_REPLICAS.DS14, [37, 56, 46, 67, 42, 21, 11])).toEqual([]);
  });

  it('for doc values during ingestion are right', () => {
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
      .find((line) => line.includes('printed percentages'))!;
    const parts = found.flatMap((claim) => claim.split(/ (?=[+−])/));
    expect(parts.filter((part) => !note.includes(part))).toEqual([]);
  });

  it('are all in the notes if they are wrong', () => {
    const said = (preset: Preset): number => notes(preset).match(/[+−]\d+% is [+−]\d+\.\d%/g)?.length ?? 0;
    expect(said(azureQueriesOnlyDocValues)).toBe(3);
    expect(said(azureQueriesMixedCache)).toBe(2);
    expect(AZURE_QUERIES.reduce((sum, preset) => sum + said(preset), 0)).toBe(5);
  });

  it('for ingestion are right', () => {
    const pairs: [Trial, Trial, number][] = [
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

describe('a contradiction between text and tables', () => {
  it('is noted for the pace of the queries', () => {
    const every = ([first]: Seven, seconds: number): string => (seconds / first!).toFixed(1);
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

  it('is noted for the documents that the queries had to search', () => {
    expect(((MIXED.DS3.bulks / MIXED.DS4.bulks) * 100).toFixed(0)).toBe('41');
    expect(notes(azureQueriesMixedScaleUp)).toContain('DS3 stored 41% as many');
    expect(MIXED.D4.bulks / MIXED.DS4.bulks).toBeCloseTo(0.5, 1);
  });

  it('is noted for six nodes', () => {
    const times = (counts: Seven): string => (sumOf(counts) / sumOf(QUERY_ONLY_1_NODE.counts)).toFixed(1);
    expect(notes(azureQueriesOnlyScaleOut)).toContain(
      `it is ${times(QUERY_ONLY.DS14.counts)} times. For 3 nodes`,
    );
    expect(notes(azureQueriesOnlyScaleOut)).toContain(
      `For 3 nodes, it is ${times(QUERY_ONLY_3_NODES.counts)} times`,
    );
  });

  it('is noted for replicas: how small the difference is', () => {
    const percent = (machine: 'DS4' | 'DS14'): string =>
      Math.abs(
        change(sumOf(QUERY_ONLY[machine].counts), sumOf(QUERY_ONLY_2_REPLICAS[machine].counts)),
      ).toFixed(0);
    expect(notes(azureQueriesOnlyReplicas)).toContain(`${percent('DS4')}% and ${percent('DS14')}%`);
  });

  it('is noted for the counts without doc values, which are those with doc values', () => {
    expect(QUERY_ONLY_NO_DOC_VALUES.DS14.counts).toEqual(QUERY_ONLY.DS14.counts);
    expect(notes(azureQueriesOnlyDocValues)).toContain('swapped');
    // The text says: about 4% more with doc values.
    expect(
      change(sumOf(QUERY_ONLY_DOC_VALUES.DS14.counts), sumOf(QUERY_ONLY_NO_DOC_VALUES.DS14.counts)),
    ).toBeCloseTo(3.9, 0);
  });
});

describe('the same trial in several tables', () => {
  it('during ingestion has the same figures, except the bulks of DS4', () => {
    const alike = ({ ingestion, times }: Trial): Pick<Trial, 'ingestion' | 'times'> => ({ ingestion, times });
    expect(trial(azureQueriesMixedDisks, 'premium')).toMatchObject({ ...alike(MIXED.DS4), bulks: 503_157 });
    expect(MIXED.DS4.bulks).toBe(503_157);
    const { DS4, DS14 } = onDs(azureQueriesMixedDocValues, DOC_VALUES);
    expect(DS4).toMatchObject({ ...alike(MIXED.DS4), bulks: 503_137 });
    expect(DS14).toMatchObject({ ...alike(MIXED.DS14), bulks: MIXED.DS14.bulks });
    const { D4 } = MIXED;
    expect(trial(azureQueriesMixedDocValues, DOC_VALUES, 'D4')).toEqual(D4);
    const replica = onDs(azureQueriesMixedReplicas, 1);
    expect(alike(replica.DS4)).toEqual(alike(MIXED.DS4));
    expect(alike(replica.DS14)).toEqual(alike(MIXED.DS14));
  });

  it('with queries only has the same figures, except as noted', () => {
    expect(trial(azureQueriesOnlyScaleUp, 'DS14')).toEqual(QUERY_ONLY.DS14);
    expect(trial(azureQueriesOnlyScaleOut, '6')).toEqual(QUERY_ONLY.DS14);
    const off = onDs(azureQueriesOnlyCache, false);
    expect(off.DS4.times).toEqual(QUERY_ONLY.DS4.times);
    expect(off.DS14.times).toEqual(QUERY_ONLY.DS14.times);
    const byMachine = trial(azureQueriesOnlyScaleUp, 'DS4');
    expect(byMachine.times).toEqual(QUERY_ONLY.DS4.times);
    expect(byMachine.counts).toEqual([1045, 1045, ...QUERY_ONLY.DS4.counts.slice(2)]);
    expect(QUERY_ONLY.DS4.counts.slice(0, 2)).toEqual([1054, 1054]);
    expect(notes(azureQueriesOnlyScaleUp)).toContain('1,045 in this table and 1,054');
    expect(QUERY_ONLY_DOC_VALUES.DS4.counts).toEqual(QUERY_ONLY.DS4.counts);
    const [first, , ...others] = QUERY_ONLY.DS4.times;
    expect(QUERY_ONLY_DOC_VALUES.DS4.times).toEqual([first, 7293, ...others]);
    expect(QUERY_ONLY.DS4.times[1]).toBe(7292);
    expect(notes(azureQueriesOnlyDocValues)).toContain(
      'this table has 7,293 ms for Count Over Time, and other tables of the same trial have 7,292',
    );
    expect(QUERY_ONLY_DOC_VALUES.DS14.times).toEqual(QUERY_ONLY.DS14.times);
  });
});

describe('the totals', () => {
  it('of each trial are the sums of its counts', () => {
    let trials = 0;
    for (const { published } of AZURE_QUERIES)
      for (const row of published.rows) {
        const { queries } = row.figures;
        const counts = trialOf(row).counts.filter((count) => !Number.isNaN(count));
        if (queries === undefined || counts.length === 0) continue;
        expect(sumOf(counts)).toBe(queries);
        trials += 1;
      }
    expect(trials).toBe(14);
  });

  it('that are published are the sums of the counts', () => {
    expect(sumOf(QUERY_ONLY.DS4.counts)).toBe(7369);
    expect(sumOf(QUERY_ONLY_NO_DOC_VALUES.DS4.counts)).toBe(5894);
  });

  it('of 13 shards are those of the DS4 machines', () => {
    const [shards, , queries, response] = QUERY_ONLY_SHARDS[1]!;
    expect([shards, queries]).toEqual([13, sumOf(QUERY_ONLY.DS4.counts)]);
    expect(Math.abs(response - sumOf(QUERY_ONLY.DS4.times))).toBeLessThan(10);
    const said = notes(azureQueriesOnlyShards);
    for (const figure of [queries, sumOf(QUERY_ONLY.DS4.times), sumOf(QUERY_ONLY.DS14.counts)])
      expect(said).toContain(figure.toLocaleString('en-US'));
  });

  it('of shards are highest with 61, and each layout has all shards on six nodes', () => {
    const most = Math.max(...QUERY_ONLY_SHARDS.map(([, , queries]) => queries));
    expect(QUERY_ONLY_SHARDS.at(-1)![2]).toBe(most);
    for (const [shards, layout] of QUERY_ONLY_SHARDS) {
      const nodes = layout.split('-').map(Number);
      expect(nodes).toHaveLength(6);
      expect(nodes.reduce((sum, own) => sum + own, 0)).toBe(2 * shards);
    }
  });
});

test('the request cache is off unless it is varied', () => {
  for (const { name, definition } of AZURE_QUERIES) {
    expect(definition.index!.settings).toMatchObject({ 'requests.cache.enable': false });
    expect([name, JSON.stringify(definition.factors).includes(CACHE)]).toEqual([
      name,
      [azureQueriesMixedCache, azureQueriesOnlyCache].some((preset) => preset.name === name),
    ]);
  }
});

test('all fields are without doc values, except the two that need them', () => {
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
