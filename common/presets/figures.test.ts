/** Compares all published figures with a snapshot, so that an accidental change in a file is noticed. */
import { PRESETS } from '.';
import type { PrintedFigure, PublishedRow } from './published';

/** For each published benchmark, the number of published figures, and the sum of those that are numbers. */
const TOTALS = {
  'sematext-refresh': { given: 6, sum: 14_207_900 },
  'azure-ingestion': { given: 173, sum: 6_992_947_347.9008 },
  'azure-queries': { given: 475, sum: 44_760_670 },
  'bigcommerce-tenants': { given: 31, sum: 9547 },
  'logsearch-scaling': { given: 16, sum: 1_083_649 },
};

/** Presets with published figures. Variants of a preset have the same figures and are left out. */
const PRINTED = PRESETS.filter(({ published }) => published.variantOf === undefined);

const isGiven = (figure: PrintedFigure): boolean => figure !== null;
const isNumber = (figure: PrintedFigure): figure is number => typeof figure === 'number';

const figuresOf = (seed: string): PrintedFigure[] =>
  PRINTED.filter(({ published }) => published.seed === seed).flatMap(({ published }) =>
    published.rows.flatMap(({ figures }) => Object.values(figures)),
  );

test.each(Object.entries(TOTALS))('%s has all its figures', (seed, { given, sum }) => {
  const figures = figuresOf(seed);
  expect(figures.filter(isGiven)).toHaveLength(given);
  expect(figures.filter(isNumber).reduce((total, figure) => total + figure, 0)).toBeCloseTo(sum, 3);
});

test('there are 701 figures, and 28 of them are layouts of shards', () => {
  const figures = Object.keys(TOTALS).flatMap(figuresOf);
  expect(figures.filter(isGiven)).toHaveLength(701);
  expect(figures.filter((figure) => typeof figure === 'string' && /^\d+(-\d+)+$/.test(figure))).toHaveLength(
    28,
  );
});

/** Returns a row of published figures as a line of text: `{"index.settings.refresh_interval":"1s"} throughput 26, response 460`. */
const lineOf = ({ levels, labels, figures }: PublishedRow): string =>
  [
    JSON.stringify(levels),
    ...(labels ? [JSON.stringify(labels)] : []),
    Object.entries(figures)
      .map(([column, figure]) => `${column} ${JSON.stringify(figure)}`)
      .join(', '),
  ].join(' ');

// The first run stores the figures of a new preset. `npx jest common/presets/figures.test.ts -u` accepts a change, which is then visible in
// the commit.
describe('the figures of', () => {
  it.each(
    PRINTED.filter(({ published }) => published.rows.length > 0).map(
      (preset) => [preset.name, preset] as const,
    ),
  )('%s are those that were printed', (_, { published }) => {
    expect(`\n${published.rows.map(lineOf).join('\n')}\n`).toMatchSnapshot();
  });
});
