/**
 * Golden files test that definitions and results from earlier versions still mean the same.
 *
 * - `definitions/`, every preset and `wrong.yml`: definitions that together use every key, and invalid ones. They must give the same
 *   cells, trials, sizes and load, or be refused with the same codes at the same paths.
 * - `results/`: short stored runs of each kind with their trials and samples, measured on the embedded Elasticsearch. Some are also
 *   tested in the format of older versions. They must give the same reports, tables, comparisons and timelines. `record.mjs` recorded
 *   them once. They are never recorded again, because they represent the results that users have stored.
 * - `golden/`: the expected output for all of these, for generated documents and for stored fields.
 *
 *     DYNO_WRITE_GOLDEN=1 npx jest test/golden --selectProjects unit
 *
 * writes `golden/` again, so that an intended change of a number is a diff to review. Of sentences for people, only their presence is
 * compared. Each call of `expectGolden` lists their paths, and everything else is compared exactly. `definitions/fix-*` contain what was
 * known to be wrong when the files were made. The test accesses the product only through `product.ts`. When modules move, only that file
 * changes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import * as product from './product';
import { expectGolden, WORDS } from './recorded';
import { asOlderVersion, readResults, type StoredResults } from './stored-results';

const HERE = path.resolve(__dirname);
const DEFINITIONS = path.join(HERE, 'definitions');
const golden = (...parts: string[]): string => path.join(HERE, 'golden', ...parts);

/** Compares a definition, its plan and its load with the golden file. */
const expectDefinition = (file: string, text: string): void => {
  const definition = product.readDefinition(text);
  expectGolden(file, { definition, plan: product.planOf(definition), cells: product.cellsIn(definition) }, [
    'plan.estimate.assumption',
    'plan.cost.assumption',
    'cells.*.does.pipelines.*.description',
  ]);
};

describe('a definition from an earlier version', () => {
  it.each(readdirSync(DEFINITIONS))('means the same and requests the same: %s', (file) =>
    expectDefinition(
      golden('definitions', `${path.parse(file).name}.json`),
      readFileSync(path.join(DEFINITIONS, file), 'utf8'),
    ),
  );

  it.each(product.presets())(
    'means the same and requests the same: preset $name, $scale',
    ({ name, scale, text }) => expectDefinition(golden('presets', `${name}-${scale}.json`), text),
  );

  it('is refused with the same codes at the same paths if it is invalid', () => {
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

it('keeps the published numbers of the presets', () => {
  const published = product.presets().filter(({ scale }) => scale === 'quick');
  expectGolden(
    golden('published.json'),
    Object.fromEntries(published.map(({ name, published: own }) => [name, own])),
    ['*.conditions.*', '*.notes.*', '*.changes.*', '*.repeated'],
  );
});

it('generates the same documents, lines and logs of searches from the same seed', () => {
  expectGolden(golden('generated.json'), product.generated());
});

it('maps the fields of its documents as before', () => {
  expectGolden(golden('mappings.json'), product.mappings());
});

it('stores its results in the same fields', () => {
  expectGolden(golden('stored-fields.json'), product.storedFields(), ['**.description']);
});

const RESULTS = path.join(HERE, 'results');
const results = (name: string): StoredResults => readResults(path.join(RESULTS, `${name}.json`));

/** Paths of sentences in a limit, a comparison and a published number. */
const LIMIT = [
  ...['why', 'unknown.*.why'],
  ...['evidence', 'also', 'ruledOut'].flatMap((of) => [`${of}.*.figure`, `${of}.*.text`]),
];
const COMPARISON = ['reason'];
const below = (place: string, paths: readonly string[]): string[] => paths.map((own) => `${place}.${own}`);
const TRUST = ['trust.line', 'trust.reasons.*.text'];
const VERDICT = ['sentence', 'claims.*.why', 'claims.*.effect.metric', 'warnings.*', ...TRUST];
const REPORT_PROSE = [
  'cluster.*.title',
  'cluster.*.reason',
  'warnings.*',
  'notes.*',
  'focus.title',
  'focus.reason',
  'effect.reason',
  ...TRUST,
  ...below('cells.*.limit', LIMIT),
  ...['comparison', 'latencyComparison', 'highestRate.comparison'].flatMap((of) =>
    below(`cells.*.tasks.*.${of}`, COMPARISON),
  ),
  'cells.*.tasks.*.parsing.limit.why',
  ...below('trials.*.limit', LIMIT),
  'trials.*.doubts.*.detail',
  ...['conditions.*', 'notes.*', 'changes.*', 'repeated'].map((of) => `published.${of}`),
  ...below('published.figures.*', ['name', 'sentence', 'cells.*.sentence', 'cells.*.comparison.reason']),
  ...below('published.figures.*.cells.*.agreement', ['directionWhy', 'ratioWhy']),
];
/** Returns the lines of a CSV file. Of columns with sentences for people, it keeps only whether they have any text. */
function csvFigures(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  const fieldsOf = (line: string): string[] =>
    [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, own]) => own!);
  const names = fieldsOf(lines[0]!);
  const isProse = names.map((name) => name.endsWith(': in words') || name === 'limit judged by');
  return lines.map((line, at) =>
    fieldsOf(line)
      .map((own, column) => (at > 0 && isProse[column] && own !== '' ? WORDS : own))
      .join(','),
  );
}

/** Returns the numbers of each table cell, with their signs and the units of shares and factors. */
const tableFigures = (tables: readonly { rows: { text: string }[][] }[]): string[][] =>
  tables.map(({ rows }) =>
    rows.map((row) =>
      row.map(({ text }) => (text.match(/[−+±×]?\d[\d.,:]*%?/g) ?? []).join(' ')).join(' | '),
    ),
  );

/** Compares a report with the golden file, without the parts that it copies from the stored run. */
function expectReport(file: string, report: product.Report, { run }: StoredResults): void {
  const { definition, provenance, events, ...own } = report;
  expect({ definition, provenance, events }).toStrictEqual({
    definition: run['definition'],
    provenance: run['provenance'],
    events: run['events'],
  });
  // A stored verdict keeps its sentences.
  expectGolden(
    file,
    own,
    run['verdict'] === null ? [...REPORT_PROSE, ...below('verdict', VERDICT)] : REPORT_PROSE,
  );
}

/** Runs whose documents contain fields that older versions of Dyno did not have. */
const WITH_NEWER_FIELDS = ['ingest-search', 'transaction', 'replay', 'parse', 'highest-rate', 'environments'];

describe('results from an earlier version', () => {
  const names = readdirSync(RESULTS).map((file) => path.parse(file).name);

  it.each(names)('give the same report: %s', async (name) => {
    const stored = results(name);
    const { report, json, csv, judged, tables, briefs } = await product.readBack(stored);
    expect(JSON.parse(json)).toStrictEqual(JSON.parse(JSON.stringify(report)));
    expectReport(golden('reports', `${name}.json`), report, stored);
    expectGolden(
      golden('reports', `${name}.shown.json`),
      { judged, briefs, csv: csvFigures(csv), tables: tableFigures(tables) },
      [...below('judged', VERDICT), 'briefs.*.doubts.*'],
    );
  });

  it.each(names)('give the same timelines: %s', async (name) => {
    const { timeline, distributions, heatmaps, parts } = await product.readBack(results(name));
    expectGolden(golden('courses', `${name}.json`), { timeline, distributions, heatmaps, parts });
  });

  it.each(WITH_NEWER_FIELDS)('give the same report in the format of an older version: %s', async (name) => {
    const older = asOlderVersion(results(name));
    const { report, judged } = await product.readBack(older);
    const { cells, warnings, run } = report;
    expectGolden(golden('older', `${name}.json`), { run, cells, warnings, judged }, [
      ...REPORT_PROSE,
      ...below('judged', VERDICT),
    ]);
  });

  it.each([
    { runs: ['ingest', 'ingest-again'] },
    { runs: ['ingest', 'cancelled', 'interrupted'] },
    { runs: ['environments', 'clusters'] },
    { runs: ['ingest-search', 'transaction'] },
  ])('give the same comparison: $runs', async ({ runs }) => {
    const reports = await Promise.all(
      runs.map(async (name) => (await product.readBack(results(name))).report),
    );
    const { data, tables } = product.compare(reports);
    expectGolden(golden('comparisons', `${runs.join('-')}.json`), { data, tables: tableFigures(tables) }, [
      'data.rows.*.runs.*.comparison.reason',
      ...below('data.runs.*', TRUST),
    ]);
  });
});
