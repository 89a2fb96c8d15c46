/** Builds the tables of a task: throughput, comparison with the baseline, variation, latency, documents, offered rate and failures. */
import { FIGURE_KEYS, figureName } from '../../analysis/instrument';
import type { Method } from '../../analysis/comparison';
import { formatChange, formatChanges, listed } from '../../analysis/wording';
import { taskKind } from '../../tasks/registry';
import { PERCENTILES, type LatencySummary } from '../../measurement/histogram';
import type { BoundKey } from '../../measurement/censored';
import { reasonsOf, type Failures } from '../../measurement/failures';
import { attemptedSum, OUTCOMES, TROUBLE, orWords, shownOutcomes, sumOf } from '../../measurement/outcomes';
import { printable } from '../../text/printable';
import { formatBytes, formatMs, formatNumber, formatPercent, plural } from '../../units/format';
import { cellNames, kindIn, rowsOf, unitOf } from '../model/cell-names';
import { acrossEnvironments } from './environments';
import type { Report, ReportTask } from '../model/report';
import {
  cell,
  left,
  right,
  withoutColumns,
  type CsvColumn,
  type Sentences,
  type Table,
  type TableCell,
} from './table';
import {
  formatDifference,
  formatFoundTime,
  formatInterval,
  formatTime,
  outcomeTone,
  rateName,
  taskChangeNote,
  timeName,
  toneOf,
} from './wording';

const silence = (silent: readonly string[]): string =>
  silent.length === 0 ? '' : `No completed trial: ${silent.join('; ')}.`;

export function throughputTable(report: Report, task: string): Table {
  const { heading, rows, silent } = rowsOf(report, task);
  return {
    title: `Throughput of ${task}, ${rateName(unitOf(report, task))}`,
    note: silence(silent),
    columns: [
      left(heading),
      right('mean'),
      right('95% interval'),
      right('best trial'),
      right('worst trial'),
      right('CV'),
      right('trials'),
    ],
    rows: rows.map(({ name, own: { throughput } }) => [
      cell(name),
      cell(formatNumber(throughput.mean)),
      cell(formatInterval(throughput.interval)),
      cell(formatNumber(throughput.best)),
      cell(formatNumber(throughput.worst)),
      cell(formatPercent(throughput.cv)),
      cell(formatNumber(throughput.n)),
    ]),
  };
}

/**
 * Returns the table of throughput for a terminal. If each combination of factor levels has a single trial, it has no column of the worst
 * trial.
 */
export const shortThroughputTable = (report: Report, task: string): Table =>
  withoutColumns(
    throughputTable(report, task),
    report.trials.length > report.cells.length ? [] : ['worst trial'],
  );

export const THROUGHPUT_COLUMNS: readonly CsvColumn[] = [
  { name: 'throughput mean (/s)', read: (_, task) => task.throughput.mean },
  { name: 'throughput 95% low (/s)', read: (_, task) => task.throughput.interval?.low ?? null },
  { name: 'throughput 95% high (/s)', read: (_, task) => task.throughput.interval?.high ?? null },
  { name: 'throughput median (/s)', read: (_, task) => task.throughput.median },
  { name: 'throughput best trial (/s)', read: (_, task) => task.throughput.best },
  { name: 'throughput worst trial (/s)', read: (_, task) => task.throughput.worst },
  { name: 'throughput coefficient of variation', read: (_, task) => task.throughput.cv },
];

/** Descriptions of the methods of comparison, for the note of a table. */
const METHODS: Readonly<Record<Method, string>> = {
  pooled: 'Compared within repetitions, with the error of all cells together.',
  paired:
    'Compared within repetitions, each comparison with its own error, because the variation of the cells differs or there are only two.',
  looks:
    'Compared after each repetition. The intervals are valid for all these looks together, so it does not matter when the run ended.',
  apart: '',
  none: '',
};

/** Returns the table of comparisons with the baseline. Null if there is nothing to compare. */
export function comparisonTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const compared = rows.filter(({ own }) => own.comparison !== null);
  if (compared.length === 0) return null;
  const { family } = compared[0]!.own.comparison!;
  const reasons = [...new Set(compared.map(({ own }) => own.comparison!.reason))].filter(Boolean);
  const least = Math.max(...compared.map(({ own }) => own.comparison!.rank?.least ?? 0));
  const { method } = compared[0]!.own.comparison!;
  return {
    title: `Throughput of ${task} against the baseline (${cellNames(report).names[report.baseline]})`,
    note: [
      `Margin ±${formatPercent(report.definition.margin)}.`,
      acrossEnvironments(report),
      METHODS[method],
      taskChangeNote(report, task, ({ comparison: own, throughput }) => [own, throughput.mean]),
      ...reasons.map((reason) => `Undecided: ${reason}.`),
      family > 1 && method !== 'none' && method !== 'looks'
        ? `All results together have 95% confidence, because the intervals are widened for ${family} comparisons.`
        : '',
      compared.some(({ own }) => own.comparison!.rank !== null)
        ? 'The results follow from the intervals only. The Mann-Whitney test is shown for information and decides nothing.'
        : '',
      least > 0.05 ? `Mann-Whitney cannot fall below p = ${formatNumber(least)} with so few trials.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      right('change'),
      right('95% interval'),
      right('widened'),
      right(`difference, ${unitOf(report, task)}`),
      left('found'),
      right('Mann-Whitney p (Holm)'),
    ],
    rows: compared.map(({ name, own: { comparison } }) => {
      const { ratio, interval, adjusted, word, rank } = comparison!;
      return [
        cell(name),
        cell(formatChange(ratio)),
        cell(formatChanges(interval)),
        cell(formatChanges(adjusted)),
        cell(formatDifference(comparison!)),
        cell(word, toneOf(comparison!, 'higher')),
        cell(rank === null ? '–' : formatNumber(rank.holm)),
      ];
    }),
  };
}

export const COMPARISON_COLUMNS: readonly CsvColumn[] = [
  { name: 'ratio to baseline', read: (_, task) => task.comparison?.ratio ?? null },
  { name: 'ratio 95% low', read: (_, task) => task.comparison?.interval?.low ?? null },
  { name: 'ratio 95% high', read: (_, task) => task.comparison?.interval?.high ?? null },
  { name: 'ratio widened low', read: (_, task) => task.comparison?.adjusted?.low ?? null },
  { name: 'ratio widened high', read: (_, task) => task.comparison?.adjusted?.high ?? null },
  { name: 'difference to baseline (/s)', read: (_, task) => task.comparison?.difference ?? null },
  { name: 'difference 95% low (/s)', read: (_, task) => task.comparison?.differenceInterval?.low ?? null },
  { name: 'difference 95% high (/s)', read: (_, task) => task.comparison?.differenceInterval?.high ?? null },
  { name: 'found', read: (_, task) => task.comparison?.word ?? null },
  { name: 'Mann-Whitney p (Holm)', read: (_, task) => task.comparison?.rank?.holm ?? null },
];

/** Builds the table of the sources of variation. Null if fewer than two combinations of factor levels have at least two trials each. */
export function varianceTable(report: Report, task: string): Table | null {
  const parts = report.variance.find((of) => of.task === task);
  if (!parts) return null;
  const rows = (['throughput', 'latencyP99'] as const).flatMap((figure) => {
    const found = parts[figure];
    return found ? [{ name: figure === 'throughput' ? 'throughput' : 'p99', ...found }] : [];
  });
  const far = rows.flatMap(({ name, farOut }) =>
    farOut.map(({ order, away }) => `#${order + 1} (${name} ${formatChange(Math.exp(away))})`),
  );
  return {
    title: `Sources of the variation of ${task}`,
    note: [
      'Standard deviations on the log scale, which are close to coefficients of variation: between cells, between repetitions, and of the rest, trial by trial.',
      far.length === 0
        ? ''
        : `Outliers from their cell and repetition (modified z above 3.5), which are counted like the others: ${listed(far, 6)}.`,
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left('metric'),
      right('cell'),
      right('repetition'),
      right('rest'),
      right('each position later'),
      left('position within a repetition'),
    ],
    rows: rows.map(({ name, cell: ofCell, repetition, rest, place }) => [
      cell(name),
      cell(formatPercent(ofCell)),
      cell(formatPercent(repetition)),
      cell(formatPercent(rest)),
      cell(place === null ? '–' : formatChange(Math.exp(place.slope))),
      place === null
        ? cell('cannot be determined', 'quiet')
        : place.found
          ? cell('matters: later positions differ', 'warning')
          : cell('no effect found', 'quiet'),
    ]),
  };
}

/**
 * Returns a sentence on the time that Dyno itself may have added to each percentile, in ms and relative to the percentile. The times are
 * the highest ones of all combinations of factor levels.
 */
function ownSentence(tasks: readonly ReportTask[]): string {
  const own = FIGURE_KEYS.flatMap((key) => {
    const cells = tasks.flatMap(({ ownMs = {}, latency }) => {
      const [ms, figure] = [ownMs[key], latency[key]];
      return ms === undefined || figure === null ? [] : [{ ms, figure }];
    });
    // If the target may have waited for a core too, the added time is unknown, and a warning says so.
    if (cells.length === 0 || cells.some(({ ms }) => ms === null)) return [];
    const most = Math.max(...cells.map(({ ms }) => ms!));
    const share = Math.max(...cells.map(({ ms, figure }) => ms! / figure));
    return [`${formatMs(most)} (${formatPercent(share)}) to ${figureName(key)}`];
  });
  return own.length === 0 ? '' : `Dyno itself may have added up to ${listed(own, own.length)}.`;
}

const PERCENTILE_KEYS = ['p50', 'p90', 'p95', 'p99', 'p99_9', 'p99_99', 'max'] as const;

/** Formats percentiles. `lowerBounds`: percentiles that are only lower bounds; they are marked with ≥. */
const percentiles = (summary: LatencySummary, lowerBounds: readonly BoundKey[] = []): TableCell[] =>
  PERCENTILE_KEYS.map((key) => cell(formatTime(summary[key], lowerBounds.includes(key))));

/**
 * Builds the table of times. For open executors, it contains latency and service time. For closed executors, latency and service time are
 * equal. The table therefore contains the response time, once as measured and once corrected for coordinated omission. Requests that were
 * never answered or never sent are included in these times, and are also shown in separate rows.
 */
export function latencyTable(report: Report, task: string): Table {
  const { heading, rows, silent } = rowsOf(report, task);
  const open = rows.some(({ own }) => own.offered !== null);
  const closed = rows.some(({ own }) => own.offered === null);
  const censored = rows.some(({ own }) => own.censored !== null);
  const reasons = [...new Set(rows.map(({ own }) => own.latencyComparison?.reason ?? ''))].filter(Boolean);
  return {
    title: [open ? `Latency and service time of ${task}` : '', closed ? `Response time of ${task}` : '']
      .filter(Boolean)
      .join('; '),
    note: [
      ownSentence(rows.map(({ own }) => own)),
      taskChangeNote(report, task, ({ latencyComparison, latency }) => [latencyComparison, latency.p99]),
      "Percentiles of all requests that were due in a cell's trials, from merged histograms. –: too few requests.",
      open ? 'Latency counts from the intended start, service time from when the request was sent.' : '',
      closed
        ? 'Response time counts from when a request was sent. The executor is closed: a client that waits sends nothing, so a stall ' +
          'of the cluster delays few requests, and percentiles are too low if it stalls (coordinated omission). Corrected: as if each ' +
          'client had also sent requests while it waited, one in each interval (its median response time plus its think time; ' +
          'copyCorrectedForCoordinatedOmission of HdrHistogram).'
        : '',
      censored
        ? 'Requests that were never answered, or were due and never sent, are included with the time that they had waited, and also ' +
          'have their own rows. ≥: a lower bound, because the value would be higher if they had waited longer.'
        : '',
      ...reasons.map((reason) => `Undecided at p99: ${reason}.`),
      silence(silent),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      left('time'),
      ...['p50', 'p90', 'p95', 'p99', 'p99.9', 'p99.99', 'max'].map(right),
      right('requests'),
      left('p99 against the baseline'),
    ],
    rows: rows.flatMap(({ name, own }) => {
      const { latency, service, corrected, censored: held, latencyComparison } = own;
      const row = (time: string, summary: LatencySummary, last = cell('')): TableCell[] => [
        cell(name),
        cell(time),
        ...percentiles(summary),
        cell(formatNumber(summary.count)),
        last,
      ];
      const compared =
        latencyComparison === null
          ? cell('baseline', 'quiet')
          : cell(formatFoundTime(latencyComparison), toneOf(latencyComparison, 'lower'));
      return [
        [
          cell(name),
          cell(timeName(own)),
          ...percentiles(latency, held?.lowerBounds),
          cell(formatNumber(latency.count)),
          compared,
        ],
        ...(own.offered === null ? [] : [row('service time', service)]),
        ...(corrected ? [row(`corrected, each ${formatMs(corrected.intervalMs)}`, corrected.times)] : []),
        ...(held && held.unanswered.count > 0 ? [row('never answered', held.unanswered)] : []),
        ...(held && held.neverSent.count > 0 ? [row('never sent', held.neverSent)] : []),
      ];
    }),
  };
}

export const shortLatencyTable = (report: Report, task: string): Table =>
  withoutColumns(latencyTable(report, task), ['p95', 'p99.99', 'requests']);

const latencyColumns = (kind: 'latency' | 'service'): CsvColumn[] =>
  [
    { name: 'mean', key: 'mean' as const },
    ...PERCENTILES.map(({ key, percentile }) => ({ name: `p${percentile}`, key })),
    { name: 'max', key: 'max' as const },
  ].map(({ name, key }) => ({
    name: `${kind} ${name} (ms)`,
    read: (_, task) => task[kind][key],
    request: (request) => request[kind]?.[key] ?? null,
  }));

export const LATENCY_COLUMNS: readonly CsvColumn[] = [
  ...latencyColumns('service'),
  ...latencyColumns('latency'),
  { name: 'time', read: (_, task) => timeName(task) },
  { name: 'corrected for an interval of (ms)', read: (_, { corrected }) => corrected?.intervalMs ?? null },
  ...PERCENTILES.map(({ key, percentile }): CsvColumn => ({
    name: `corrected p${percentile} (ms)`,
    read: (_, { corrected }) => corrected?.times[key] ?? null,
  })),
  { name: 'never answered (requests)', read: (_, { censored }) => censored?.unanswered.count ?? 0 },
  { name: 'never answered max (ms)', read: (_, { censored }) => censored?.unanswered.max ?? null },
  { name: 'never sent max (ms)', read: (_, { censored }) => censored?.neverSent.max ?? null },
  { name: 'lower bounds', read: (_, { censored }) => censored?.lowerBounds.join(' ') ?? '' },
];

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** Returns whether any document of the task was rejected, failed or retried. */
const hasRefusals = (report: Report, task: string): boolean =>
  rowsOf(report, task).rows.some(({ own: { counts } }) => sumOf(TROUBLE, counts) > 0);

export function documentsTable(report: Report, task: string): Table {
  const { heading, rows } = rowsOf(report, task);
  const what = taskKind(kindIn(report, task)).counted;
  const outcomes = shownOutcomes(rows.map(({ own: { counts } }) => counts));
  const meanings = outcomes.flatMap(({ tone, label, meaning }) =>
    tone === 'plain' ? [] : [sentence(`${label.text}: ${meaning}`)],
  );
  return {
    title: `${what} of ${task}, first sent in the measured phases of a cell's trials`,
    note:
      'Counted by the time when they were first sent. Throughput counts documents accepted within the phase, so it may differ slightly. Attempted = ' +
      `${attemptedSum(outcomes)}. ${meanings.join(' ')}`,
    columns: [
      left(heading),
      right('attempted'),
      ...outcomes.flatMap(({ name, label }) => [
        right(label.text),
        ...(name === 'rejected' ? [right('rejection rate')] : []),
      ]),
      right('attempted/s'),
      right('sent/s'),
    ],
    rows: rows.map(({ name, own: { counts, rejectionRate, attemptedPerSecond, bytesPerSecond } }) => [
      cell(name),
      cell(formatNumber(counts.attempted)),
      ...outcomes.flatMap((outcome) => {
        const tone = outcomeTone(outcome, counts[outcome.name]);
        return [
          cell(formatNumber(counts[outcome.name]), tone),
          ...(outcome.name === 'rejected' ? [cell(formatPercent(rejectionRate), tone)] : []),
        ];
      }),
      cell(formatNumber(attemptedPerSecond)),
      cell(`${formatBytes(bytesPerSecond)}/s`),
    ]),
  };
}

/** Returns the table of documents. If every document was accepted at the first attempt, returns a single sentence instead. */
export function shortDocumentsTable(report: Report, task: string): Table | Sentences {
  if (hasRefusals(report, task))
    return withoutColumns(documentsTable(report, task), ['attempted/s', 'sent/s']);
  const accepted = rowsOf(report, task).rows.reduce((sum, { own: { counts } }) => sum + counts.accepted, 0);
  const what = taskKind(kindIn(report, task)).answered;
  const sentence =
    accepted === 0
      ? 'Nothing was counted.'
      : `All ${formatNumber(accepted)} ${what} at the first attempt: none ${orWords(TROUBLE.filter(({ isRare }) => !isRare))}.`;
  return { title: '', lines: [sentence], notes: [] };
}

export const DOCUMENT_COLUMNS: readonly CsvColumn[] = [
  { name: 'attempted (docs)', read: (_, task) => task.counts.attempted },
  ...OUTCOMES.map(({ name }): CsvColumn => ({
    name: `${name} (docs)`,
    read: (_, task) => task.counts[name],
  })),
  { name: 'rejection rate', read: (_, task) => task.rejectionRate },
  { name: 'error rate', read: (_, task) => task.errorRate },
  { name: 'attempted (/s)', read: (_, task) => task.attemptedPerSecond },
  { name: 'sent (bytes/s)', read: (_, task) => task.bytesPerSecond },
];

/** Returns the table of offered rates. Null for closed executors. */
export function offeredTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const open = rows.filter(({ own }) => own.offered !== null);
  if (open.length === 0) return null;
  return {
    title: `Offered and achieved rate of ${task}, requests/s`,
    note: 'Saturated: more than 1% of the requests that were due were never sent. Its latency then grows with the length of the trial.',
    columns: [
      left(heading),
      right('offered'),
      right('sent'),
      right('never sent'),
      right('share'),
      left('state'),
    ],
    rows: open.map(({ name, of, own }) => {
      const { offeredPerSecond, sentPerSecond, unsent, unsentShare, saturatedTrials } = own.offered!;
      return [
        cell(name),
        cell(formatNumber(offeredPerSecond)),
        cell(formatNumber(sentPerSecond)),
        cell(formatNumber(unsent)),
        cell(formatPercent(unsentShare)),
        saturatedTrials === 0
          ? cell('kept up', 'good')
          : cell(`saturated in ${saturatedTrials} of ${plural(of.completed, 'trial')}`, 'bad'),
      ];
    }),
  };
}

export const OFFERED_COLUMNS: readonly CsvColumn[] = [
  { name: 'offered (requests/s)', read: (_, task) => task.offered?.offeredPerSecond ?? null },
  { name: 'sent (requests/s)', read: (_, task) => task.offered?.sentPerSecond ?? null },
  { name: 'never sent (requests)', read: (_, task) => task.offered?.unsent ?? null },
  { name: 'saturated trials', read: (_, task) => task.offered?.saturatedTrials ?? null },
];

/** Builds the table of failures by type and reason, with an example of each. Null if there were no failures and no retries. */
export function failuresTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const lines = rows.flatMap(({ name, own: { failures, retries = {} } }) => [
    ...failureLines(failures).map((line) => ({ ...line, name, tone: 'bad' as const })),
    ...failureLines(retries).map((line) => ({
      ...line,
      name,
      kind: `${line.kind}, sent again`,
      tone: 'warning' as const,
    })),
  ]);
  if (lines.length === 0) return null;
  return {
    title: `Rejections and failures of ${task}`,
    note: lines.some(({ tone }) => tone === 'warning')
      ? 'Sent again: rejected (429) and sent again after a pause; each retry counts once.'
      : '',
    columns: [left(heading), left('kind'), right('count'), left('example')],
    rows: lines.map(({ name, kind, tone, count, example }) => [
      cell(name),
      cell(kind, tone),
      cell(formatNumber(count)),
      cell(example),
    ]),
  };
}

/** Returns the failures as sentences for terminals, in which a table would cut off the reasons. */
export function failureSentences(report: Report, task: string): Sentences | null {
  const table = failuresTable(report, task);
  if (table === null) return null;
  return {
    title: table.title,
    lines: table.rows.map(([name, kind, count, example]) => {
      const text = example!.text.replace(/\s+/g, ' ').trim();
      return `${name!.text}: ${count!.text} ${kind!.text}${text === '' ? '' : `, ${text}`}`;
    }),
    notes: table.note === '' ? [] : [table.note],
  };
}

/** Returns a line for each reason of each type. The most frequent reason of a type comes first. */
const failureLines = (failures: Failures): { kind: string; count: number; example: string }[] =>
  Object.entries(failures).flatMap(([kind, failure]) =>
    [...reasonsOf(failure)]
      .sort((a, b) => b.count - a.count)
      .map(({ count, example }) => ({ kind, count, example: printable(example) })),
  );
