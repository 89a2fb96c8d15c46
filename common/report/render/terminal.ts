/** Renders the report for a terminal: first the verdict, then the values on which it is based. Reports in files contain further details. */
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../../units/format';
import { intervalSeries, type CellFigures } from '../chart/interval-series';
import { spanOf } from '../chart/axes';
import { cellNames } from '../model/cell-names';
import { answerAndRest, cautionLists, failureSentence, runFacts, type FactList } from '../model/facts';
import type { Report } from '../model/report';
import { terminalTables, type TableGroup } from '../tables';
import { answerLines } from '../tables/highest-rate';
import {
  ABSOLUTE_COLUMNS,
  isManyFigures,
  publishedSentence,
  publishedTables,
  publishedWords,
} from '../tables/published';
import { TRUST_TONES } from '../tables/wording';
import { withoutColumns, type Sentences, type Table, type Tone } from '../tables/table';
import { whyLists } from '../why';
import { layTable, painter, shorten, wrap, type Paint } from './text-layout';

export interface TerminalOptions {
  /** Number of characters in a line. Default: 100. */
  width?: number;
  colour?: boolean;
}

/** Maximum and minimum number of characters in a line. Longer lines are hard to read. */
const WIDEST = 120;
const NARROWEST = 60;

export const ANSWER_TONES: Record<Report['verdict']['answer'], Tone> = {
  confirmed: 'good',
  refuted: 'bad',
  undecided: 'warning',
  'no-claim': 'quiet',
};

/** Returns lines with at most `width` characters. The last line has no line feed. */
export function renderTerminal(
  report: Report,
  { width: asked = 100, colour = false }: TerminalOptions = {},
): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, asked));
  const paint = painter(colour);
  const groups = terminalTables(report);
  const linesOf = (...wanted: TableGroup<unknown>['group'][]): string[] =>
    groups
      .filter(({ group }) => wanted.includes(group))
      .flatMap(({ task, tables }) =>
        tables.flatMap(({ id, content }) => [
          ...('rows' in content ? section(content, width, paint) : sentences(content, width, paint)),
          ...(BELOW[id]?.(report, task, width, paint) ?? []),
        ]),
      );
  const lines = [
    ...head(report, width, paint),
    ...cautions(report, width, paint),
    ...linesOf('thresholds', 'task'),
    ...publishedLines(report, width, paint),
    ...linesOf('cluster', 'run'),
    // This list comes last, where it is visible without scrolling.
    ...whyLists(report).flatMap((list) => bullets(list, width, paint)),
  ];
  return lines.join('\n');
}

/** Functions that return further lines for tables. The key is the id of a table, and the lines are shown below this table. */
const BELOW: Readonly<
  Record<string, (report: Report, task: string, width: number, paint: Paint) => string[]>
> = {
  rates: (report, task, width) =>
    answerLines(report, task).flatMap((line) => wrap(`- ${line}`, width - 2, '  ').map((own) => `  ${own}`)),
  throughput: cellsInCharacters,
};

function head(report: Report, width: number, paint: Paint): string[] {
  const { verdict, experiment } = report;
  const [answer, sentence] = answerAndRest(report);
  const tone = ANSWER_TONES[verdict.answer];
  const [first, ...rest] = wrap(answer + sentence, width, '  ');
  const claims =
    verdict.claims.length < 2
      ? []
      : verdict.claims.flatMap(({ claim, answer: own, why }) => {
          const [line, ...more] = wrap(`${own.padEnd(9)} ${claim}: ${why}`, width - 2, '            ');
          return [`  ${paint(line!.slice(0, 9), ANSWER_TONES[own])}${line!.slice(9)}`, ...more];
        });
  return [
    ...wrap(experiment.name, width).map((line) => paint(line, 'bold')),
    ...wrap(runFacts(report).join(' · '), width).map((line) => paint(line, 'quiet')),
    ...wrapIfAny(failureSentence(report), width).map((line) => paint(line, 'bad')),
    '',
    paint(answer, tone) + first!.slice(answer.length),
    ...rest,
    ...wrapIfAny(report.trust === null ? '' : `${report.trust.line}.`, width).map((line) =>
      paint(line, TRUST_TONES[report.trust!.level]),
    ),
    ...(experiment.hypothesis === '' ? [] : wrap(`Hypothesis: ${experiment.hypothesis}`, width, '  ')),
    ...claims,
  ];
}

const wrapIfAny = (sentence: string, width: number): string[] =>
  sentence === '' ? [] : wrap(sentence, width);

/** Returns the reasons for the trust, and the notes. Each list has a heading. */
const cautions = (report: Report, width: number, paint: Paint): string[] =>
  cautionLists(report).flatMap((list) => bullets(list, width, paint));

/** Returns a list with its heading, after an empty line. */
const bullets = ({ heading, items }: FactList, width: number, paint: Paint): string[] => [
  '',
  ...wrap(heading, width).map((line) => paint(line, 'title')),
  ...items.flatMap((item) => wrap(`- ${item}`, width - 2, '  ').map((line) => `  ${line}`)),
];

/** Returns a table with its title and its note, after an empty line. */
export function section(table: Table, width: number, paint: Paint): string[] {
  return [
    '',
    ...wrap(table.title, width).map((line) => paint(line, 'title')),
    ...layTable(table, width, paint),
    ...(table.note === '' ? [] : wrap(table.note, width - 2).map((line) => paint(`  ${line}`, 'quiet'))),
  ];
}

/** Returns the lines of a list of sentences. If the list has a title, the sentences below it are indented. */
function sentences({ title, lines, notes }: Sentences, width: number, paint: Paint): string[] {
  if (title === '') return ['', ...lines.flatMap((line) => wrap(line, width))];
  return [
    '',
    paint(title, 'title'),
    ...lines.flatMap((line) => wrap(line, width - 2, '  ').map((own) => `  ${own}`)),
    ...notes.flatMap((note) => wrap(note, width - 2).map((line) => paint(`  ${line}`, 'quiet'))),
  ];
}

/**
 * Returns the main published metric as a table, with a row for each combination of factor levels, and one sentence for each other metric.
 * If there are many metrics, returns a single table instead.
 */
function publishedLines(report: Report, width: number, paint: Paint): string[] {
  const { published } = report;
  if (published === null) return [];
  const indented = (text: string, hang = ''): string[] =>
    wrap(text, width - 2, hang).map((line) => `  ${line}`);
  const [whole = null] = publishedTables(report);
  const table = whole && withoutColumns(whole, ABSOLUTE_COLUMNS);
  const [main, ...others] = publishedWords(published);
  const cells = isManyFigures(published) ? [] : (main?.cells ?? []);
  return [
    ...(main === undefined
      ? ['', ...wrap(`${published.title}: ${publishedSentence(report)}`, width)]
      : [
          ...(table === null ? [] : section(table, width, paint)),
          ...indented(main.summary),
          ...cells.flatMap((text) => indented(`- ${text}`, '  ')),
          ...others.flatMap(({ summary }) => indented(summary)),
        ]),
    ...[...published.notes, ...published.changes].flatMap((note) =>
      indented(`- ${note}`, '  ').map((line) => paint(line, 'quiet')),
    ),
  ];
}

const NAME_WIDTH = 24;

/**
 * Draws the throughput with characters: one line for each combination of factor levels, with every trial, the mean and its interval, all on
 * the same scale. Returns no lines if there is only one combination.
 */
function cellsInCharacters(report: Report, task: string, width: number, paint: Paint): string[] {
  const { names } = cellNames(report);
  const rows = intervalSeries(report, task, 'throughput').flatMap((figures, at) =>
    figures === null ? [] : [{ name: names[at]!, figures }],
  );
  if (rows.length < 2) return [];
  const label = Math.min(NAME_WIDTH, Math.max(...rows.map(({ name }) => name.length)));
  const room = width - label - 4;
  const { min: from, max: to } = spanOf(
    rows.map(({ figures }) => figures),
    { fromZero: true },
  );
  const scale = scaleLinear()
    .domain([from, to])
    .range([0, room - 1])
    .clamp(true);
  const at = (value: number): number => Math.round(scale(value));
  const line = (name: string, { low, high, mean, values }: CellFigures): string => {
    const characters = new Array<string>(room).fill(' ');
    if (low !== null && high !== null) {
      for (let i = at(low); i <= at(high); i += 1) characters[i] = '─';
      characters[at(low)] = low < from ? '◂' : '├';
      characters[at(high)] = high > to ? '▸' : '┤';
    }
    for (const value of values) characters[at(value)] = '•';
    if (mean !== null) characters[at(mean)] = '●';
    return `  ${shorten(name, label).padEnd(label)}  ${characters.join('').trimEnd()}`;
  };
  const [low, high] = [formatNumber(from), formatNumber(to)];
  const axis = `${' '.repeat(label + 4)}${low}${' '.repeat(Math.max(1, room - low.length - high.length))}${high}`;
  return [
    '',
    ...rows.map(({ name, figures }) => line(name, figures)),
    paint(axis, 'quiet'),
    paint('  ● mean  ├─┤ 95% interval  • trial', 'quiet'),
  ];
}
