import { problemsOf } from './testing/problems';
import { hourlyCost, parsePrice } from './price';

const input = (more: object): object => ({
  version: 1,
  name: 'price',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  ...more,
});

test('a price has an amount, a currency, a unit and a date', () => {
  expect(parsePrice('1.92 EUR per hour and node, 2026-11-01')).toEqual({
    amount: 1.92,
    currency: 'EUR',
    per: 'node',
    date: '2026-11-01',
  });
  expect(parsePrice('5 $ per hour, 2026-11-01')).toMatchObject({ amount: 5, currency: '$', per: 'cluster' });
});

test.each(['1.92', '1.92 EUR', '0 EUR per hour, 2026-11-01', '1.92 EUR per hour, 2026-13-01'])(
  '%s is not a price',
  (text) => expect(parsePrice(text)).toBeUndefined(),
);

test('a label that begins with a number must be a price, any other label is accepted', () => {
  expect(problemsOf(input({ environment: { price: '1.92 EUR' } }))).toEqual([
    expect.objectContaining({ code: 'environment.price', path: 'environment.price', found: '1.92 EUR' }),
  ]);
  expect(problemsOf(input({ environment: { price: 'premium' } }))).toEqual([]);
});

test('a claim about money needs a price', () => {
  const factors = { 'index.settings.number_of_shards': [1, 2] };
  const expect_ = ['ingest.per_money rises with index.settings.number_of_shards'];
  expect(problemsOf(input({ factors, expect: expect_ }))).toEqual([
    expect.objectContaining({ message: 'there is no price: environment.price' }),
  ]);
});

test('a price for each node is multiplied by the nodes of the trial', () => {
  const price = '2 EUR per hour and node, 2026-11-01';
  expect(hourlyCost({ price, nodes: '3' }, { server: null })).toBe(6);
  expect(hourlyCost({ price }, { server: null })).toBeNull();
  expect(hourlyCost({ price: '2 EUR per hour, 2026-11-01' }, { server: null })).toBe(2);
  expect(hourlyCost({ price: 'premium' }, { server: null })).toBeNull();
});
