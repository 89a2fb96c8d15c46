import { trafficKind } from '../traffic/kind';
import type { AnswerFacts } from '../traffic/record';
import {
  addAnswers,
  alikeShare,
  AnswerComparer,
  MOST_SHAPES,
  noAnswers,
  notComparedOf,
  OTHER_SHAPES,
} from './same-answers';

function compare(comparer: AnswerComparer, path: string, recorded: AnswerFacts | null, own: AnswerFacts) {
  const answer = { status: 200, durationUs: 1, bytes: 1, facts: recorded };
  return comparer.compare({ method: 'GET', path, answer }, trafficKind('GET', path), {
    status: 200,
    facts: own,
  });
}

test('counts alike, different and not compared answers', () => {
  const comparer = new AnswerComparer();
  expect(compare(comparer, '/shop/_doc/1', { found: true }, { found: true })).toBeNull();
  expect(compare(comparer, '/shop/_doc/2', { found: true }, { found: false })).toMatchObject({
    kind: 'found',
  });
  expect(compare(comparer, '/shop/_search', null, { total: 1 })).toBeNull();
  const account = comparer.account();
  expect(account).toEqual({
    alike: 1,
    byRefresh: 0,
    different: 1,
    differences: { found: 1 },
    notCompared: { 'recorded-unread': 1 },
    shapes: [
      {
        shape: 'GET /shop/_doc/{id}',
        compared: 2,
        different: 1,
        differences: { found: 1 },
        examples: [{ difference: 'found', recorded: 'yes', own: 'no' }],
      },
    ],
  });
  expect(alikeShare(account)).toBe(0.5);
  expect(notComparedOf(account)).toBe(1);
});

test('nothing compared has no share', () => {
  expect(alikeShare(noAnswers())).toBeNull();
});

test('adds the accounts of several threads, and keeps the first examples', () => {
  const comparer = new AnswerComparer();
  for (let total = 0; total < 10; total += 1)
    compare(comparer, '/shop/_search', { total }, { total: total + 1 });
  const both = addAnswers(addAnswers(noAnswers(), comparer.account()), comparer.account());
  expect(both.different).toBe(20);
  expect(both.shapes).toEqual([
    {
      shape: 'GET /shop/_search',
      compared: 20,
      different: 20,
      differences: { total: 20 },
      examples: [0, 1, 2].map((total) => ({
        difference: 'total',
        recorded: String(total),
        own: String(total + 1),
      })),
    },
  ]);
});

test('does not change the account that it adds', () => {
  const comparer = new AnswerComparer();
  compare(comparer, '/shop/_search', { total: 1 }, { total: 2 });
  const account = comparer.account();
  const copy = structuredClone(account);
  const sum = addAnswers(noAnswers(), account);
  addAnswers(sum, account);
  expect(account).toEqual(copy);
});

test('counts shapes beyond the limit together', () => {
  const [one, other] = [new AnswerComparer(), new AnswerComparer()];
  for (let index = 0; index < 2 * MOST_SHAPES; index += 1) {
    const name = String.fromCodePoint(0x4e00 + index);
    compare(index % 2 === 0 ? one : other, `/${name}/_search`, { total: 1 }, { total: 2 });
  }
  const { shapes } = addAnswers(addAnswers(noAnswers(), one.account()), other.account());
  expect(shapes).toHaveLength(MOST_SHAPES + 1);
  expect(shapes.at(-1)).toMatchObject({ shape: OTHER_SHAPES, compared: MOST_SHAPES });
  expect(shapes.reduce((sum, { compared }) => sum + compared, 0)).toBe(2 * MOST_SHAPES);
});
