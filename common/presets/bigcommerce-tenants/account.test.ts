/**
 * Checks the numbers of the published benchmark against each other. Also checks that the notes in its YAML files, which report inconsistent
 * numbers, contain the correct ones.
 */
import { findPreset, PRESETS } from '..';
import type { Preset } from '../preset';

/**
 * Presets whose published benchmark has a table of results. Other presets are for experiments that the publication only describes in words.
 */
const BIGCOMMERCE_TENANTS = PRESETS.filter(
  ({ published }) => published.seed === 'bigcommerce-tenants' && published.rows.length > 0,
);
const bigcommerceShards = findPreset('bigcommerce-shards')!;
const bigcommerceIndices = [findPreset('bigcommerce-indices-15')!, findPreset('bigcommerce-indices-8')!];
const bigcommerceHosts = findPreset('bigcommerce-hosts')!;

/**
 * Returns the rows of `preset` as objects. They contain the factor levels, by the last part of the factor's path, and the figures. `apart`:
 * whether each index is on its own hosts.
 */
const table = ({ published }: Preset): (Record<string, number> & { apart: boolean })[] =>
  published.rows.map(
    ({ levels, figures }) =>
      ({
        ...Object.fromEntries(
          Object.entries({ ...levels, ...figures }).map(([path, value]) => [path.split('.').at(-1), value]),
        ),
        apart: typeof levels['index.allocation'] === 'object',
      }) as Record<string, number> & { apart: boolean },
  );

/**
 * The table of shards. Each row contains the number of shards, the median size of a shard in GB, and the mean and the 95th percentile of
 * the response time in ms.
 */
const BY_SHARDS = table(bigcommerceShards).map(
  ({ number_of_shards, size, mean, p95 }) => [number_of_shards!, size!, mean!, p95!] as const,
);
/**
 * The tables that compare one index with two. Each row contains the number of shards of the one index, the number of shards of each of the
 * two indices, and the mean and the 95th percentile of the response time with two indices, in ms.
 */
const SPLIT = bigcommerceIndices.map(table).map(([one, two]) => {
  return [one!['number_of_shards']!, two!['number_of_shards']!, two!['mean']!, two!['p95']!] as const;
});
/**
 * The table of hosts. Each row contains the number of shards of each index, whether each index is on its own hosts, and the mean response
 * times of stores with odd and with even numbers, in ms.
 */
const BY_HOSTS = table(bigcommerceHosts).map(
  ({ number_of_shards, apart, odd, even }) => [number_of_shards!, apart, odd!, even!] as const,
);

const notes = ({ published }: Preset): string => [...published.notes, ...published.changes].join('\n');
const byShards = (shards: number): (typeof BY_SHARDS)[number] => BY_SHARDS.find(([own]) => own === shards)!;

describe('the number of searches', () => {
  /**
   * Returns the number of searches by 100 users in 180 s, with a pause of 300 ms after every two searches. `mean`: mean response time in
   * ms.
   */
  const searches = (mean: number): number => (100 * 180_000 * 2) / (300 + 2 * mean);

  it.each(BIGCOMMERCE_TENANTS.map((preset) => [preset.name, preset] as const))(
    "is by Little's law what the note of %s says",
    (_, preset) => {
      for (const mean of [741, 223, 48])
        expect(notes(preset)).toContain(
          `${(Math.round(searches(mean) / 100) * 100).toLocaleString('en-US')} at ${mean === 741 ? 'a mean of ' : ''}${mean} ms`,
        );
    },
  );

  it('comes from users whose mean pause is the same here and in the publication', () => {
    for (const { definition } of BIGCOMMERCE_TENANTS)
      expect(definition.tasks[0]!.executor!['ramping-clients']!['think-time']).toBe(`${300 / 2}ms`);
  });
});

test('31 and 59 million make 90, and 59 to 31 is 1.9', () => {
  for (const preset of BIGCOMMERCE_TENANTS) expect(notes(preset)).toContain(`they are ${31 + 59}`);
  expect((59 / 31).toFixed(1)).toBe('1.9');
});

describe('the table of shards', () => {
  it('has a 95th percentile that gets worse once, as noted', () => {
    const worse = BY_SHARDS.filter(([, , , p95], at) => at > 0 && p95 > BY_SHARDS[at - 1]![3]);
    expect(worse.map(([shards]) => shards)).toEqual([8]);
    expect(notes(bigcommerceShards)).toContain(`${byShards(15)[3]} to ${byShards(8)[3]} ms`);
  });

  it('has a mean that always falls', () => {
    expect(BY_SHARDS.map(([, , mean]) => mean)).toEqual(
      [...BY_SHARDS].map(([, , mean]) => mean).sort((a, b) => b - a),
    );
  });

  it('has sizes that add up to 58 GB, except two', () => {
    const wrong = BY_SHARDS.filter(([shards, size]) => Math.round(58 / shards) !== size);
    expect(wrong.map(([shards]) => shards)).toEqual([8, 4]);
    expect(notes(bigcommerceShards)).toContain(`would make ${8 * byShards(8)[1]} and ${4 * byShards(4)[1]}`);
  });
});

describe('the table of two indices', () => {
  const times = ([shards, , mean, p95]: (typeof SPLIT)[number]): { mean: number; p95: number } => ({
    mean: byShards(shards)[2] / mean,
    p95: byShards(shards)[3] / p95,
  });
  const [of15, of8] = SPLIT.map(times) as [ReturnType<typeof times>, ReturnType<typeof times>];

  it.each(bigcommerceIndices.map((preset) => [preset.name, preset] as const))(
    'has the ratios that the notes of %s say, and a worse percentile with fewer shards',
    (_, preset) => {
      expect(notes(preset)).toContain(`${of8.mean.toFixed(2)} times shorter from 8`);
      expect(notes(preset)).toContain(`${of15.mean.toFixed(2)} times shorter from 15`);
      expect(notes(preset)).toContain(`${of15.p95.toFixed(2)} times shorter from 15`);
      expect(notes(preset)).toContain(`${of8.p95.toFixed(2)} times shorter from 8`);
      expect(notes(preset)).toContain(`${SPLIT[1]![3]} against ${SPLIT[0]![3]} ms`);
    },
  );

  it('has the same total number of shards, or one more', () => {
    expect(SPLIT.map(([shards, each]) => 2 * each - shards)).toEqual([1, 0]);
    expect(notes(bigcommerceIndices[0]!)).toContain('one shard more');
    expect(notes(bigcommerceIndices[1]!)).not.toContain('one shard more');
  });
});

test('the row of one index is that of the table of shards', () => {
  for (const preset of bigcommerceIndices) {
    const [one] = preset.published.rows;
    const [, , mean, p95] = byShards(Number(one!.levels['index.settings.number_of_shards']));
    expect(one!.figures).toEqual({ mean, p95 });
  }
});

describe('the table of hosts', () => {
  const row = (shards: number, apart: boolean): { odd: number; even: number } => {
    const [, , odd, even] = BY_HOSTS.find((own) => own[0] === shards && own[1] === apart)!;
    return { odd, even };
  };
  const whole = (shards: number, apart: boolean): number =>
    (row(shards, apart).odd + row(shards, apart).even) / 2;

  it('has the changes in its notes', () => {
    const odd = (shards: number): string => (row(shards, true).odd / row(shards, false).odd).toFixed(2);
    const even = (shards: number): number => (row(shards, true).even / row(shards, false).even - 1) * 100;
    expect(notes(bigcommerceHosts)).toContain(`${odd(8)} times as long`);
    expect(notes(bigcommerceHosts)).toContain(`${odd(4)} times with 4`);
    expect(notes(bigcommerceHosts)).toContain(`${even(4).toFixed(0)}% longer`);
    expect(notes(bigcommerceHosts)).toContain(`${(-even(8)).toFixed(0)}% less`);
    for (const shards of [8, 4])
      expect(notes(bigcommerceHosts)).toContain(
        `${Math.round(whole(shards, false))} to ${Math.round(whole(shards, true))} ms`,
      );
  });

  it('agrees with the table of two indices for 8 shards, but not for 4, even before rounding', () => {
    expect(Math.round(whole(8, false))).toBe(SPLIT[0]![2]);
    // Both figures are rounded, by at most 0.5 ms.
    expect(whole(4, false) + 0.5).toBeLessThanOrEqual(SPLIT[1]![2] - 0.5);
    expect(notes(bigcommerceHosts)).toContain(`has ${SPLIT[1]![2]} ms`);
  });
});
