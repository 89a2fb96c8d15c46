/** The report as one HTML file: no script, nothing fetched, opens offline; charts are inline SVG. */
import { driftChart } from '../chart/drift';
import { intervalsChart } from '../chart/intervals';
import { latencyChart } from '../chart/latency';
import { rateStepsChart } from '../chart/rate-steps';
import { element, escapeMarkup } from '../chart/svg';
import { timelineChart } from '../chart/timeline';
import { answerAndRest, runFacts } from '../model/facts';
import { HTML_STYLE } from './html-style';
import type { Report, ReportPublished } from '../model/report';
import { accountLists, publishedSentence, publishedWords } from '../tables/published';
import { PUBLISHED, reportTables, type TableGroup } from '../tables/report-tables';
import { telling, type Table } from '../tables/table';

/** Ends with a newline. Every text of the report is escaped: names and messages come from outside. */
export function renderHtml(report: Report): string {
  const { experiment } = report;
  const body = [
    element('h1', {}, escapeMarkup(experiment.name)),
    paragraph(runFacts(report).join(' · '), 'facts'),
    verdict(report),
    warnings(report),
    ...reportTables(report).map((group) => section(report, group)),
    accountAlone(report),
    definition(report),
  ];
  return htmlPage(experiment.name, body.join('\n'));
}

/** A whole page around `body`, which must be escaped. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

const paragraph = (text: string, className: string): string =>
  text === '' ? '' : element('p', className === '' ? {} : { class: className }, escapeMarkup(text));

const list = (items: readonly string[]): string =>
  items.length === 0
    ? ''
    : element('ul', {}, items.map((item) => element('li', {}, escapeMarkup(item))).join(''));

function verdict(report: Report): string {
  const { verdict: found, experiment } = report;
  const [answer, rest] = answerAndRest(report);
  const claims = found.claims.map(({ claim, answer: own, why }) =>
    element(
      'li',
      { class: own },
      `${element('strong', {}, own)} ${escapeMarkup(claim)}: ${escapeMarkup(why)}`,
    ),
  );
  return element(
    'section',
    { class: `verdict ${found.answer}` },
    element('strong', {}, answer) +
      escapeMarkup(rest) +
      paragraph(experiment.hypothesis === '' ? '' : `Hypothesis: ${experiment.hypothesis}`, 'facts') +
      (claims.length < 2 ? '' : element('ul', { class: 'note' }, claims.join(''))),
  );
}

const warnings = ({ warnings: all }: Report): string =>
  all.length === 0
    ? ''
    : element('section', { class: 'warnings' }, element('h2', {}, 'Before you trust it') + list(all));

function section(report: Report, { heading, task, tables }: TableGroup): string {
  const [first, ...others] = tables;
  const parts =
    task === null
      ? heading === PUBLISHED
        ? publishedParts(report, tables)
        : tables.map(htmlTable)
      : [
          figure(
            intervalsChart(report, task),
            "Every trial is a dot, a cell's mean the bar across them, its 95% interval the line behind. Right: the ratio to the baseline with its 95% interval.",
          ),
          htmlTable(first!),
          ...others.map((table) => htmlTable(table) + figureBelow(report, task, table)),
          figure(
            timelineChart(report, task),
            'Throughput over time, a line for each trial; the measured phase is set off.',
          ),
          figure(
            driftChart(report, task),
            'Each trial against the mean of its cell, in the order of execution: a slope means that the cluster changed meanwhile.',
          ),
        ];
  return element('section', {}, element('h2', {}, escapeMarkup(heading)) + parts.join(''));
}

/** Of the tables that a chart tells more of than their figures. */
function figureBelow(report: Report, task: string, { title }: Table): string {
  if (title.startsWith('Latency')) {
    return figure(
      latencyChart(report, task),
      "Percentiles of all requests of a cell's trials, from merged histograms.",
    );
  }
  if (!title.startsWith('What each search')) return '';
  return figure(
    rateStepsChart(report, task),
    'The steps of each search in their order, the offered rate as height. The band is the bracket of the answer; where it reaches the top, no rate was refused.',
  );
}

export const htmlTable = (table: Table): string => {
  const { title, note, columns, rows } = telling(table);
  const side = (at: number): Record<string, string> =>
    columns[at]!.align === 'right' ? { class: 'right' } : {};
  const head = columns.map(({ name }, at) =>
    element('th', { scope: 'col', ...side(at) }, escapeMarkup(name) || '&#8203;'),
  );
  const lines = rows.map((row) =>
    element(
      'tr',
      {},
      row
        .map(({ text, tone }, at) => {
          const classes = [side(at).class, tone].filter(Boolean).join(' ');
          return element('td', classes === '' ? {} : { class: classes }, escapeMarkup(text) || '&#8203;');
        })
        .join(''),
    ),
  );
  const drawn = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, head.join(''))) + element('tbody', {}, lines.join('')),
  );
  return (
    element('h3', {}, escapeMarkup(title)) +
    element('div', { class: 'scroll' }, drawn) +
    paragraph(note, 'note')
  );
};

const figure = (svg: string, caption: string): string =>
  svg === ''
    ? ''
    : element(
        'figure',
        {},
        element('div', { class: 'scroll' }, svg) + element('figcaption', {}, escapeMarkup(caption)),
      );

/** Each table in words below it, then what is to be known of the account. */
const publishedParts = ({ published }: Report, tables: readonly Table[]): string[] => [
  ...publishedWords(published!).flatMap(({ summary, cells }, at) => [
    htmlTable(tables[at]!),
    paragraph(summary, ''),
    list(cells),
  ]),
  account(published!),
];

/** The account where it prints no figures: there is no table to stand below. */
const accountAlone = (report: Report): string =>
  report.published === null || report.published.figures.length > 0
    ? ''
    : element(
        'section',
        {},
        element('h2', {}, PUBLISHED) + paragraph(publishedSentence(report), '') + account(report.published),
      );

const account = (published: ReportPublished): string =>
  accountLists(published)
    .map(({ heading, items }) => element('h3', {}, heading) + list(items))
    .join('');

const definition = (report: Report): string =>
  element(
    'details',
    {},
    element('summary', {}, 'The definition as it ran') +
      element('pre', {}, escapeMarkup(JSON.stringify(report.definition, null, 2))),
  );
