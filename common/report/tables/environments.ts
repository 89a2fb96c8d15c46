/** Builds the table of a run's environments: each label with the facts that Dyno found in the environment. */
import { describeCluster } from '../../experiment/requested-cluster';
import { byEnvironment } from '../../analysis/environments';
import { environmentLabel } from '../../experiment/environment';
import { engineWithVersion } from '../../elasticsearch/engine';
import type { NodeFacts, BlockFacts } from '../../experiment/run';
import { formatBytes, formatMinute, plural } from '../../units/format';
import type { Report } from '../model/report';
import {
  cell,
  left,
  optional,
  right,
  withoutEmptyColumns,
  type Sentences,
  type Table,
  type TableCell,
} from './table';

/** Returns the table of environments. Null if the definition has no labels, or if no environment has been measured yet. */
export function environmentTable({ environments, environmentsInTurn, provenance }: Report): Table | null {
  const found = byEnvironment(provenance);
  if (found.length === 0 || environments.every(({ label }) => label === '')) return null;
  const rows = environments.flatMap(({ label, trials }): TableCell[][] => {
    const blocks = found.find(([first]) => environmentLabel(first!.environment) === label) ?? [];
    const done = `${trials.completed} of ${trials.planned}`;
    const name = label || 'without labels';
    if (blocks.length === 0)
      return [[cell(name), cell(''), ...empty(5), cell('not yet', 'quiet'), cell(done)]];
    return blocks.map((block, at) => rowOf(name, block, at === 0 ? done : ''));
  });
  const isStarted = found.flat().some(({ started }) => started !== undefined);
  return withoutEmptyColumns({
    title: 'Environments',
    note: [
      'The label comes from the definition; the rest was found there.',
      isStarted
        ? 'Requested: the cluster that Dyno was asked to start on the machine of the load generator.'
        : '',
      environmentsInTurn
        ? 'The environments took turns: each repetition measured all of them, each on a new cluster.'
        : environments.length < 2
          ? ''
          : 'Environments were measured one after the other: differences between their cells include everything else that changed in between.',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left('environment'),
      optional(left('requested')),
      left('cluster'),
      left('engine'),
      right('nodes'),
      left('each node'),
      left('disk'),
      left('measured'),
      right('trials'),
    ],
    rows,
  });
}

/** Returns the environments as sentences for terminals, which have no space for the columns of the table. */
export function environmentSentences(report: Report): Sentences | null {
  const table = environmentTable(report);
  if (table === null) return null;
  const names = table.columns.map(({ name }) => name);
  return {
    title: table.title,
    lines: table.rows.map(
      ([label, ...found]) =>
        `${label!.text} · ${found.map(({ text }, at) => `${names[at + 1]} ${text}`).join(', ')}`,
    ),
    notes: [table.note],
  };
}

/**
 * Returns a caveat for comparisons across environments. Returns '' if there is only one environment. Also returns '' if trials alternated
 * between the environments, because the comparison is then fair.
 */
export const acrossEnvironments = ({ environments, environmentsInTurn }: Report): string =>
  environments.length < 2 || environmentsInTurn
    ? ''
    : 'Cells of different environments were measured one after the other, not interleaved: their difference includes everything else that changed in between.';

const empty = (count: number): TableCell[] => Array.from({ length: count }, () => cell('–'));

const rowOf = (name: string, block: BlockFacts, done: string): TableCell[] => [
  cell(name),
  cell(block.started ? describeCluster(block.started) : ''),
  cell(block.cluster.name),
  cell(engineWithVersion(block.cluster)),
  cell(String(block.nodes.length)),
  cell(kinds(block.nodes, machine)),
  cell(kinds(block.nodes, disk)),
  cell(formatMinute(block.since)),
  cell(done),
];

const machine = ({ cores, memoryBytes, heapBytes, os }: NodeFacts): string =>
  `${plural(cores, 'core')}, memory ${formatBytes(memoryBytes)}, heap ${formatBytes(heapBytes)}, ${os}`;

const disk = ({ disk: kind, diskTotalBytes }: NodeFacts): string => `${kind} ${formatBytes(diskTotalBytes)}`;

/** Describes nodes. `read`: returns the description of one node. If the descriptions differ, they are counted: `2 x this; 1 x that`. */
function kinds(nodes: readonly NodeFacts[], read: (node: NodeFacts) => string): string {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(read(node), (counts.get(read(node)) ?? 0) + 1);
  return counts.size === 1
    ? [...counts.keys()][0]!
    : [...counts].map(([kind, count]) => `${count} x ${kind}`).join('; ');
}
