import type { DefinitionInput } from '../../experiment/definition';
import { findPreset } from '../../presets';
import { presetDefinition, type Preset } from '../../presets/preset';
import { buildReport } from './build';
import { renderCsv } from '../render/csv';
import { makeRun, type MadeTask } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { renderJson } from '../render/json';
import { renderMarkdown } from '../render/markdown';
import type { Report, ReportPublishedFigure } from './report';
import { renderTerminal } from '../render/terminal';

const azureBulkSize = findPreset('azure-bulk-size')!;
const azureRefresh = findPreset('azure-refresh')!;
const azureReplicas = findPreset('azure-replicas')!;
const azureShards = findPreset('azure-shards')!;
const sematextRefresh = findPreset('sematext-refresh')!;

/** Returns a run of `preset`. `cells`: the values of its cells, in their order. */
function run(preset: Preset, cells: MadeTask[], changes: Partial<DefinitionInput> = {}): Report {
  const made = makeRun({ ...presetDefinition(preset, 'quick'), ...changes }, ({ index }) => ({
    tasks: { ingest: { batch: 1000, ...cells[index]! } },
  }));
  return buildReport(made.run, made.trials, { published: preset.published });
}

const figure = (report: Report, name: string): ReportPublishedFigure =>
  report.published!.figures.find((own) => own.figure === name)!;
const words = (report: Report, name: string, cell: number): string =>
  figure(report, name).cells[cell]!.sentence;

const FORMS: [string, (report: Report) => string][] = [
  ['terminal', (report) => renderTerminal(report, { width: 120 })],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
  ['CSV', renderCsv],
  ['JSON', renderJson],
];
/** Removes line breaks, markup and escapes. */
const read = (text: string): string =>
  text
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\\/g, '')
    .replace(/\s+/g, ' ');

describe('the sentence about a published value', () => {
  // Published: 26.0 to 32.7 bulks/s, +26%; 460 to 365 ms, −21%.
  test('says that direction and ratio agree if the published ratio is within the interval', () => {
    const report = run(azureRefresh, [
      { rate: 10_000, cv: 0.005 },
      { rate: 12_600, cv: 0.005 },
    ]);
    expect(words(report, 'throughput', 1)).toMatch(
      /^30s: published \+26%, yours \+2\d% \(95% interval \+\S+% to \+\S+%\)\. The direction agrees: a rise in both\. The ratio agrees: the published one is within your interval\.$/,
    );
    expect(figure(report, 'throughput')).toMatchObject({
      directions: { agrees: 1, disagrees: 0, cannotTell: 0 },
      ratios: { agrees: 1, higher: 0, lower: 0, cannotTell: 0 },
    });
  });

  test('says which of two rises is larger', () => {
    const smaller = run(azureRefresh, [
      { rate: 10_000, cv: 0.005 },
      { rate: 11_000, cv: 0.005 },
    ]);
    expect(words(smaller, 'throughput', 1)).toContain(
      'The direction agrees: a rise in both. The ratio does not agree: your whole interval is below the published ratio, your rise is the smaller.',
    );
    const larger = run(azureRefresh, [
      { rate: 10_000, cv: 0.005 },
      { rate: 20_000, cv: 0.005 },
    ]);
    expect(words(larger, 'throughput', 1)).toContain('above the published ratio, your rise is the larger.');
  });

  test('says which of two falls is larger', () => {
    const report = run(azureReplicas, [
      { rate: 10_000, cv: 0.005 },
      { rate: 9000, cv: 0.005 },
      { rate: 2000, cv: 0.005 },
    ]);
    expect(words(report, 'throughput', 1)).toContain(
      'a fall in both. The ratio does not agree: your whole interval is above the published ratio, your fall is the smaller.',
    );
    expect(words(report, 'throughput', 2)).toContain('below the published ratio, your fall is the larger.');
  });

  test('says that the direction is the opposite, without a size', () => {
    const report = run(azureRefresh, [
      { rate: 10_000, cv: 0.005 },
      { rate: 8000, cv: 0.005 },
    ]);
    expect(words(report, 'throughput', 1)).toContain(
      'The direction is the opposite: a rise there, a fall here. The ratio does not agree: your whole interval is below the published ratio.',
    );
  });

  test('says that the published change does not appear within the margin', () => {
    const report = run(azureRefresh, [
      { rate: 10_000, cv: 0.003 },
      { rate: 10_000, cv: 0.003 },
    ]);
    expect(words(report, 'throughput', 1)).toContain(
      'The direction does not agree: a rise there, no difference within the margin of ±5% here.',
    );
  });

  test('says that the agreement is undecided, and why', () => {
    const noisy = run(azureRefresh, [
      { rate: 10_000, cv: 0.3 },
      { rate: 12_600, cv: 0.3 },
    ]);
    expect(words(noisy, 'throughput', 1)).toContain(
      'Whether the direction agrees is undecided: the trials vary too much',
    );
    expect(words(noisy, 'throughput', 1)).toContain(
      'Whether the ratio agrees is undecided: the interval contains',
    );
    expect(figure(noisy, 'throughput').sentence).toMatch(
      /^Ingest throughput, direction: undecided for the only published change against the baseline\. Ratio: undecided for the only published ratio\. The published values have/,
    );
    const once = run(azureRefresh, [{ rate: 10_000 }, { rate: 12_600 }], { trials: 1 });
    expect(words(once, 'throughput', 1)).toMatch(
      /yours \+2\d%\. Direction and ratio are undecided: one trial is not enough\.$/,
    );
  });

  test('names both values if the baseline is 0', () => {
    const rejecting = run(azureReplicas, [{ rate: 10_000 }, { rate: 9000 }, { rate: 8000, rejected: 0.1 }]);
    expect(words(rejecting, 'errors', 1)).toMatch(/published from 0 to 0 bulk errors, yours from 0 to 0\./);
    expect(words(rejecting, 'errors', 2)).toMatch(
      /^2: published from 0 to 194,262 bulk errors, yours from 0 to [\d,]+\. The direction agrees: a rise in both\.$/,
    );
    const calm = run(azureReplicas, [{ rate: 10_000 }, { rate: 9000 }, { rate: 8000 }]);
    expect(words(calm, 'errors', 2)).toContain(
      'yours from 0 to 0. The direction does not agree: a rise there, no difference within the margin of ±5% here.',
    );
    expect(figure(calm, 'errors').ratios).toEqual({ agrees: 0, higher: 0, lower: 0, cannotTell: 0 });
  });

  test('judges every compared metric separately, response times by the mean latency', () => {
    const report = run(azureRefresh, [
      { rate: 10_000, cv: 0.005, medianMs: 200 },
      { rate: 12_600, cv: 0.005, medianMs: 100 },
    ]);
    expect(figure(report, 'response')).toMatchObject({
      metric: 'ingest.latency.mean',
      name: 'ingest response time mean',
      unit: 'ms',
      ratios: { lower: 1 },
    });
    expect(words(report, 'response', 1)).toContain('a fall in both');
  });

  test('counts all cells, and says why the published ratios have no interval', () => {
    const rates = [100, 118, 113, 123, 113, 132, 138, 80, 139, 160, 128, 120];
    const report = run(
      azureShards,
      rates.map((rate) => ({ rate: rate * 100, cv: 0.002 })),
    );
    const { sentence, directions, ratios } = figure(report, 'throughput');
    expect(directions).toEqual({ agrees: 10, disagrees: 1, cannotTell: 0 });
    expect(ratios).toMatchObject({ higher: 1, lower: 1 });
    expect(sentence).toMatch(
      /^Ingest throughput, direction: of 11 published changes against the baseline, 10 agree with yours, 1 does not\. Ratio: of 11 published ratios, \d are within your interval, yours is higher than 1, yours is lower than 1.*\(one trial of each cell\)/,
    );
  });

  test('is empty in the baseline and in a cell that was not published', () => {
    const factors = { 'index.settings.refresh_interval': ['1s', '30s', '60s'] };
    const report = run(azureRefresh, [{ rate: 10_000 }, { rate: 12_600 }, { rate: 13_000 }], { factors });
    expect(words(report, 'throughput', 0)).toBe('');
    expect(words(report, 'throughput', 2)).toBe('');
    expect(figure(report, 'throughput').cells[2]).toMatchObject({ published: null, agreement: null });
    expect(figure(report, 'throughput').directions).toMatchObject({ agrees: 1, disagrees: 0, cannotTell: 0 });
  });

  test('says that no value can be compared if the baseline was not published', () => {
    const factors = { 'index.settings.refresh_interval': ['10s', '30s'] };
    const report = run(azureRefresh, [{ rate: 10_000 }, { rate: 12_600 }], { factors });
    expect(words(report, 'throughput', 1)).toBe('');
    expect(figure(report, 'throughput').sentence).toContain(
      'no published value belongs to a cell of this run',
    );
  });
});

/** Run of a preset whose values agree with the published ones. It is built only once for all output formats. */
const agreeing = run(sematextRefresh, [
  { rate: 12_300, cv: 0.005 },
  { rate: 13_900, cv: 0.005 },
  { rate: 15_100, cv: 0.005 },
]);
const withoutFigures = run(
  azureBulkSize,
  [1, 2, 3, 4, 5, 6].map((rate) => ({ rate: rate * 1000 })),
);

function renamed(): Report {
  const definition = presetDefinition(azureRefresh, 'quick');
  const tasks = [{ ...definition.tasks[0]!, name: 'load' }];
  const made = makeRun({ ...definition, tasks, expect: [] }, () => ({ tasks: { load: { rate: 10_000 } } }));
  return buildReport(made.run, made.trials, { published: azureRefresh.published });
}
const withAnotherTask = renamed();

describe.each(FORMS)('the %s form', (form, render) => {
  test('contains the sentences, with the notes about the published benchmark', () => {
    const text = read(render(agreeing));
    for (const cell of [1, 2]) expect(text).toContain(words(agreeing, 'throughput', cell));
    expect(text).toContain('The direction agrees: a rise in both.');
    // CSV contains only rows of values.
    const saidOnce = [
      figure(agreeing, 'throughput').sentence,
      sematextRefresh.published.notes[0]!,
      sematextRefresh.published.changes[0]!,
    ];
    expect(saidOnce.filter((sentence) => text.includes(sentence))).toEqual(form === 'CSV' ? [] : saidOnce);
  });

  test('says that a published benchmark has no values', () => {
    expect(withoutFigures.published!.figures).toEqual([]);
    const text = render(withoutFigures);
    expect(text).not.toMatch(/undefined|NaN/);
    const forPeople = [
      'The published benchmark has no value that can be compared with this run.',
      azureBulkSize.published.notes[0]!,
    ];
    const isForPeople = ['terminal', 'Markdown', 'HTML'].includes(form);
    const found = forPeople.filter((sentence) => read(text).includes(sentence));
    expect(isForPeople ? found : forPeople).toEqual(forPeople);
  });

  test('does not compare a task that was renamed', () => {
    expect(withAnotherTask.published!.figures).toEqual([]);
    expect(render(withAnotherTask)).not.toMatch(/undefined|NaN/);
  });
});
