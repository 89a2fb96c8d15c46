/** Builds the tables of searches for the highest rate that the target sustains: their results and their steps. */
import { sayAnswer, sayBracket, STOP_WORDS } from '../../analysis/highest-rate';
import { formatChange, formatChanges } from '../../analysis/wording';
import { parseLimit } from '../../executors/highest-rate';
import type { HighestRate, LimitReading, RateStep } from '../../measurement/highest-rate';
import { formatDuration, formatMs, formatNumber, formatPercent, plural } from '../../units/format';
import { cellNames, rowsOf, unitOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, type CsvColumn, type Table, type TableCell } from './table';
import { formatInterval, taskChangeNote, toneOf } from './wording';

export interface RateSearch {
  /** Number of the trial in the order of execution, with a number sign: `#1`. */
  trial: string;
  /** Name of the trial's combination of factor levels. */
  name: string;
  /** Trial and combination of factor levels, such as `#1 docs=100`. Only the trial, if there is a single combination. */
  label: string;
  found: HighestRate;
}

/** Returns the searches of the completed trials, in the order of their execution. */
export function searchesOf(report: Report, task: string): RateSearch[] {
  const { names } = cellNames(report);
  const places = new Map(report.cells.map(({ index, label }, at) => [index, { name: names[at]!, label }]));
  return report.trials.flatMap(({ order, state, cellIndex, tasks }) => {
    const found = state === 'completed' && tasks.find((own) => own.task === task)?.highestRate;
    if (!found) return [];
    const trial = `#${order + 1}`;
    const { name = '', label = '' } = places.get(cellIndex) ?? {};
    return [{ trial, name, label: report.cells.length > 1 ? `${trial} ${label}` : trial, found }];
  });
}

/** Builds the table of the highest sustained rate for each combination of factor levels. Null for tasks that do not search for a rate. */
export function ratesTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const searched = rows.flatMap(({ name, own: { highestRate } }) =>
    highestRate === null ? [] : [{ name, rate: highestRate }],
  );
  if (searched.length === 0) return null;
  return {
    title: `Highest sustained rate of ${task}, requests/s`,
    note: [
      'Highest rate that the hold of each trial confirmed; the interval is that of their mean.',
      'The bracket is from the lowest rate that a trial held to the highest rate that a trial did not hold. It is not a confidence interval.',
      `All other metrics of ${task}, including throughput and latency, cover only the confirming holds, because the search varied the rate.`,
      taskChangeNote(report, task, ({ highestRate }) => [
        highestRate?.comparison,
        highestRate?.sustained.mean,
      ]),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      right('mean'),
      right('95% interval'),
      right('best trial'),
      right('worst trial'),
      right('bracket'),
      right('confirmed in'),
      optional(right('against the baseline')),
      optional(left('found')),
    ],
    rows: searched.map(({ name, rate: { sustained, trials, bracket, comparison } }) => [
      cell(name),
      cell(formatNumber(sustained.mean)),
      cell(formatInterval(sustained.interval)),
      cell(formatNumber(sustained.best)),
      cell(formatNumber(sustained.worst)),
      cell(sayBracket(bracket)),
      cell(`${sustained.n} of ${plural(trials, 'trial')}`, sustained.n < trials ? 'bad' : undefined),
      cell(
        comparison === null
          ? ''
          : `${formatChange(comparison.ratio)} (${formatChanges(comparison.adjusted)})`,
      ),
      comparison === null ? cell('') : cell(comparison.word, toneOf(comparison, 'higher')),
    ]),
  };
}

export const RATE_COLUMNS: readonly CsvColumn[] = [
  { name: 'sustainable rate mean (requests/s)', read: (_, task) => task.highestRate?.sustained.mean ?? null },
  {
    name: 'sustainable rate 95% low (requests/s)',
    read: (_, task) => task.highestRate?.sustained.interval?.low ?? null,
  },
  {
    name: 'sustainable rate 95% high (requests/s)',
    read: (_, task) => task.highestRate?.sustained.interval?.high ?? null,
  },
  { name: 'sustainable rate trials', read: (_, task) => task.highestRate?.sustained.n ?? null },
];

/** Builds the table with the results of the searches in words, one for each trial. Null for tasks that do not search for a rate. */
export function searchesTable(report: Report, task: string): Table | null {
  const searches = searchesOf(report, task);
  if (searches.length === 0) return null;
  return {
    title: `Result of each search of ${task}`,
    note: '',
    columns: [left('trial'), left(cellNames(report).heading), right('bracket, requests/s'), left('answer')],
    rows: searches.map(({ trial, name, found }) => [
      cell(trial),
      cell(name),
      cell(sayBracket(found.answer)),
      cell(sayAnswer(found, unitOf(report, task)), found.answer.confirmed ? undefined : 'warning'),
    ]),
  };
}

/** Returns a line with the result for each trial. */
export const answerLines = (report: Report, task: string): string[] =>
  searchesOf(report, task).map(
    ({ trial, name, found }) =>
      `${trial}${report.cells.length > 1 ? ` (${name})` : ''}: ${sayAnswer(found, unitOf(report, task))}`,
  );

/** Formats the measured value of a limit in the unit of its metric; `–` if there were too few responses. */
export function formatReading({ limit: text, value }: LimitReading): string {
  const limit = parseLimit(text);
  if ('message' in limit || value === null) return '–';
  return limit.metric.unit === 'share' ? formatPercent(value) : formatMs(value);
}

/**
 * Colours of measured values. `true`: the value kept the limit. `false`: it did not. `null`: the value is too close to the limit to judge.
 */
const READING_TONES = { true: undefined, false: 'bad', null: 'warning' } as const;

function limitValue(step: RateStep, text: string): TableCell {
  const reading = step.limits.find(({ limit }) => limit === text);
  if (reading === undefined || reading.value === null) return cell('–');
  return cell(formatReading(reading), READING_TONES[String(reading.held) as keyof typeof READING_TONES]);
}

/** Returns `held` if the target kept all limits at this rate, otherwise the reason why it did not. */
export const sayOutcome = ({ held, stop }: Pick<RateStep, 'held' | 'stop'>): string =>
  held ? 'held' : stop === null ? 'not held' : STOP_WORDS[stop];

/** Builds the table of all steps of all searches. Null for tasks that do not search for a rate. */
export function stepsTable(report: Report, task: string): Table | null {
  const searches = searchesOf(report, task);
  if (searches.length === 0) return null;
  const limits = [
    ...new Set(
      searches.flatMap(({ found }) =>
        found.steps.flatMap(({ limits: own }) => own.map(({ limit }) => limit)),
      ),
    ),
  ];
  return {
    title: `Steps of the search of ${task}`,
    note: 'Each step is judged by the requests that were due in it, after the rate had settled. An undecided step is repeated for longer. A step that failed without a statistical test is repeated once. Requests that were not sent by the end of a step were dropped.',
    columns: [
      left('trial'),
      right('step'),
      left('phase'),
      right('offered/s'),
      right('answered/s'),
      right(`accepted, ${unitOf(report, task)}`),
      right('judged for'),
      ...limits.map(right),
      right('not sent'),
      optional(right('not answered')),
      left('outcome'),
      optional(left('why')),
    ],
    rows: searches.flatMap(({ trial, found }) =>
      found.steps.map((step) => [
        cell(trial),
        cell(formatNumber(step.number)),
        cell(step.repeats ? `${step.phase}, again` : step.phase),
        cell(formatNumber(step.perSecond)),
        cell(formatNumber(step.answeredPerSecond)),
        cell(formatNumber(step.acceptedPerSecond)),
        cell(formatDuration(step.judgedMs)),
        ...limits.map((limit) => limitValue(step, limit)),
        cell(formatNumber(step.unsent), step.unsent > 0 ? 'warning' : undefined),
        cell(step.unsettled === 0 ? '' : formatNumber(step.unsettled), 'warning'),
        cell(sayOutcome(step), step.held ? 'good' : step.stop === 'undecided' ? 'warning' : 'bad'),
        cell(step.why),
      ]),
    ),
  };
}
