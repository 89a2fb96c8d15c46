/** Makes recorded requests with many distinct values, and searches for these values in the masked copy. */
import { createRandom } from '../../../../common/random';
import type { TrafficRecord } from '../../../../common/traffic/record';
import { madeRecord, utf8 } from '../../../traffic-file/testing/made-records';

/** Start of the recording, in ms since the epoch. */
export const START = Date.UTC(2026, 2, 5);

export interface MadeValues {
  texts: string[];
  numbers: string[];
  records: TrafficRecord[];
}

/** Letters of which the random words consist. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Creates `count` distinct texts, numbers and dates, and requests that contain them. */
export function madeValues(count: number): MadeValues {
  const random = createRandom(7);
  const word = (length: number): string =>
    Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]!).join('');
  const texts: string[] = [];
  const numbers: string[] = [];
  const text = (made: string): string => {
    texts.push(made);
    return made;
  };
  const records: TrafficRecord[] = [];
  const send = (path: string, body: string): void => {
    const order = records.length;
    records.push(madeRecord({ order, at: order * 1000, path, body: utf8(body), client: '192.168.7.9' }));
  };
  const document = (): Record<string, unknown> => {
    const number = 100_000 + random.below(900_000_000);
    numbers.push(String(number));
    return {
      name: text(`${word(9)} ${word(7)}`),
      email: text(`${word(8)}.${word(9)}@${word(8)}.example`),
      sku: text(`${word(4).toUpperCase()}-${1000 + random.below(9000)}-${word(6)}`),
      amount: number,
      day: text(
        new Date(START - random.below(1e6) * 86_400_0).toISOString().replace('Z', `${random.below(1000)}Z`),
      ),
    };
  };
  while (texts.length + numbers.length < count) {
    const one = document();
    const id = text(`${word(11)}`);
    send('/_bulk', `{"index":{"_index":"shop","_id":"${id}"}}\n${JSON.stringify(one)}\n`);
    send(
      '/shop/_search',
      JSON.stringify({
        query: {
          bool: {
            must: [{ match: { name: one['name'] } }],
            filter: [
              { term: { email: one['email'] } },
              { range: { amount: { gte: one['amount'] } } },
              { range: { day: { lte: one['day'] } } },
            ],
          },
        },
      }),
    );
    send(
      '/shop/_search',
      JSON.stringify({
        query: { query_string: { query: `sku:"${one['sku'] as string}" OR name:(${text(word(10))})` } },
        highlight: { fields: { name: {} } },
      }),
    );
  }
  return { texts, numbers, records };
}

/** Matches a whole value in a text, such as a word, a number, an email address, or a date with its time. */
const PARTS = /[\w.:@-]+/g;
/** Matches words with at least seven letters. In these tests, no such word is by chance the same as the masked form of another word. */
const LONG_WORDS = /[a-z]{7,}/gi;

/** Returns those of the created values that occur in `text`. Also returns long words of the created texts that occur in `text`. */
export function valuesIn(text: string, { texts, numbers }: Pick<MadeValues, 'texts' | 'numbers'>): string[] {
  const parts = new Set(text.match(PARTS));
  const words = new Set(text.match(LONG_WORDS));
  // All email addresses contain this word.
  words.delete('example');
  const long = texts.flatMap((value) => value.match(LONG_WORDS) ?? []);
  return [...texts, ...numbers]
    .filter((value) => parts.has(value))
    .concat(long.filter((word) => words.has(word)));
}
