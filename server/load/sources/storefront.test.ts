import { storefront } from '../../../common/generators/storefront';
import { makeStores, STORES } from '../../../common/generators/storefront/stores';
import { createRandom } from '../../../common/random';
import { judgeLine, type JudgedSearch } from '../../../common/replay/judge';
import { routeOf } from '../../../common/replay/route';
import { Batch } from './batch';
import { GeneratorSource } from './generator';
import { lineWriter } from './made-log';

type Json = Record<string, unknown>;

const PRODUCTS = 20_000;
const SEARCHES = 20_000;

function products(seed = 1): Json[] {
  const batch = new Batch();
  new GeneratorSource(storefront.document(), { seed }).fill(batch, { docs: PRODUCTS, bytes: Infinity }, 0);
  const lines = batch.body().toString('utf8').split('\n');
  return lines.filter((_, at) => at % 2 === 1).map((line) => JSON.parse(line) as Json);
}

function logLines(count: number, seed = 1): string[] {
  const write = lineWriter(storefront.log.lines(), createRandom(seed));
  const batch = new Batch();
  for (let i = 0; i < count; i += 1) write(batch);
  return batch.body().toString('utf8').trimEnd().split('\n');
}

const judged = (lines: readonly string[]): JudgedSearch[] =>
  lines.map((line) => {
    const found = judgeLine(line, {
      format: 'query-log',
      types: null,
      everyShard: false,
      timed: true,
      route: { field: 'store_id', modulo: 2, by: 'remainder' },
      rewrite: new Set(),
      accept: new Set(),
    });
    if (found.kind !== 'search') throw new Error(`${found.kind}: ${line}`);
    return found;
  });

const share = <T>(all: readonly T[], of: (one: T) => boolean): number => all.filter(of).length / all.length;

describe('the stores', () => {
  const stores = makeStores();
  const all = stores.reduce((sum, { size }) => sum + size, 0);
  const of31Million = ({ size }: { size: number }): number => (size / all) * 31e6;

  test('are 7000, some with more than 3 million of 31 million products, some with tens', () => {
    expect(new Set(stores.map(({ id }) => id)).size).toBe(STORES);
    expect(of31Million(stores[0]!)).toBeGreaterThan(3e6);
    expect(of31Million(stores[0]!)).toBeLessThan(4e6);
    expect(of31Million(stores.at(-1)!)).toBeGreaterThan(10);
    expect(of31Million(stores.at(-1)!)).toBeLessThan(100);
  });

  test('with odd numbers are half, and have 61% of the products', () => {
    const odd = stores.filter(({ id }) => id % 2 === 1);
    expect(odd).toHaveLength(STORES / 2);
    expect(odd.reduce((sum, { size }) => sum + size, 0) / all).toBeCloseTo(0.61, 2);
  });
});

describe('the products', () => {
  const all = products();
  const isOdd = ({ store_id: id }: Json): boolean => Number(id) % 2 === 1;

  test('are of many stores, 61% of odd ones', () => {
    expect(new Set(all.map(({ store_id: id }) => id)).size).toBeGreaterThan(1000);
    expect(share(all, isOdd)).toBeCloseTo(0.61, 1);
    expect(Math.abs(share(all, isOdd) - 0.61)).toBeLessThan(0.015);
  });

  test('have 1.9 options in the mean, each with a unique name', () => {
    const options = all.map((one) => one['options'] as { name: string; value: string }[]);
    const mean = options.reduce((sum, { length }) => sum + length, 0) / PRODUCTS;
    expect(Math.abs(mean - 59 / 31)).toBeLessThan(0.1);
    for (const own of options) expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
  });

  test('have the same brand, kind and keywords in all fields', () => {
    const wrong = all.filter(({ name, brand_name: brand, sku, categories, keywords }) => {
      const [first, adjective, noun] = String(name).split(' ') as [string, string, string];
      return !(
        first === brand &&
        (categories as string[])[1] === `${(categories as string[])[0]}/${noun}` &&
        new RegExp(`^${noun.slice(0, 3)}-\\d{6}$`).test(String(sku)) &&
        new RegExp(`^${noun} .* ?${adjective}$`).test(String(keywords))
      );
    });
    expect(wrong).toEqual([]);
  });

  test('that are not counted have no stock', () => {
    const uncounted = all.filter((one) => one['inventory_tracking'] === 'none');
    expect(new Set(uncounted.map((one) => one['inventory_level']))).toEqual(new Set([0]));
    expect(share(all, (one) => one['inventory_tracking'] === 'none')).toBeCloseTo(0.4, 1);
  });
});

describe('the log', () => {
  const lines = logLines(SEARCHES);
  const searches = judged(lines);
  const bodies = searches.map(({ body }) => JSON.parse(body) as Json);

  test('has both kinds of searches by turns, with nothing to rewrite', () => {
    expect(searches.slice(0, 4).map(({ type }) => type)).toEqual([
      'product',
      'aggregated',
      'product',
      'aggregated',
    ]);
    expect(searches.every(({ rewritten }) => rewritten.length === 0)).toBe(true);
    expect(bodies.every((body, at) => (body['aggs'] !== undefined) === (at % 2 === 1))).toBe(true);
  });

  test('asks odd and even stores equally often, and the largest most', () => {
    const rule = { field: 'store_id', modulo: 1_000_000, by: 'remainder' } as const;
    const ids = bodies.map((body) => {
      const routed = routeOf(body, rule);
      if ('refused' in routed) throw new Error(routed.refused);
      return routed.place;
    });
    expect(Math.abs(share(ids, (id) => id % 2 === 1) - 0.5)).toBeLessThan(0.02);
    const [largest] = makeStores();
    expect(share(ids, (id) => id === largest!.id)).toBeGreaterThan(0.08);
  });

  test('continues in time, 9 million a day', () => {
    const times = searches.map(({ time }) => time!);
    expect(times.every((time, at) => at === 0 || time >= times[at - 1]!)).toBe(true);
    const perDay = (SEARCHES / (times.at(-1)! - times[0]!)) * 86_400_000;
    expect(Math.abs(perDay / 9e6 - 1)).toBeLessThan(0.05);
  });

  test('is the same for the same seed', () => {
    expect(logLines(200)).toEqual(lines.slice(0, 200));
    expect(logLines(200, 2)).not.toEqual(lines.slice(0, 200));
  });

  test('searches for what products are called', () => {
    const words = new Set(products().flatMap(({ name }) => String(name).toLowerCase().split(' ')));
    const typed = bodies
      .filter((_, at) => at % 2 === 0)
      .map((body) => JSON.stringify(body).match(/"query":"([^"]+)"/)![1]!);
    const known = typed.filter((text) => text.split(' ').some((word) => words.has(word)));
    expect(known.length / typed.length).toBeGreaterThan(0.7);
  });
});
