/**
 * The generated log of `storefront`: searches of shoppers, as the published benchmark `bigcommerce-tenants` logged them. Lines of two types
 * alternate: a search for words (`product`), and a page that also shows counts per facet (`aggregated`). There are 9 million searches per
 * day, as in the benchmark.
 */
import { stringifyPlain } from '../../json/exact';
import { createRandom, type Random } from '../../random';
import { writeWhole } from '../number-text';
import { choice, text, weightedDraw, type Draw, type Part } from '../template';
import { storeOfSearch } from './stores';
import { ADJECTIVES, BRAND_NAMES, DEPARTMENT_NAMES, NOUNS, pick, TEXT_WORDS, zipf } from './words';

const TERMS = 2000;
/** Start of the log, in s since the epoch: the day of the example search in the published benchmark. */
const FIRST_SECOND = 1_451_865_600;
const MEAN_GAP_MS = 86_400_000 / 9_000_000;
/** Share of department pages among the `aggregated` pages. The other pages show the results of a search for words. */
const BROWSED = 0.5;

const FIELDS = ['name^2', 'description', 'sku^3', 'keywords^2', 'brand_name^2'];

/** Returns search terms, from the most to the least frequent. Most have two words; some are part numbers. */
function terms(random: Random): string[] {
  const noun = (): string => pick(NOUNS, random).noun;
  const kinds = [
    () => `${pick(BRAND_NAMES, random).toLowerCase()} ${noun()}`,
    () => `${pick(ADJECTIVES, random)} ${noun()}`,
    () => `${pick(BRAND_NAMES, random).toLowerCase()} ${pick(ADJECTIVES, random)} ${noun()}`,
    noun,
    () => `${noun()} ${pick(TEXT_WORDS, random)}`,
    () => `${noun().slice(0, 3)}-${100 + random.below(900)}`,
  ];
  return Array.from({ length: TERMS }, () => pick(kinds, random)());
}

const inText = (words: string): object => ({ simple_query_string: { query: words, fields: FIELDS } });

/**
 * Filters of every search, as JSON text: the store, visible products, and products in stock. `STORE` is a placeholder for the number of the
 * store.
 */
const SHOWN = [
  '{"term":{"store_id":STORE}}',
  stringifyPlain({ term: { is_visible: true } }),
  stringifyPlain({
    bool: { should: [{ term: { inventory_tracking: 'none' } }, { range: { inventory_level: { gte: 1 } } }] },
  }),
].join();

const FACETS = {
  brands: { terms: { field: 'brand_name.keyword', size: 20 } },
  categories: { terms: { field: 'categories', size: 20 } },
  prices: {
    range: {
      field: 'price',
      ranges: [{ to: 10 }, { from: 10, to: 25 }, { from: 25, to: 50 }, { from: 50, to: 100 }, { from: 100 }],
    },
  },
  options: {
    nested: { path: 'options' },
    aggs: {
      names: {
        terms: { field: 'options.name', size: 10 },
        aggs: { values: { terms: { field: 'options.value', size: 20 } } },
      },
    },
  },
};

const PAGE = '"_source":["store_id"],"from":0,"size":6';

/**
 * Converts a line with the placeholder `STORE` to parts. `store`: the part that writes the number of the store; it replaces the
 * placeholder. `more`: converts the text after the placeholder to parts.
 */
function withStore(line: string, store: Part, more: (rest: string) => Part[]): Part[] {
  const [before, after] = line.split('STORE') as [string, string];
  return [text(before), store, ...more(after)];
}

/**
 * Converts a line with placeholders `HERE` to parts, in which each placeholder is replaced by a random text. `choices`: a list of possible
 * texts for each placeholder. The last list also applies to all further placeholders.
 */
function withChoices(line: string, draw: Draw, ...choices: readonly (readonly string[])[]): Part[] {
  return line.split('HERE').flatMap((piece, at): Part[] => {
    const texts = choices[Math.min(at, choices.length) - 1];
    return at === 0 ? [text(piece)] : [choice(draw, texts!), text(piece)];
  });
}

function productLine(store: Part, typed: readonly string[]): Part[] {
  const body =
    `{"query":{"bool":{"filter":[${SHOWN}],"should":[` +
    `HERE,{"prefix":{"sku":{"value":"HERE"}}},{"prefix":{"keywords":{"value":"HERE"}}}` +
    `],"minimum_should_match":1}},"sort":[{"_score":{"order":"desc"}}],${PAGE}}\n`;
  const draw = weightedDraw('term', zipf(typed.length));
  return withStore(`|product|${body}`, store, (rest) =>
    withChoices(
      rest,
      draw,
      typed.map((words) => stringifyPlain(inText(words))),
      typed,
    ),
  );
}

function aggregatedLine(store: Part, typed: readonly string[]): Part[] {
  const body = `{"query":{"bool":{"filter":[${SHOWN},HERE]}},"aggs":${stringifyPlain(FACETS)},${PAGE}}\n`;
  const browsed = DEPARTMENT_NAMES.map((name) => stringifyPlain({ term: { categories: name } }));
  const searched = typed.map((words) => stringifyPlain(inText(words)));
  const frequency = zipf(typed.length);
  const all = frequency.reduce((sum, weight) => sum + weight, 0);
  const draw = weightedDraw('asked', [
    ...browsed.map(() => BROWSED / browsed.length),
    ...frequency.map((weight) => ((1 - BROWSED) * weight) / all),
  ]);
  return withStore(`|aggregated|${body}`, store, (rest) =>
    withChoices(rest, draw, [...browsed, ...searched]),
  );
}

/**
 * Returns the part of a log line that writes its time, in seconds with three decimals. The gaps between lines have an exponential
 * distribution, because shoppers search independently of each other.
 */
function recordedTime(): Part {
  let ms = 0;
  return {
    kind: 'written',
    longest: 14,
    write: (random, out, at) => {
      ms -= Math.log(1 - random.unit()) * MEAN_GAP_MS;
      const whole = Math.floor(ms);
      const end = writeWhole(out, at, FIRST_SECOND + Math.floor(whole / 1000));
      // Adding 1000 keeps leading zeros. The decimal point then replaces the digit 1.
      const after = writeWhole(out, end, 1000 + (whole % 1000));
      out[end] = 46;
      return after;
    },
  };
}

/**
 * Returns the templates of log lines: one for searches for words, and one for pages with facets. Both templates share a clock, so the times
 * in the log increase.
 */
export function searchLines(): Part[][] {
  // The search terms are the same in every log. Only their order depends on the seed.
  const typed = terms(createRandom(0x5ea6c4));
  const time = recordedTime();
  const store = storeOfSearch();
  return [productLine(store, typed), aggregatedLine(store, typed)].map((parts) => [time, ...parts]);
}
