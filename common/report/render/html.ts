/**
 * Renders the report as a single HTML file with inline SVG charts. It contains no scripts, loads no other files, and can be opened offline.
 */
import { stringifyExact } from '../../json/exact';
import { removedSentence } from '../../experiment/retention';
import { taskCharts } from '../chart';
import { flameFigure } from '../chart/flame-chart';
import { element, escapeMarkup } from '../chart/svg';
import { answerAndRest, cautionLists, failureSentence, runFacts } from '../model/facts';
import type { Report, ReportPublished } from '../model/report';
import { accountLists, publishedSentence, publishedWords } from '../tables/published';
import { PUBLISHED, reportTables, type TableGroup } from '../tables';
import { withoutEmptyColumns, type Table } from '../tables/table';
import { whyLists } from '../why';

/** Styles for both colour schemes, and for printing. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1a1c21; --quiet: #5a6270; --paper: #ffffff; --panel: #f6f8fb; --rule: #dfe4ec;
  --main: #0b64dd; --main-soft: #8fb8f2; --reference: #0f8f86; --published: #c2610c; --good: #00714f; --bad: #b4231f; --warning: #8a5a00;
  --p50: #9bd0c4; --p90: #5fb0b7; --p95: #3d86a8; --p99: #2f5c92; --p99_9: #573a8c; --p99_99: #8c2f77; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8f0; --quiet: #9aa5b8; --paper: #0f141c; --panel: #171e29; --rule: #2b3545;
    --main: #61a2ff; --main-soft: #3a5f95; --reference: #3fc4b8; --published: #f5a35c; --good: #4cd3a5; --bad: #ff8a80; --warning: #f0c05a;
    --p50: #2f6f67; --p90: #3f939b; --p95: #55add0; --p99: #86b3f5; --p99_9: #b9a0ff; --p99_99: #f59be0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 44px 0 8px; padding-top: 16px; border-top: 1px solid var(--rule); }
h3 { font-size: 15px; margin: 24px 0 6px; }
p { margin: 6px 0; max-width: 82ch; }
.facts, .note, caption { color: var(--quiet); font-size: 13px; }
.verdict { margin: 20px 0 12px; padding: 14px 18px; background: var(--panel); border-left: 5px solid var(--warning); border-radius: 4px; font-size: 17px; }
.verdict.confirmed { border-color: var(--good); } .verdict.refuted { border-color: var(--bad); }
.verdict strong { letter-spacing: .04em; } .confirmed > strong { color: var(--good); } .refuted > strong { color: var(--bad); } .undecided > strong { color: var(--warning); }
.facts, .verdict p, .note { max-width: none; }
.trust { font-size: 15px; } .trust.high { color: var(--good); } .trust.limited { color: var(--warning); } .trust.none { color: var(--bad); }
.warnings { margin: 12px 0; padding: 10px 18px; background: var(--panel); border-left: 5px solid var(--warning); border-radius: 4px; }
.warnings h2 { all: unset; display: block; font-weight: 600; color: var(--warning); } .warnings ul { margin: 4px 0; padding-left: 20px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
td.right, th.right { text-align: right; } td.right { white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .warning { color: var(--warning); } .quiet { color: var(--quiet); }
figure { margin: 16px 0; } figcaption { color: var(--quiet); font-size: 13px; max-width: 90ch; }
svg { display: block; max-width: 100%; height: auto; min-width: 640px; font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
svg text { fill: var(--ink); } svg .tick, svg .axis { fill: var(--quiet); font-size: 12px; } svg .heading { fill: var(--quiet); font-weight: 600; }
svg .grid { stroke: var(--rule); } svg .one { stroke: var(--quiet); stroke-dasharray: 4 3; }
svg .extent { fill: var(--main-soft); fill-opacity: .6; } svg .trial { fill: var(--main); fill-opacity: .75; stroke: var(--paper); } svg .reference.extent { fill: var(--reference); fill-opacity: .35; } svg .reference.trial { fill: var(--reference); }
svg .effect { font-weight: 600; } svg .mark { fill: var(--quiet); }
svg .mean { fill: var(--ink); } svg .published { fill: var(--published); stroke: var(--paper); } svg .span { stroke: var(--rule); stroke-width: 4; }
svg .phase { fill: var(--main); fill-opacity: .07; } svg .series { fill: none; stroke: var(--main); stroke-width: 1.4; stroke-linejoin: round; stroke-opacity: .85; } svg .series.single { stroke-width: 1; stroke-opacity: .3; }
svg .held { fill: var(--good); stroke: var(--paper); } svg .not-held { fill: var(--bad); stroke: var(--paper); } svg .undecided { fill: var(--warning); stroke: var(--paper); }
svg .law { fill: none; stroke: var(--main); stroke-width: 2; } svg .beyond-measured { stroke-dasharray: 6 4; } svg .bracket { fill: var(--main); fill-opacity: .14; } svg .reach { stroke: var(--main-soft); stroke-width: 3; } svg .beaten { fill: var(--paper); stroke: var(--quiet); stroke-width: 1.5; } svg .course { fill: none; stroke: var(--quiet); stroke-opacity: .6; }
svg .p50 { fill: var(--p50); } svg .p90 { fill: var(--p90); } svg .p95 { fill: var(--p95); } svg .p99 { fill: var(--p99); } svg .p99_9 { fill: var(--p99_9); } svg .p99_99 { fill: var(--p99_99); }
svg .flame text { font-size: 11px; } svg .flame.plain rect { fill: var(--main-soft); } svg .flame.grey rect { fill: var(--rule); } svg .flame.more rect { fill: var(--published); } svg .flame.less rect { fill: var(--main); } svg .flame.more text, svg .flame.less text { fill: var(--paper); }
details { margin-top: 12px; } summary { cursor: pointer; color: var(--quiet); } pre { overflow-x: auto; background: var(--panel); padding: 12px; border-radius: 4px; font-size: 12.5px; }
@media print { main { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
`;

/** Returns the HTML. It ends with a line feed. Every text is escaped, because names and messages come from outside. */
export function renderHtml(report: Report): string {
  const { experiment } = report;
  const body = [
    element('h1', {}, escapeMarkup(experiment.name)),
    paragraph(runFacts(report).join(' · '), 'facts'),
    paragraph(failureSentence(report), 'bad'),
    verdict(report),
    ...whyLists(report).map(({ heading, items }) => element('h2', {}, escapeMarkup(heading)) + list(items)),
    cautions(report),
    ...reportTables(report).map((group) => section(report, group)),
    accountAlone(report),
    definition(report),
  ];
  return htmlPage(experiment.name, body.join('\n'));
}

/** Returns a complete page. `body`: HTML, in which texts must be escaped already. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
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
      paragraph(report.trust === null ? '' : `${report.trust.line}.`, `trust ${report.trust?.level ?? ''}`) +
      paragraph(experiment.hypothesis === '' ? '' : `Hypothesis: ${experiment.hypothesis}`, 'facts') +
      (claims.length < 2 ? '' : element('ul', { class: 'note' }, claims.join(''))),
  );
}

const cautions = (report: Report): string => {
  const lists = cautionLists(report).map(
    ({ heading, items }) => element('h2', {}, escapeMarkup(heading)) + list(items),
  );
  return lists.length === 0 ? '' : element('section', { class: 'warnings' }, lists.join(''));
};

function section(report: Report, { group, heading, task, tables }: TableGroup<Table>): string {
  const charts = group === 'task' ? taskCharts(report, task) : [];
  const drawn = (at: string): string[] =>
    charts.filter(({ place }) => place === at).map(({ svg, caption }) => figure(svg, caption));
  const parts =
    group === 'published'
      ? publishedParts(report, tables)
      : [
          ...drawn('above'),
          ...tables.flatMap(({ id, content }) => [htmlTable(content), ...drawn(id)]),
          ...drawn('below'),
          ...(group === 'cluster' ? flames(report) : []),
          // Explains why the chart of throughput over time is missing.
          group === 'task' && report.run.samples
            ? paragraph(removedSentence(report.run.samples), 'note')
            : '',
        ];
  return element('section', {}, element('h2', {}, escapeMarkup(heading)) + parts.join(''));
}

const flames = (report: Report): string[] => {
  const found = flameFigure(report);
  return found === null ? [] : [figure(found.svg, found.caption)];
};

export const htmlTable = (table: Table): string => {
  const { title, note, columns, rows, folded } = withoutEmptyColumns(table);
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
  const body = element('div', { class: 'scroll' }, drawn) + paragraph(note, 'note');
  return folded
    ? element('details', {}, element('summary', {}, escapeMarkup(title)) + body)
    : element('h3', {}, escapeMarkup(title)) + body;
};

const figure = (svg: string, caption: string): string =>
  element(
    'figure',
    {},
    element('div', { class: 'scroll' }, svg) + element('figcaption', {}, escapeMarkup(caption)),
  );

/**
 * Returns the section about published values: each table with its sentences, followed by lists with the conditions, notes and changes of
 * the benchmark.
 */
const publishedParts = ({ published }: Report, tables: TableGroup<Table>['tables']): string[] => [
  ...publishedWords(published!).flatMap(({ summary, cells }, at) => [
    htmlTable(tables[at]!.content),
    paragraph(summary, ''),
    list(cells),
  ]),
  account(published!),
];

/**
 * Returns the section about a published benchmark from which no values are compared. It contains the lists with its conditions, notes and
 * changes, but no table.
 */
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
    element('summary', {}, 'Definition of this run') +
      element('pre', {}, escapeMarkup(stringifyExact(report.definition, 2))),
  );
