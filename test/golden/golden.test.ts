/**
 * Golden files: what was written before still means the same. Definitions (`definitions/`, every preset, and the wrong ones
 * of `wrong.yml`) ask for the same cells, trials, sizes and load, or are refused for the same reasons. `golden/` holds what
 * the code said of them when the files were made:
 *
 *     DYNO_WRITE_GOLDEN=1 npx jest test/golden --selectProjects unit
 *
 * writes it anew; an intended change of a figure is then a diff to review. Sentences for people are not compared, only
 * whether there is one: each call of `expectGolden` lists the paths where they stand. `definitions/fix-*` hold what was
 * known to be wrong when the files were made. The test reaches the product through `product.ts` alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import * as product from './product';
import { expectGolden } from './recorded';

const HERE = path.resolve(__dirname);
const DEFINITIONS = path.join(HERE, 'definitions');
const golden = (...parts: string[]): string => path.join(HERE, 'golden', ...parts);

/** What a definition says, and what it asks for. */
const expectDefinition = (file: string, text: string): void => {
  const definition = product.readDefinition(text);
  expectGolden(file, { definition, plan: product.planOf(definition), cells: product.cellsIn(definition) }, [
    'plan.estimate.assumption',
    'plan.cost.assumption',
    'cells.*.does.pipelines.*.description',
  ]);
};

describe('a definition that was written before', () => {
  it.each(readdirSync(DEFINITIONS))('says the same and asks for the same: %s', (file) =>
    expectDefinition(
      golden('definitions', `${path.parse(file).name}.json`),
      readFileSync(path.join(DEFINITIONS, file), 'utf8'),
    ),
  );

  it.each(product.presets())(
    'says the same and asks for the same: preset $name, $scale',
    ({ name, scale, text }) => expectDefinition(golden('presets', `${name}-${scale}.json`), text),
  );

  it('is refused for the same reasons at the same places, where it is wrong', () => {
    const { base, cases } = parse(readFileSync(path.join(HERE, 'wrong.yml'), 'utf8')) as {
      base: object;
      cases: Record<string, { text: string } | { with: object }>;
    };
    const found = Object.entries(cases).map(([name, given]) => [
      name,
      product.problemsIn('text' in given ? given.text : stringify({ ...base, ...given.with })),
    ]);
    expectGolden(golden('wrong.json'), Object.fromEntries(found));
  });
});

it('gives the figures that the accounts of the presets printed', () => {
  const published = product.presets().filter(({ scale }) => scale === 'quick');
  expectGolden(
    golden('published.json'),
    Object.fromEntries(published.map(({ name, published: own }) => [name, own])),
    ['*.conditions.*', '*.notes.*', '*.changes.*', '*.repeated'],
  );
});

it('makes the same documents, lines and logs of searches from the same seed', () => {
  expectGolden(golden('generated.json'), product.generated());
});

it('maps the fields of its documents as before', () => {
  expectGolden(golden('mappings.json'), product.mappings());
});

it('stores its results in the same fields', () => {
  expectGolden(golden('stored-fields.json'), product.storedFields(), ['**.description']);
});

it('answers at the same places, in the same fields', () => {
  const prose = ['**.description', '**.summary'];
  expectGolden(golden('http.json'), product.httpInterface(), prose);
});
