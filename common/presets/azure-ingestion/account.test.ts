/**
 * Checks the numbers of the published benchmark against each other. Also checks that the notes in its YAML files, which report inconsistent
 * numbers, contain the correct ones.
 */
import { findPreset, PRESETS } from '..';
import type { Preset } from '../preset';
import type { PublishedRow } from '../published';

const AZURE_INGESTION = PRESETS.filter(({ published }) => published.seed === 'azure-ingestion');
const azureDisks = findPreset('azure-disks')!;
const azureRefresh = findPreset('azure-refresh')!;
const azureReplicas = findPreset('azure-replicas')!;
const azureScaleOut = findPreset('azure-scale-out')!;
const azureScaleUp = findPreset('azure-scale-up')!;
const azureScaleUpWindows = findPreset('azure-scale-up-windows')!;
const azureShards = findPreset('azure-shards')!;
const azureShards3 = findPreset('azure-shards-3')!;
const azureShards9 = findPreset('azure-shards-9')!;
const azureSystems = findPreset('azure-os')!;

const TWO_HOURS_S = 7200;
const ONE_HOUR_S = 3600;

const rows = ({ published }: Preset): PublishedRow[] => published.rows;
const number = ({ figures }: PublishedRow, key: string): number => {
  const value = figures[key];
  if (typeof value !== 'number') throw new Error(`${key} is no number`);
  return value;
};
const notes = ({ published }: Preset): string => [...published.notes, ...published.changes].join('\n');

/** A row of the tables: number of shards, documents stored in 2 hours, bulks per second, and primary shards on each node. */
type ShardRow = [shards: number, documents: number, throughput: number, layout: string];
const tableOf = (preset: Preset): ShardRow[] =>
  rows(preset).map((row) => [
    Number(row.levels['index.settings.number_of_shards']),
    number(row, 'documents'),
    number(row, 'throughput'),
    String(row.figures['layout']),
  ]);
const ON_3_NODES = tableOf(azureShards3);
const ON_6_NODES = tableOf(azureShards);
const ON_9_NODES = tableOf(azureShards9);

describe('bulks stored, seconds and bulks per second', () => {
  /**
   * Tolerance when bulks per second are calculated from the number of bulks. Printed numbers have one decimal, which gives an error of up
   * to 0.05. The times of JMeter's first and last bulk can cause an additional error of this size.
   */
  const ROUNDING = 0.1;

  it.each<[string, Preset, number]>([
    ['scale up', azureScaleUp, TWO_HOURS_S],
    ['disks', azureDisks, TWO_HOURS_S],
    ['scale up on Windows', azureScaleUpWindows, TWO_HOURS_S],
    ['operating systems', azureSystems, TWO_HOURS_S],
    ['refresh interval', azureRefresh, ONE_HOUR_S],
    ['replicas', azureReplicas, ONE_HOUR_S],
  ])('fit in the table of %s', (_, preset, seconds) => {
    for (const row of rows(preset))
      expect(Math.abs(number(row, 'samples') / seconds - number(row, 'throughput'))).toBeLessThan(
        ROUNDING * 1.2,
      );
  });

  it('are rounded wrongly exactly where a note says so', () => {
    const wrong = (preset: Preset, seconds: number): string[] =>
      rows(preset)
        .map((row) => [(number(row, 'samples') / seconds).toFixed(1), number(row, 'throughput').toFixed(1)])
        .filter(([computed, printed]) => computed !== printed)
        .map(([computed]) => computed!);
    expect(wrong(azureScaleUp, TWO_HOURS_S)).toEqual([]);
    expect(wrong(azureDisks, TWO_HOURS_S)).toEqual([]);
    expect(wrong(azureRefresh, ONE_HOUR_S)).toEqual([]);
    for (const [preset, seconds] of [
      [azureScaleUpWindows, TWO_HOURS_S],
      [azureSystems, TWO_HOURS_S],
      [azureReplicas, ONE_HOUR_S],
    ] as const) {
      const [computed, ...more] = wrong(preset, seconds);
      expect(more).toEqual([]);
      expect(notes(preset)).toContain(`are ${computed} per second`);
    }
  });
});

describe('rejected bulks', () => {
  it.each([
    ['scale up', azureScaleUp],
    ['disks', azureDisks],
  ])('with those stored make those sent, and the printed rate, in the table of %s', (_, preset) => {
    for (const row of rows(preset)) {
      const [stored, errors] = [number(row, 'samples'), number(row, 'errors')];
      expect([stored + errors, null]).toContain(row.figures.sent);
      const rate = (errors / (stored + errors)) * 100;
      expect(Math.abs(rate - number(row, 'errorRate'))).toBeLessThan(0.05);
    }
  });

  it('are two of three bulks with 2 replicas', () => {
    const row = rows(azureReplicas)[2]!;
    const share = number(row, 'errors') / (number(row, 'errors') + number(row, 'samples'));
    expect(notes(azureReplicas)).toContain(`${(share * 100).toFixed(0)}% of the bulks`);
  });
});

describe("the number of clients, by Little's law", () => {
  const clients = (preset: Preset): string[] =>
    rows(preset).map((row) => ((number(row, 'throughput') * number(row, 'response')) / 1000).toFixed(0));

  it.each<[string, Preset, string[], string]>([
    ['scale up', azureScaleUp, ['6', '12', '23'], '6, 12 and 23'],
    ['scale up on Windows', azureScaleUpWindows, ['6', '12', '22'], '6, 12 and 22'],
    ['disks', azureDisks, ['23', '21', '21'], '23, 21 and 21'],
    ['operating systems', azureSystems, ['21', '22'], '21 and 22'],
    ['refresh interval', azureRefresh, ['12', '12'], 'about 12.'],
    ['replicas', azureReplicas, ['12', '12', '12'], 'about 12,'],
  ])('is what the note of %s says', (_, preset, found, said) => {
    expect(clients(preset)).toEqual(found);
    expect(notes(preset)).toContain(said);
  });

  it('is the same in all cells of an experiment although the published benchmark had several', () => {
    for (const { definition } of [azureScaleUp, azureScaleUpWindows, azureDisks, azureSystems, azureScaleOut])
      expect(JSON.stringify(definition.factors)).not.toContain('clients');
  });
});

describe('a contradiction between text and tables', () => {
  it('is noted for the refresh interval: the gain', () => {
    const [every, seldom] = rows(azureRefresh).map((row) => number(row, 'throughput')) as [number, number];
    expect(notes(azureRefresh)).toContain(`+${((seldom / every - 1) * 100).toFixed(1)}%`);
  });

  it('is noted for the disk wait: a figure below the range', () => {
    const least = Math.min(...rows(azureScaleUp).map((row) => number(row, 'diskWait')));
    expect(least).toBeLessThan(16);
    expect(notes(azureScaleUp)).toContain(`${least}%`);
  });

  it('is noted for the large cluster: its documents', () => {
    const documents = (number(rows(azureScaleUp)[2]!, 'samples') * 999) / 1e6;
    expect(notes(azureScaleUp)).toContain(`are ${documents.toFixed(0)} million`);
  });

  it('is noted for premium disks: four times the small cluster', () => {
    const times = number(rows(azureDisks)[1]!, 'throughput') / number(rows(azureScaleUp)[0]!, 'throughput');
    expect(notes(azureDisks)).toContain(`(${times.toFixed(1)} by the published numbers)`);
  });

  it('is noted for 1.5 billion documents: the most in a table', () => {
    const most = Math.max(...[...ON_3_NODES, ...ON_6_NODES, ...ON_9_NODES].map(([, documents]) => documents));
    for (const preset of [azureShards3, azureShards, azureShards9, azureScaleOut])
      expect(notes(preset)).toContain(most.toLocaleString('en-US'));
  });

  it('is noted for the tipping point, for odd numbers and for primes', () => {
    const of = (shards: number): number => ON_6_NODES.find(([own]) => own === shards)![2];
    expect(of(43)).toBeGreaterThan(of(23));
    expect(notes(azureShards)).toContain(`${of(43)} against ${of(23)}`);
    expect(of(10)).toBeLessThan(of(7));
    expect(of(12)).toBeLessThan(of(11));
    const isPrime = (n: number): boolean =>
      Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, at) => at + 2).every((by) => n % by !== 0);
    const larger = [...ON_6_NODES.filter(([shards]) => shards >= 23), ...ON_9_NODES].map(
      ([shards]) => shards,
    );
    expect(larger.filter((shards) => !isPrime(shards))).toEqual([91, 119]);
    expect(notes(azureShards)).toContain('91 and 119');
  });
});

describe('the tables of shards', () => {
  it.each([...ON_3_NODES, ...ON_6_NODES, ...ON_9_NODES])(
    'give %i shards a layout of as many, and bulks of 1000 documents',
    (shards, documents, throughput, layout) => {
      expect(layout.split('-').reduce((sum, own) => sum + Number(own), 0)).toBe(shards);
      expect((documents / 1000 / TWO_HOURS_S).toFixed(2)).toBe(throughput.toFixed(2));
    },
  );

  it('have a layout for 3, 6 and 9 nodes', () => {
    for (const [table, nodes] of [
      [ON_3_NODES, 3],
      [ON_6_NODES, 6],
      [ON_9_NODES, 9],
    ] as const)
      for (const [, , , layout] of table) expect(layout.split('-')).toHaveLength(nodes);
  });
});

test('the comparison of 3, 6 and 9 nodes uses rows of their tables: the only one, or the tipping point', () => {
  expect(tableOf(azureScaleOut)).toEqual([
    ON_3_NODES[0],
    ON_6_NODES.find(([shards]) => shards === 23),
    ON_9_NODES.find(([shards]) => shards === 37),
  ]);
  expect(rows(azureScaleOut).map(({ levels }) => levels['environment.nodes'])).toEqual(['3', '6', '9']);
});

test('each table of shards has the levels of the experiment', () => {
  for (const preset of [azureShards, azureShards9])
    expect(preset.definition.factors).toEqual({
      'index.settings.number_of_shards': tableOf(preset).map(([shards]) => shards),
    });
});

test('the trial with 1 replica is the same as that with the 30s interval, here and in the publication', () => {
  const { throughput, response, samples } = rows(azureReplicas)[1]!.figures;
  expect({ throughput, response, samples }).toEqual(rows(azureRefresh)[1]!.figures);
});

test('the large machine with standard disks, and with ephemeral ones, has the same figures in all tables', () => {
  expect(rows(azureScaleUp)[2]!.figures).toMatchObject(rows(azureDisks)[0]!.figures);
  const { throughput, response, samples, errorRate } = rows(azureDisks)[2]!.figures;
  expect(rows(azureSystems)[0]!.figures).toEqual({ throughput, response, samples, errorRate });
  const windows = rows(azureSystems)[1]!.figures;
  const large = rows(azureScaleUpWindows)[2]!.figures;
  expect([large.throughput, large.response, large.samples]).toEqual([
    windows.throughput,
    windows.response,
    windows.samples,
  ]);
});

test('the definition allows rejections if they are the purpose', () => {
  const provoking = AZURE_INGESTION.filter(({ definition }) => definition['provokes-rejections']);
  expect(provoking.map(({ name }) => name)).toEqual([
    'azure-replicas',
    ...['replicas', 'scale-up', 'disks', 'scale-up-windows', 'os'].map((name) => `azure-${name}-as-printed`),
    'azure-clients',
    'azure-retries',
    'azure-queue',
    'azure-bursts',
  ]);
});

describe('the variants as printed', () => {
  const variants = AZURE_INGESTION.filter(({ published }) => published.variantOf !== undefined);

  it.each(variants.map((preset) => [preset.name, preset] as const))(
    '%s has the figures and conditions of the fair form, and reads bulks as its code does',
    (name, { definition, published }) => {
      const fair = findPreset(name.replace('-as-printed', ''))!;
      expect(published.variantOf).toBe(fair.name);
      expect(published.rows).toEqual(fair.published.rows);
      expect(published.conditions).toEqual(fair.published.conditions);
      const { ingest } = definition.tasks[0] as { ingest: Record<string, unknown> };
      expect(ingest).toMatchObject({ bulk: { docs: 999, counted: 'as-a-whole' }, retries: { attempts: 0 } });
    },
  );

  it('have the clients that the figures imply if the load depended on the machines', () => {
    const clients = 'tasks.ingest.executor.constant-clients.clients';
    for (const name of ['azure-scale-up', 'azure-scale-up-windows']) {
      const cells = findPreset(`${name}-as-printed`)!.definition.factors as Record<string, number>[];
      const implied = rows(findPreset(name)!).map(
        (row) => (number(row, 'throughput') * number(row, 'response')) / 1000,
      );
      expect(cells.map((cell) => cell[clients])).toEqual(implied.map(Math.round));
    }
  });
});
