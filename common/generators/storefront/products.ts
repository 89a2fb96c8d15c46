/**
 * `storefront`: the products of many stores in one index, modelled on the published benchmark `bigcommerce-tenants`. The field names come
 * from the example search in that publication. Each product has 1.9 options on average, because the publication reports 59 million nested
 * documents in 31 million products.
 */
import { stringifyPlain } from '../../json/exact';
import { createRandom, type Random } from '../../random';
import { writeWhole } from '../number-text';
import { choice, evenDraw, text, weightedDraw, type Part } from '../template';
import { storeOfProduct } from './stores';
import { ADJECTIVES, BRAND_NAMES, NOUNS, OPTIONS, pick, TEXT_WORDS, textWord, zipf } from './words';

const PRICES = 1000;
const OPTION_SETS = 1000;
/** Percentages of products with 0, 1, 2, 3 and 4 options, such as color and size. */
const OPTION_COUNTS = [10, 30, 30, 20, 10];
const SHORTEST_TEXT = 20;
const LONGEST_TEXT = 120;
/** Number of words in the long text from which descriptions are taken. */
const TEXT_POOL = 20_000;

const numbers = (size: number, digits: number): string[] =>
  Array.from({ length: size }, (_, number) => String(number).padStart(digits, '0'));

/** Returns random prices with a log-normal distribution and a median of 30. */
function prices(random: Random): string[] {
  return Array.from({ length: PRICES }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
    return (30 * Math.exp(normal)).toFixed(2);
  });
}

/**
 * Returns the part of a document's template that writes the stock of the product, and whether it is tracked. For two fifths of the
 * products, the stock is not tracked.
 */
function stocks(): Part {
  const counted = Array.from({ length: 30 }, (_, at) => (at < 4 ? 0 : at ** 2));
  const texts = [
    '"none","inventory_level":0',
    ...['simple', 'sku'].flatMap((tracking) =>
      counted.map((level) => `"${tracking}","inventory_level":${level}`),
    ),
  ];
  const weights = [40, ...counted.map(() => 45 / counted.length), ...counted.map(() => 15 / counted.length)];
  return choice(weightedDraw('stock', weights), texts);
}

/** Returns random sets of options for products. A product never has two options of the same name. */
function optionSets(random: Random): string[] {
  const names = Object.keys(OPTIONS);
  const counts = weightedDraw('options', OPTION_COUNTS).wheel!;
  return Array.from({ length: OPTION_SETS }, () => {
    const own = new Set<string>();
    const size = counts[random.next() >>> 16]!;
    while (own.size < size) own.add(pick(names, random));
    return stringifyPlain([...own].map((name) => ({ name, value: pick(OPTIONS[name]!, random) }))).slice(
      1,
      -1,
    );
  });
}

/** Returns the part of a document's template that writes a passage from a long text. The words of this text have realistic frequencies. */
function description(random: Random): Part {
  const { wheel } = textWord();
  const words = Array.from({ length: TEXT_POOL }, () => TEXT_WORDS[wheel![random.next() >>> 16]!]!);
  const pool = words.join(' ');
  const bytes = Uint8Array.from({ length: pool.length }, (_, at) => pool.charCodeAt(at));
  const starts = new Int32Array(TEXT_POOL + 1);
  words.forEach((word, at) => {
    starts[at + 1] = starts[at]! + word.length + 1;
  });
  const longestWord = words.reduce((longest, { length }) => Math.max(longest, length), 0);
  return {
    kind: 'written',
    longest: LONGEST_TEXT * (longestWord + 1),
    write: (own, out, at) => {
      const length = SHORTEST_TEXT + own.below(LONGEST_TEXT - SHORTEST_TEXT + 1);
      const first = own.below(TEXT_POOL - length);
      const from = starts[first]!;
      const size = starts[first + length]! - 1 - from;
      for (let i = 0; i < size; i += 1) out[at + i] = bytes[from + i]!;
      return at + size;
    },
  };
}

export function product(): Part[] {
  // The stores are the same in every experiment. Only their products depend on the experiment's seed.
  const random = createRandom(0x540b);
  const brand = weightedDraw('brand', zipf(BRAND_NAMES.length));
  const noun = evenDraw('noun', NOUNS.length);
  const adjective = evenDraw('adjective', ADJECTIVES.length);
  const ofNoun = (write: (of: (typeof NOUNS)[number]) => string): Part => choice(noun, NOUNS.map(write));
  return [
    // `store_id` comes first. If documents are routed by this field, it is then found quickly.
    text('{"store_id":'),
    storeOfProduct(),
    text(',"name":"'),
    choice(brand, BRAND_NAMES),
    text(' '),
    choice(adjective, ADJECTIVES),
    text(' '),
    ofNoun((of) => of.noun),
    text(' '),
    choice(evenDraw('model', 1000), numbers(1000, 3)),
    text('","brand_name":"'),
    choice(brand, BRAND_NAMES),
    text('","sku":"'),
    ofNoun((of) => of.noun.slice(0, 3)),
    text('-'),
    {
      kind: 'written',
      longest: 6,
      write: (own, out, at) => writeWhole(out, at, 100_000 + own.below(900_000)),
    },
    text('","price":'),
    choice(evenDraw('price', PRICES), prices(random)),
    text(',"inventory_tracking":'),
    stocks(),
    text(',"is_visible":'),
    choice(
      evenDraw('visible', 20),
      Array.from({ length: 20 }, (_, at) => String(at > 0)),
    ),
    text(',"categories":["'),
    ofNoun((of) => `${of.department}","${of.department}/${of.noun}`),
    text('"],"keywords":"'),
    ofNoun((of) => `${of.noun} ${of.department.replace('-', ' ')}`),
    text(' '),
    choice(adjective, ADJECTIVES),
    text('","options":['),
    choice(evenDraw('options', OPTION_SETS), optionSets(random)),
    text('],"date_modified":"'),
    { kind: 'time', format: 'iso' },
    text('","description":"'),
    description(random),
    text('"}'),
  ];
}
