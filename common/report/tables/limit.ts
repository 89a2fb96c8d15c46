/** Which resource was the limit in each cell: as a table with its evidence, and as a line for a terminal. */
import type { CellLimit, LimitName } from '../../analysis/limiting-factor';
import { cellNames } from '../model/cell-names';
import { COLLECTOR_HINT, isCollected } from './collected';
import type { Report } from '../model/report';
import { cell, left, type Table, type Tone } from './table';
import { wrap, type Paint } from '../render/text-layout';

const NAMES: Partial<Record<LimitName, string>> = { cpu: 'CPU', gc: 'GC' };

/** As it is written: `CPU`, `disk wait`. */
export const limitName = (name: LimitName): string => NAMES[name] ?? name;

/** A generator at its limit is a flaw of the measurement; a target at its limit is what was looked for. */
const TONES: Partial<Record<LimitName, Tone>> = { generator: 'doubt', 'none found': 'quiet' };

/** `2 of 3 (else none found)`. */
function trialsOf({ trials, of, otherwise }: CellLimit): string {
  const others = otherwise.map(({ name }) => limitName(name)).join(', ');
  return `${trials} of ${of}${others === '' ? '' : ` (else ${others})`}`;
}

const listOf = (items: readonly { resource: LimitName; text: string }[]): string =>
  items.map(({ resource, text }) => `${limitName(resource)}: ${text}`).join('; ');

const unknownOf = ({ unknown }: CellLimit): string =>
  unknown.map(({ resource, why }) => `${limitName(resource)} (${why})`).join('; ');

const TITLE = 'What was the limit';

/** A machine that others keep busy looks idle to its nodes: they tell their own CPU time only. */
const CPU_NOTE =
  'CPU is that of Elasticsearch and the load generator; other processes on their machines are not seen.';
const SOME_CPU_NOTE =
  'CPU is the whole machine’s where a collector reads it; elsewhere that of Elasticsearch and the load generator alone.';

/** What is to be known of the figures, and how to know more. */
function figureNotes(report: Report): string[] {
  if (!isCollected(report)) return [CPU_NOTE, COLLECTOR_HINT];
  const judged = report.cells.filter(({ limit }) => limit !== null);
  if (judged.every(({ collected }) => collected?.everyMachine)) return [];
  return [judged.some(({ collected }) => collected?.cpuBusy) ? SOME_CPU_NOTE : CPU_NOTE];
}

const NOTE =
  'Evidence is that of the trial that shows it most clearly, on the busiest node. Where several were at their limit, ' +
  'the one that explains the others is named: what the machines lack before the queues in which it shows.';

/** Null where no trial was judged. */
export function limitTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ limit }, at) => (limit === null ? [] : [{ name: names[at]!, limit }]));
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
    ],
    rows: rows.map(({ name, limit }) => [
      cell(name),
      cell(limitName(limit.name), TONES[limit.name]),
      cell(trialsOf(limit)),
      cell(limit.why),
      cell(listOf(limit.also)),
      cell(unknownOf(limit)),
    ]),
  };
}

/** `CPU (93% of 2 cores busy); in 2 of 3 trials`. */
function sentenceOf(limit: CellLimit): string {
  const { name, why, also, trials, of, otherwise } = limit;
  const others = otherwise.map((other) => limitName(other.name)).join(', ');
  return [
    name === 'none found' ? `${name}, ${why}` : `${limitName(name)} (${why})`,
    ...(also.length === 0 || name === 'none found' ? [] : [`also ${listOf(also)}`]),
    ...(others === '' ? [] : [`in ${trials} of ${of} trials, else ${others}`]),
  ].join('; ');
}

/** One entry for each cell, and once what could not be judged; nothing where no trial was judged. */
export function limitLines(report: Report, width: number, paint: Paint): string[] {
  const { names } = cellNames(report);
  const judged = report.cells.flatMap(({ limit }, at) =>
    limit === null ? [] : [{ name: names[at]!, limit }],
  );
  if (judged.length === 0) return [];
  const unknown = new Map(judged.flatMap(({ limit }) => limit.unknown.map((one) => [one.resource, one.why])));
  const notJudged = [...unknown].map(([resource, why]) => `${limitName(resource)} (${why})`).join('; ');
  return [
    '',
    paint(TITLE, 'title'),
    ...judged.flatMap(({ name, limit }) =>
      wrap(`${name}: ${sentenceOf(limit)}`, width - 2, '  ').map((line) => `  ${line}`),
    ),
    ...[...(notJudged === '' ? [] : [`Not judged: ${notJudged}.`]), ...figureNotes(report)].flatMap((text) =>
      wrap(text, width - 2).map((line) => paint(`  ${line}`, 'quiet')),
    ),
  ];
}
