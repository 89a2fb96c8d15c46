/**
 * Shows for each combination of factor levels which resource was the bottleneck (*limit*): as a table with the evidence, and as sentences.
 */
import { nextExperiment } from '../../tuning/next-experiment';
import type { CellLimit, LimitName } from '../../analysis/limiting-factor';
import { cellNames } from '../model/cell-names';
import { COLLECTOR_HINT, isCollected } from './collected';
import type { Report } from '../model/report';
import { cell, left, type CsvColumn, type Sentences, type Table, type Tone } from './table';

const NAMES: Partial<Record<LimitName, string>> = { cpu: 'CPU', gc: 'GC' };

/** Returns the display name of a resource, such as `CPU` or `disk wait`. */
export const limitName = (name: LimitName): string => NAMES[name] ?? name;

/**
 * Colours of the bottlenecks. If the load generator was the bottleneck, the measurement is flawed, so this is a warning. If the cluster
 * under test was the bottleneck, this is an expected result.
 */
const TONES: Partial<Record<LimitName, Tone>> = { generator: 'warning', 'none found': 'quiet' };

/** Returns the number of trials with this bottleneck, and the bottlenecks of the others, such as `2 of 3 (else none found)`. */
function trialsOf({ trials, of, otherwise }: CellLimit): string {
  const others = otherwise.map(({ name }) => limitName(name)).join(', ');
  return `${trials} of ${of}${others === '' ? '' : ` (else ${others})`}`;
}

const listOf = (items: readonly { resource: LimitName; text: string }[]): string =>
  items.map(({ resource, text }) => `${limitName(resource)}: ${text}`).join('; ');

const unknownOf = ({ unknown }: CellLimit): string =>
  unknown.map(({ resource, why }) => `${limitName(resource)} (${why})`).join('; ');

/** Returns a suggestion of what to measure next; '' without a suggestion. */
const nextOf = ({ definition, provenance }: Report, seen: Report['cells'][number]): string =>
  nextExperiment(definition, seen, provenance)?.text ?? '';

const TITLE = 'Limiting factor';

/**
 * Notes on the CPU use. Nodes report only the CPU time of Elasticsearch. A machine that is busy with other processes may therefore seem
 * idle.
 */
const CPU_NOTE = 'CPU is that of Elasticsearch and the load generator; other processes are not included.';
const SOME_CPU_NOTE =
  'CPU is that of the whole machine if a collector runs there, else only that of Elasticsearch and the load generator.';

/** Returns notes on what the CPU values cover, and on how to get more values. */
function figureNotes(report: Report): string[] {
  if (!isCollected(report)) return [CPU_NOTE, COLLECTOR_HINT];
  const judged = report.cells.filter(({ limit }) => limit !== null);
  if (judged.every(({ collected }) => collected?.everyMachine)) return [];
  return [judged.some(({ collected }) => collected?.someMachine) ? SOME_CPU_NOTE : CPU_NOTE];
}

const NOTE =
  'The evidence is from the clearest trial, on the busiest node. If several resources were at their limit, the one that explains the ' +
  'others is named: a busy CPU or disk comes before the queues that it fills.';

/** Returns the table of bottlenecks. Null if no trial has the necessary metrics. */
export function limitTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap((seen, at) =>
    seen.limit === null ? [] : [{ name: names[at]!, limit: seen.limit, next: nextOf(report, seen) }],
  );
  if (rows.length === 0) return null;
  return {
    title: TITLE,
    note: [NOTE, ...figureNotes(report)].join(' '),
    columns: [
      left(heading),
      left('limit'),
      left('trials'),
      left('evidence'),
      { ...left('also at its limit'), optional: true },
      { ...left('not judged'), optional: true },
      { ...left('next'), optional: true },
    ],
    rows: rows.map(({ name, limit, next }) => [
      cell(name),
      cell(limitName(limit.name), TONES[limit.name]),
      cell(trialsOf(limit)),
      cell(limit.why),
      cell(listOf(limit.also)),
      cell(unknownOf(limit)),
      cell(next),
    ]),
  };
}

/** Returns the bottleneck for one combination of factor levels as text, such as `CPU (93% of 2 cores busy); in 2 of 3 trials`. */
function sentenceOf(limit: CellLimit): string {
  const { name, why, also, trials, of, otherwise } = limit;
  const others = otherwise.map((other) => limitName(other.name)).join(', ');
  return [
    name === 'none found' ? `${name}, ${why}` : `${limitName(name)} (${why})`,
    ...(also.length === 0 || name === 'none found' ? [] : [`also ${listOf(also)}`]),
    ...(others === '' ? [] : [`in ${trials} of ${of} trials, else ${others}`]),
  ].join('; ');
}

/**
 * Returns a line about the bottleneck for each combination of factor levels, and a note on resources that could not be judged. Null if no
 * trial has the necessary metrics.
 */
export function limitSentences(report: Report): Sentences | null {
  const { names } = cellNames(report);
  const judged = report.cells.flatMap((seen, at) =>
    seen.limit === null ? [] : [{ name: names[at]!, limit: seen.limit, next: nextOf(report, seen) }],
  );
  if (judged.length === 0) return null;
  const next = [...new Set(judged.map((one) => one.next).filter(Boolean))];
  const unknown = new Map(judged.flatMap(({ limit }) => limit.unknown.map((one) => [one.resource, one.why])));
  const notJudged = [...unknown].map(([resource, why]) => `${limitName(resource)} (${why})`).join('; ');
  return {
    title: TITLE,
    lines: [
      ...judged.map(({ name, limit }) => `${name}: ${sentenceOf(limit)}`),
      ...next.map((text) => `Next: ${text}`),
    ],
    notes: [...(notJudged === '' ? [] : [`Not judged: ${notJudged}.`]), ...figureNotes(report)],
  };
}

export const LIMIT_COLUMNS: readonly CsvColumn[] = [
  { name: 'limit', read: (cell) => cell.limit?.name ?? null },
  { name: 'limit in trials', read: (cell) => cell.limit?.trials ?? null },
  { name: 'limit judged by', read: (cell) => cell.limit?.evidence[0]?.figure ?? null },
  { name: 'limit figure (share)', read: (cell) => cell.limit?.evidence[0]?.value ?? null },
  { name: 'limit from (share)', read: (cell) => cell.limit?.evidence[0]?.from ?? null },
  // Reads the CPU use from which the bottleneck was determined, because older results contain it but not the metric `cluster.cpu`.
  { name: 'CPU share (of the busiest node)', read: (cell) => cell.server?.busiest.cpuShare ?? null },
  {
    name: 'limit not judged',
    read: (cell) => cell.limit?.unknown.map(({ resource }) => resource).join('; ') ?? null,
  },
];
