/**
 * Renders the history of an experiment for a terminal and as CSV. Also renders the result of `dyno watch` (whether metrics became worse) as
 * Markdown and JUnit XML.
 */
import { formatChange, formatMetric } from '../analysis/wording';
import { causeLines } from './cause';
import { baselineText, noteRun, type HistoryNote } from './annotations';
import type { BaselineAnswer } from './baseline';
import { missedSentence, type MissedTimes } from '../experiment/missed';
import type { History, HistoryChange, HistorySeries } from './history';
import { formatFigure, isSameSeries, isMeasured, statesOf } from './series';
import { watchSentence, type Watch } from './watch';
import { baselineSentence } from './watch-baseline';
import { parseMetric } from '../measurement/metric';
import { formatDay, plural } from '../units/format';
import { cell, left, optional, right, type Table, type TableCell, type Tone } from '../report/tables/table';
import { csvLine } from '../report/render/csv';
import { junitSuite, junitSuites, notPassed } from '../report/render/junit';
import { escapeMarkdown, markdownTable } from '../report/render/markdown';
import type { TerminalOptions } from '../report/render/terminal';
import { layTable, painter, wrap, type Paint } from '../report/render/text-layout';
import { printableLine } from '../text/printable';

const TONES: Readonly<Record<HistorySeries['now'], Tone | undefined>> = {
  steady: undefined,
  worse: 'bad',
  better: 'good',
  recovered: 'good',
  suspect: 'warning',
  'too-few': 'quiet',
};

const STEPS = '▁▂▃▄▅▆▇█';

const AGAINST_TONES: Readonly<Record<BaselineAnswer, Tone | undefined>> = {
  worse: 'bad',
  better: 'good',
  same: undefined,
  'not-worse': undefined,
  'cannot-tell': 'warning',
};

/** Formats the comparison with the baseline, such as `+12% worse` or `+1% same`; `–` if there is nothing to compare. */
function againstCell({ metric, unit, against }: HistorySeries): TableCell {
  const read = parseMetric(metric);
  if (against === null || read === undefined) return cell('–', 'quiet');
  const { ratio, newest, baseline, answer } = against;
  const size = ratio === null ? `${formatMetric(read, baseline, unit)} before` : formatChange(ratio);
  return cell(
    `${size} ${answer === 'cannot-tell' ? 'undecided' : answer.replace('-', ' ')}`,
    newest === baseline ? undefined : AGAINST_TONES[answer],
  );
}

/** Number of runs in the small chart of a series: a tenth of the width of the terminal. */
const chartRuns = (width: number): number => Math.floor(width / 10);

/**
 * Draws the means of the newest runs as a line of characters. The lowest character stands for the lowest mean, and the highest character
 * for the highest mean. A run without a value is a space. `most`: maximum number of runs.
 */
export function sparkline(means: readonly (number | null)[], most: number): string {
  const shown = means.slice(-most);
  const known = shown.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const step = (value: number): string =>
    STEPS[high === low ? 3 : Math.round(((value - low) / (high - low)) * (STEPS.length - 1))]!;
  return shown.map((value) => (value === null ? ' ' : step(value))).join('');
}

function newestChange({ changes }: History, series: HistorySeries): string {
  const change = changes.find((own) => own.isNewest && isSameSeries(own, series));
  if (change === undefined) return '';
  const { ratio, since } = change;
  return `${ratio === null ? change.kind : formatChange(ratio)} since ${formatDay(since.at)}`;
}

/**
 * Formats the state of a series, such as `worse`. `suspect` is appended if the newest runs may show another change that is not confirmed
 * yet: `worse, suspect`.
 */
const sayNow = (series: Pick<HistorySeries, 'now' | 'standing'>): string =>
  statesOf(series)
    .map((word) => word.replace('-', ' '))
    .join(', ');

/** Returns a table with a row for each series in `own`. `charted`: number of runs in the small chart of a row; 0 for no chart. */
function seriesTable(history: History, own: readonly HistorySeries[], charted: number): Table {
  const cells = new Set(own.map((series) => series.cell)).size;
  return {
    title: '',
    note: '',
    columns: [
      left('metric'),
      ...(cells > 1 ? [left('cell')] : []),
      right('newest'),
      right('level'),
      left('now'),
      optional(left('changed')),
      ...(history.baseline === null ? [] : [left('against the baseline')]),
      // This column is right-aligned, because only left-aligned columns are shortened if there is too little space.
      ...(charted > 0 ? [right('runs')] : []),
    ],
    rows: own.map((series): TableCell[] => [
      cell(series.title),
      ...(cells > 1 ? [cell(series.label)] : []),
      cell(formatFigure(series, series.means.at(-1) ?? null)),
      cell(formatFigure(series, series.segments.at(-1)?.level ?? null)),
      cell(sayNow(series), TONES[series.standing === 'worse' ? 'worse' : series.now]),
      cell(newestChange(history, series)),
      ...(history.baseline === null ? [] : [againstCell(series)]),
      ...(charted > 0 ? [cell(sparkline(series.means, charted))] : []),
    ]),
  };
}

/** Renders one table for each combination of factor levels. If there are several combinations, each table has a heading. */
function cellLines(history: History, width: number, paint: Paint): string[] {
  const labels = new Map(history.series.map(({ cell: id, label }) => [id, label]));
  return [...labels].flatMap(([id, label]) => {
    const own = history.series.filter((series) => series.cell === id);
    return [
      ...(labels.size > 1 ? ['', paint(printableLine(label), 'bold')] : []),
      ...layTable(seriesTable(history, own, chartRuns(width)), width, paint),
    ];
  });
}

const CHANGE_TONES: Readonly<Record<HistoryChange['kind'], Tone>> = {
  worse: 'bad',
  better: 'good',
  recovery: 'good',
};

/** Maximum number of changes that a terminal shows. */
const MOST_CHANGES = 20;

/** Formats a note, such as `- 2026-11-20 (run 20261120-1), anna: the new disk`. */
const noteLine = ({ at, run, author, text }: HistoryNote): string =>
  `- ${formatDay(at)}${run === null ? '' : ` (run ${run})`}${author === '' ? '' : `, ${author}`}: ${text.replaceAll(/\s+/g, ' ')}`;

/** Maximum number of scheduled times without a run that a terminal shows. */
const MOST_MISSED = 10;

/** Lists the times at which the schedule should have started a run but did not, the newest first. */
function missedLines(missed: readonly MissedTimes[], width: number): string[] {
  if (missed.length === 0) return [];
  const newest = missed.slice(-MOST_MISSED).reverse();
  const more = missed.length - newest.length;
  return [
    '',
    'Missed times, the newest first:',
    ...newest.flatMap((one) => wrap(`- ${missedSentence(one)}`, width - 2, '  ').map((line) => `  ${line}`)),
    ...(more > 0 ? [`  and ${more} before: --json lists them`] : []),
  ];
}

/** Renders a history for a terminal. The text does not end with a line feed. */
export function renderHistory(
  history: History,
  { width = 100, colour = false }: TerminalOptions = {},
): string {
  const paint = painter(colour);
  const { experiment, nights: runs, changes } = history;
  const [first, last] = [runs.at(0), runs.at(-1)];
  const head = `${experiment.name}: ${plural(runs.length, 'run')}${
    first && last ? `, ${formatDay(first.at)} to ${formatDay(last.at)}` : ''
  }`;
  // If no run is in the time range, the series have no values.
  if (history.series.length === 0 || runs.length === 0)
    return [
      head,
      runs.length === 0 ? 'No run of it has completed in this time.' : 'No series has this name.',
      ...missedLines(history.missed ?? [], width),
    ].join('\n');
  const lines = changes
    .slice(0, MOST_CHANGES)
    .flatMap((change) => [
      ...wrap(`- ${change.sentence} (run ${change.since.run})`, width - 2, '  ').map(
        (line) => `  ${paint(line, CHANGE_TONES[change.kind])}`,
      ),
      ...causeLines(change.cause).flatMap((cause) => wrap(cause, width - 4).map((line) => `    ${line}`)),
    ]);
  const more = changes.length - MOST_CHANGES;
  const listed = (sentence: string): string[] => wrap(sentence, width - 2, '  ').map((line) => `  ${line}`);
  const gaps = missedLines(history.missed ?? [], width);
  return [
    paint(head, 'title'),
    ...cellLines(history, width, paint),
    '',
    ...(changes.length === 0 ? ['No confirmed change.'] : ['Changes, the newest first:', ...lines]),
    ...(more > 0 ? [`  and ${more} before: --json lists them`] : []),
    ...(history.baseline === null
      ? []
      : ['', ...wrap(`Baseline: ${baselineText(history.baseline)}`, width, '  ')]),
    ...(history.notes.length === 0
      ? []
      : [
          '',
          'Notes, the newest first:',
          ...[...history.notes].reverse().flatMap((note) => listed(noteLine(note))),
        ]),
    ...gaps,
  ].join('\n');
}

/** Renders a row for each run and series. A note about a time is in the row of the last run before this time. */
export function renderHistoryCsv({ nights: runs, series, notes }: History): string {
  const header = [
    'run',
    'at',
    'metric',
    'cell',
    'mean',
    'deviation',
    'trials',
    'level',
    'outlier',
    'changed',
    'note',
  ];
  const noted = new Map<number, string>();
  for (const note of notes) {
    const point = noteRun(note, runs);
    if (point !== null) noted.set(point, [noted.get(point) ?? [], note.text].flat().join('; '));
  }
  const rows = series.flatMap((own) => {
    const outliers = new Set(own.outliers);
    return runs.map(({ run, at }, point) => [
      run,
      at,
      own.metric,
      own.cell,
      own.means[point] ?? null,
      own.deviations[point] ?? null,
      own.trials[point] ?? 0,
      own.segments.find(({ from, to }) => point >= from && point < to)?.level ?? null,
      outliers.has(point),
      own.changes.find((change) => change.night === point)?.kind ?? null,
      noted.get(point) ?? null,
    ]);
  });
  return [header, ...rows].map(csvLine).join('');
}

/** Renders a comment for a pull request: the state, the regressions, and then all series. The text ends with a line feed. */
export function renderWatchMarkdown(history: History, watch: Watch): string {
  const list = (changes: readonly HistoryChange[]): string =>
    changes
      .flatMap(({ sentence, since, cause }) => [
        `- ${escapeMarkdown(`${sentence} (run ${since.run})`)}`,
        ...causeLines(cause).map((line) => `  - ${escapeMarkdown(line)}`),
      ])
      .join('\n');
  const { regressions, unmeasured, news } = watch;
  const others = news.filter((change) => !regressions.includes(change));
  const { againstBaseline } = watch;
  const parts = [
    `## ${escapeMarkdown(history.experiment.name)}`,
    `**${escapeMarkdown(watchSentence(history, watch))}**`,
    ...(againstBaseline === undefined ? [] : [`**${escapeMarkdown(baselineSentence(againstBaseline))}**`]),
    ...(regressions.length === 0 ? [] : ['### Became worse', list(regressions)]),
    ...(unmeasured.length === 0
      ? []
      : ['### Became worse, and the newest run did not measure it', list(unmeasured)]),
    ...(againstBaseline === undefined || againstBaseline.worse.length === 0
      ? []
      : [
          '### Worse than the baseline',
          againstBaseline.worse.map(({ against }) => `- ${escapeMarkdown(against.sentence)}`).join('\n'),
        ]),
    ...(others.length === 0 ? [] : ['### Known since the newest run', list(others)]),
    ...(history.series.length === 0 ? [] : [markdownTable(seriesTable(history, history.series, 0))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Renders a test case for each series. The test case fails if the series became worse, and is skipped if the series has too few runs. The
 * text ends with a line feed.
 */
export function renderWatchJunit(history: History, watch: Watch): string {
  const { againstBaseline } = watch;
  const cases = history.series.map((series) => {
    const worse = watch.regressions.find((change) => isSameSeries(change, series));
    const unmeasured = watch.unmeasured.find((change) => isSameSeries(change, series));
    const belowBaseline = againstBaseline?.worse.find((one) => isSameSeries(one, series));
    const failures = [
      ...(worse ? [worse.sentence] : []),
      ...(belowBaseline ? [belowBaseline.against.sentence] : []),
    ];
    return {
      name: `${series.metric}, ${series.label}`,
      seconds: 0,
      result:
        failures.length > 0
          ? notPassed('failure', failures.join('; '), worse ? causeLines(worse.cause) : [])
          : watch.noData.some((one) => isSameSeries(one, series))
            ? notPassed('failure', `no data in the newest run${unmeasured ? `; ${unmeasured.sentence}` : ''}`)
            : !isMeasured(series)
              ? notPassed(
                  'skipped',
                  `the newest run did not measure it${unmeasured ? `; ${unmeasured.sentence}` : ''}`,
                )
              : series.now === 'too-few'
                ? notPassed('skipped', 'too few runs')
                : '',
    };
  });
  const suite = junitSuite('history', cases, { answer: watchSentence(history, watch) });
  return junitSuites(history.experiment.name, [suite]);
}
