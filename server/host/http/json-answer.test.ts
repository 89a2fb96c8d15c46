import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { jsonAnswer, jsonPieces } from './json-answer';

const row = (at: number) => ({
  at,
  name: `row "${at}" – ä`,
  none: null,
  left: undefined,
  parts: [at, { at }],
});
const numbers = Array.from({ length: 3000 }, (_, at) => (at % 7 === 0 ? null : at / 3));

test.each([
  ['a number', 1],
  ['null', null],
  ['an empty list', []],
  ['an empty object', {}],
  ['nothing but keys without values', { left: undefined }],
  ['lists within lists', [[], [[]], [numbers, [numbers]], numbers]],
  [
    'rows',
    { rows: Array.from({ length: 500 }, (_, at) => row(at)), more: { deep: { numbers } }, last: undefined },
  ],
  ['a list with gaps', [undefined, ...numbers, undefined]],
])('%s: pieces of whatever length are together what JSON.stringify writes', (_, value) => {
  for (const piece of [1, 2, 10, 1000, 100_000])
    expect([...jsonPieces(value, piece)].join('')).toBe(JSON.stringify(value));
});

test('a piece is no longer than it may be, however long the list', () => {
  const pieces = [...jsonPieces({ numbers: Array.from({ length: 100_000 }, (_, at) => at) }, 1000)];
  expect(pieces.length).toBeGreaterThan(90);
  expect(Math.max(...pieces.map((piece) => piece.split(',').length))).toBeLessThanOrEqual(1001);
});

test('a short answer is a text, a long one a stream of the same', async () => {
  expect(jsonAnswer(row(1))).toBe(JSON.stringify(row(1)));
  const long = { series: Array.from({ length: 20 }, () => ({ numbers })) };
  const answer = jsonAnswer(long);
  expect(answer).toBeInstanceOf(Readable);
  expect(await text(answer as Readable)).toBe(JSON.stringify(long));
});
