/**
 * Renders comparisons of runs for a terminal and as Markdown, HTML, CSV and JSON. All functions throw a DynoError (`input`) for fewer than
 * two runs.
 */
import { stringifyExact } from '../../json/exact';
import { plural } from '../../units/format';
import { escapeMarkup, element } from '../chart/svg';
import { parseMetric } from '../../measurement/metric';
import { compareReports, type RunComparison } from '../model/comparison';
import { summariseComparison } from '../model/comparison-summary';
import { comparisonTables } from '../tables/comparison';
import { htmlPage, htmlTable } from './html';
import { csvLine } from './csv';
import { escapeMarkdown, markdownTable } from './markdown';
import type { Report } from '../model/report';
import { keepColumns } from '../tables/table';
import type { TerminalOptions } from './terminal';
import { layTable, painter, wrap } from './text-layout';

/** Returns lines with at most `width` characters for a terminal. The last line has no line feed. */
export function renderComparison(
  reports: readonly Report[],
  { width = 100, colour = false }: TerminalOptions = {},
): string {
  const paint = painter(colour);
  const comparison = compareReports(reports);
  const sections = comparisonTables(comparison, { brief: true }).map((whole) => {
    // Columns that only files contain, because a terminal has no space for them. In the terminal, the id of a run shows its start time.
    const leftOut = whole.folded ? ['95% interval', 'n', 'by'] : ['p99', 'started'];
    const table = keepColumns(whole, ({ name }) => !leftOut.includes(name));
    return [
      ...wrap(table.title, width).map((line) => paint(line, 'title')),
      ...(table.rows.length === 0 ? [] : layTable(table, width, paint)),
      ...(table.note === '' ? [] : wrap(table.note, width - 2).map((line) => paint(`  ${line}`, 'quiet'))),
    ];
  });
  const warning = warningOf(comparison);
  const { sentences, significance } = summariseComparison(comparison);
  return [
    [...sentences, significance].flatMap((line) => wrap(line, width)),
    ...(warning === '' ? [] : [wrap(`! ${warning}`, width, '  ').map((line) => paint(line, 'warning'))]),
    ...sections,
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Returns Markdown. It ends with a line feed. */
export function renderComparisonMarkdown(reports: readonly Report[]): string {
  const comparison = compareReports(reports);
  const tables = comparisonTables(comparison).flatMap((table) => [
    `## ${table.title}`,
    ...(table.rows.length === 0 ? [] : [markdownTable(table)]),
  ]);
  const { sentences, significance } = summariseComparison(comparison);
  const summary = [
    ...sentences.map((line) => `- ${escapeMarkdown(line)}`),
    '',
    escapeMarkdown(significance),
  ].join('\n');
  return `${[`# ${titleOf(comparison)}`, summary, warningOf(comparison), ...tables].filter(Boolean).join('\n\n')}\n`;
}

/** Returns a single HTML file that can be opened offline. It ends with a line feed. */
export function renderComparisonHtml(reports: readonly Report[]): string {
  const comparison = compareReports(reports);
  const warning = warningOf(comparison);
  const { sentences, significance } = summariseComparison(comparison);
  const body = [
    element('h1', {}, titleOf(comparison)),
    ...[...sentences, significance].map((line) => element('p', {}, escapeMarkup(line))),
    warning === '' ? '' : element('section', { class: 'warnings' }, escapeMarkup(warning)),
    ...comparisonTables(comparison).map(htmlTable),
  ];
  return htmlPage(titleOf(comparison), body.join('\n'));
}

const CSV_HEADER = [
  ...['figure', 'unit', 'cell', 'run', 'experiment', 'by', 'n', 'mean', '95% low', '95% high'],
  ...['against first (ratio)', 'ratio 95% low', 'ratio 95% high', 'found', 'not comparable for'],
];

/**
 * Returns CSV in full precision. There is a row for each metric, run and combination of factor levels. The column `found` contains the
 * result of the test, such as `higher`. It is empty for differences that were not tested. The text ends with a line feed.
 */
export function renderComparisonCsv(reports: readonly Report[]): string {
  const { runs, unfair, rows, cluster } = compareReports(reports);
  const figures = [
    ...rows.map(({ cell, task, unit, runs: own }) => ({
      ...{ figure: `${task}.throughput`, unit: unit as string, cell },
      runs: own.map((one) => one && { ...one, summary: one.throughput, source: '' }),
    })),
    ...cluster.map(({ cell, metric, runs: own }) => ({
      ...{ figure: metric, unit: parseMetric(metric)!.unit as string, cell },
      runs: own,
    })),
  ];
  const lines = figures.flatMap(({ figure, unit, cell, runs: own }) =>
    own.flatMap((one, at) => {
      if (one === null) return [];
      const { summary, source, comparison } = one;
      const word = comparison === null || comparison.method === 'none' || unfair[at]!.length > 0;
      return [
        csvLine([
          ...[figure, unit, cell, runs[at]!.id, runs[at]!.name, source],
          ...[summary.n, summary.mean, summary.interval?.low ?? null, summary.interval?.high ?? null],
          ...[
            comparison?.ratio ?? null,
            comparison?.interval?.low ?? null,
            comparison?.interval?.high ?? null,
          ],
          ...[word ? null : comparison.word, unfair[at]!.join('; ')],
        ]),
      ];
    }),
  );
  return [csvLine(CSV_HEADER), ...lines].join('');
}

/** Returns the comparison as JSON. It ends with a line feed. */
export const renderComparisonJson = (reports: readonly Report[]): string =>
  `${stringifyExact(compareReports(reports), 2)}\n`;

const titleOf = ({ runs }: RunComparison): string => `Comparison of ${plural(runs.length, 'run')}`;

/** Returns a warning that names the runs that are not comparable with the first run; '' if all runs are comparable. */
function warningOf({ unfair, runs }: RunComparison): string {
  const many = unfair.filter((reasons) => reasons.length > 0).length;
  return many === 0
    ? ''
    : `${many} of ${plural(runs.length - 1, 'run')} are not comparable with A: ratios are shown without a verdict.`;
}
