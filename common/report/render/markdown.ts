/** Renders the report as GitHub-flavoured Markdown without charts. */
import { answerAndRest, cautionLists, failureSentence, runFacts } from '../model/facts';
import type { Report } from '../model/report';
import { printableLine } from '../../text/printable';
import { accountLists, publishedSentence, publishedWords } from '../tables/published';
import { reportTables, type TableGroup } from '../tables';
import { withoutEmptyColumns, type Table } from '../tables/table';
import { whyLists } from '../why';

/** Escapes Markdown, HTML, and the separators of table cells. */
export const escapeMarkdown = (text: string): string =>
  printableLine(text)
    .replace(/[\\`*[\]|~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .trim();

/** Returns a table with its note, but without a heading. */
export function markdownTable(table: Table): string {
  const { columns, rows, note } = withoutEmptyColumns(table);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line(columns.map(({ name }) => escapeMarkdown(name))),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(row.map(({ text }) => escapeMarkdown(text)))),
  ];
  return [lines.join('\n'), ...(note === '' ? [] : [`*${escapeMarkdown(note)}*`])].join('\n\n');
}

/** Returns Markdown. It ends with a line feed. */
export function renderMarkdown(report: Report): string {
  const { experiment, verdict, trust } = report;
  const [answer, sentence] = answerAndRest(report);
  const list = (items: readonly string[]): string =>
    items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
  const parts = [
    `# ${escapeMarkdown(experiment.name)}`,
    escapeMarkdown(runFacts(report).join(' · ')),
    ...(report.run.trials.failed === 0 ? [] : [`**${escapeMarkdown(failureSentence(report))}**`]),
    // Without a space before a parenthesis, a viewer may not end the bold text.
    `**${answer}**${/^[:.]/.test(sentence) ? '' : ' '}${escapeMarkdown(sentence)}`,
    ...(trust === null ? [] : [`${escapeMarkdown(trust.line)}.`]),
    ...(experiment.hypothesis === '' ? [] : [`Hypothesis: ${escapeMarkdown(experiment.hypothesis)}`]),
    ...(verdict.claims.length === 0
      ? []
      : [
          '## Claims',
          list(verdict.claims.map(({ claim, answer: own, why }) => `${own}: ${claim} (${why})`)),
        ]),
    ...[...whyLists(report), ...cautionLists(report)].flatMap(({ heading, items }) => [
      `## ${heading}`,
      list(items),
    ]),
    ...reportTables(report).flatMap((group) => groupParts(group)),
    ...publishedParts(report, list),
  ];
  return `${parts.join('\n\n')}\n`;
}

const groupParts = ({ heading, tables }: TableGroup<Table>): string[] => [
  `## ${escapeMarkdown(heading)}`,
  ...tables.flatMap(({ content }) => [`### ${escapeMarkdown(content.title)}`, markdownTable(content)]),
];

function publishedParts({ published }: Report, list: (items: readonly string[]) => string): string[] {
  if (published === null) return [];
  const { title, seed, figures } = published;
  return [
    `## The published benchmark: ${escapeMarkdown(title)} (${escapeMarkdown(seed)})`,
    ...(figures.length === 0 ? [escapeMarkdown(publishedSentence({ published }))] : []),
    ...publishedWords(published).flatMap(({ summary, cells }) => [escapeMarkdown(summary), list(cells)]),
    ...accountLists(published).flatMap(({ heading, items }) => [`### ${heading}`, list(items)]),
  ].filter((part) => part !== '');
}
