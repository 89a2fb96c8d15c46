/** The report as GitHub-flavoured Markdown: everything but the charts. */
import { answerAndRest, runFacts } from '../model/facts';
import type { Report } from '../model/report';
import { accountLists, publishedSentence, publishedWords } from '../tables/published';
import { reportTables, type TableGroup } from '../tables';
import { telling, type Table } from '../tables/table';

/** What would be taken for markup, HTML or a cell's end. */
const escape = (text: string): string =>
  text
    .replace(/[\\`*[\]|~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim();

/** Without a heading. */
export function markdownTable(table: Table): string {
  const { columns, rows, note } = telling(table);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line(columns.map(({ name }) => escape(name))),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(row.map(({ text }) => escape(text)))),
  ];
  return [lines.join('\n'), ...(note === '' ? [] : [`*${escape(note)}*`])].join('\n\n');
}

/** Ends with a newline. */
export function renderMarkdown(report: Report): string {
  const { experiment, verdict, warnings } = report;
  const [answer, sentence] = answerAndRest(report);
  const list = (items: readonly string[]): string => items.map((item) => `- ${escape(item)}`).join('\n');
  const parts = [
    `# ${escape(experiment.name)}`,
    escape(runFacts(report).join(' · ')),
    `**${answer}**${escape(sentence)}`,
    ...(experiment.hypothesis === '' ? [] : [`Hypothesis: ${escape(experiment.hypothesis)}`]),
    ...(verdict.claims.length === 0
      ? []
      : [
          '## Claims',
          list(verdict.claims.map(({ claim, answer: own, why }) => `${own}: ${claim} (${why})`)),
        ]),
    ...(warnings.length === 0 ? [] : ['## Before you trust it', list(warnings)]),
    ...reportTables(report).flatMap((group) => groupParts(group)),
    ...publishedParts(report, list),
  ];
  return `${parts.join('\n\n')}\n`;
}

const groupParts = ({ heading, tables }: TableGroup<Table>): string[] => [
  `## ${escape(heading)}`,
  ...tables.flatMap(({ content }) => [`### ${escape(content.title)}`, markdownTable(content)]),
];

function publishedParts({ published }: Report, list: (items: readonly string[]) => string): string[] {
  if (published === null) return [];
  const { title, seed, figures } = published;
  return [
    `## The published account: ${escape(title)} (${escape(seed)})`,
    ...(figures.length === 0 ? [escape(publishedSentence({ published }))] : []),
    ...publishedWords(published).flatMap(({ summary, cells }) => [escape(summary), list(cells)]),
    ...accountLists(published).flatMap(({ heading, items }) => [`### ${heading}`, list(items)]),
  ].filter((part) => part !== '');
}
