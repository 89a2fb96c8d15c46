/** Builds the tables about a run: thresholds, trials in their order, and provenance. */
import { sayCertification } from '../../measurement/certification';
import { sayAllUnasked } from '../../analysis/unasked';
import { formatMetric, isResponseTime, listed } from '../../analysis/wording';
import { parseMetric } from '../../measurement/metric';
import { formatBytes, formatMs, formatNumber, plural } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import { trialOutcome, type TrialOutcome } from '../../measurement/trial';
import { engineWithVersion } from '../../elasticsearch/engine';
import type { NodeFacts } from '../../experiment/run';
import type { Report, ReportTrial } from '../model/report';
import { cell, left, optional, right, type Sentences, type Table, type TableCell, type Tone } from './table';

const metricOf = (threshold: string) => parseMetric(threshold.trim().split(/[\s<>=]/)[0] ?? '');

/**
 * Returns the note on thresholds for the latency of closed executors, whose latency is a response time; '' if there are no such thresholds.
 */
function responseTimeNote({ verdict, definition }: Report): string {
  const tasks = verdict.thresholds.flatMap(({ threshold }) => {
    const metric = metricOf(threshold);
    return metric?.figure.startsWith('latency.') && isResponseTime(definition, metric.task)
      ? [metric.task]
      : [];
  });
  return tasks.length === 0
    ? ''
    : `The latency of ${[...new Set(tasks)].join(', ')} is a response time: its clients wait for their answers, so a stall of the cluster delays few of their requests.`;
}

/** Returns the table of thresholds. Null if the definition has no thresholds. */
export function thresholdsTable(report: Report): Table | null {
  const { verdict } = report;
  if (verdict.thresholds.length === 0) return null;
  return {
    title: 'Thresholds, judged by the worst trial of all cells',
    note: responseTimeNote(report),
    columns: [left('threshold'), left('result'), right('worst'), left('in')],
    rows: verdict.thresholds.map(({ threshold, passed, value, cell: where }) => {
      const metric = metricOf(threshold);
      return [
        cell(threshold),
        passed ? cell('held', 'good') : value === null ? cell('no data', 'warning') : cell('not held', 'bad'),
        cell(metric ? formatMetric(metric, value, unitOf(report, metric.task)) : formatNumber(value)),
        cell(where),
      ];
    }),
  };
}

const STATES: Partial<Record<TrialOutcome, Tone>> = {
  unverified: 'warning',
  failed: 'bad',
  interrupted: 'bad',
  cancelled: 'warning',
  running: 'quiet',
};

const outcome = ({ state, unverified }: ReportTrial): TrialOutcome => trialOutcome(state, unverified);

const repeatNote = ({ repeats }: ReportTrial): string =>
  repeats === undefined ? '' : `repeated at the end: ${repeats}`;

export function trialsTable(report: Report): Table {
  const { heading, names } = cellNames(report);
  return {
    title: 'Trials in order of execution',
    note: '',
    columns: [
      right('#'),
      left(heading),
      left('state'),
      ...report.tasks.flatMap((task) => [right(`${task} ${unitOf(report, task)}`), right('p99')]),
      optional(left('notes')),
    ],
    rows: report.trials.map((trial) => [
      cell(String(trial.order + 1)),
      cell(names[trial.cellIndex] ?? trial.cell),
      cell(outcome(trial), STATES[outcome(trial)]),
      ...report.tasks.flatMap((name) => {
        const task = trial.tasks.find((own) => own.task === name);
        return [cell(formatNumber(task?.throughput)), cell(formatMs(task?.latencyP99))];
      }),
      cell(
        [
          trial.reason,
          trial.unverified ?? '',
          repeatNote(trial),
          ...new Set(
            trial.doubts.flatMap(({ kind }) => (kind === 'unverified' ? [] : [kind.replaceAll('-', ' ')])),
          ),
        ]
          .filter(Boolean)
          .join('; '),
        trial.doubts.length > 0 ? 'warning' : 'quiet',
      ),
    ]),
  };
}

/** Number of trials above which a terminal shows only trials with a note. */
const MOST_TRIALS = 24;

export function shortTrialsTable(report: Report): Table {
  const table = trialsTable(report);
  if (table.rows.length <= MOST_TRIALS) return table;
  const rows = table.rows.filter(
    (_, at) =>
      report.trials[at]!.state !== 'completed' ||
      report.trials[at]!.repeats !== undefined ||
      report.trials[at]!.doubts.length > 0,
  );
  return {
    ...table,
    title: `Trials with notes (${rows.length} of ${table.rows.length})`,
    rows,
  };
}

/** Builds the table of the provenance. Null if the run has no provenance. */
export function provenanceTable({ provenance }: Pick<Report, 'provenance'>): Table | null {
  if (provenance === null) return null;
  const { dyno, cluster, nodes, generator, resultsInTarget, sharedMachine, started, certification } =
    provenance;
  const { unasked, load } = provenance;
  const line = (name: string, text: string): TableCell[] => [cell(name), cell(text)];
  return {
    title: 'Provenance',
    note: '',
    columns: [left('what'), left('')],
    rows: [
      line('Dyno', dyno),
      line(
        'cluster',
        `${cluster.name} at ${cluster.url}, ${engineWithVersion(cluster)}, ${plural(nodes.length, 'node')}`,
      ),
      ...nodeGroups(nodes).map(({ names, facts }) =>
        line(`${names.length === 1 ? 'node' : 'nodes'} ${names.join(', ')}`, facts),
      ),
      line(
        'load generator',
        `${generator.host}, ${plural(generator.cores, 'core')}, memory ${formatBytes(generator.memoryBytes)}, ${generator.os}, Node.js ${generator.node}, ${plural(generator.workers, 'worker thread')}`,
      ),
      ...(certification === undefined ? [] : [line('instrument', sayCertification(certification))]),
      ...(load === undefined ? [] : [line('load', load.past || `to ${listed(load.nodes, 8)}`)]),
      ...(unasked === undefined || unasked.length === 0
        ? []
        : [line('added by the target', sayAllUnasked(unasked))]),
      line('results', resultsInTarget ? 'stored in the cluster under test' : 'stored in another cluster'),
      line(
        'machine',
        started
          ? 'shared by the cluster that Dyno started, the embedded Elasticsearch and the load generator'
          : sharedMachine
            ? 'shared by the cluster and the load generator'
            : 'the cluster and the load generator run on separate machines',
      ),
    ],
  };
}

export function provenanceSentences(report: Report): Sentences | null {
  const table = provenanceTable(report);
  return (
    table && {
      title: table.title,
      lines: table.rows.map(([what, text]) => `${what!.text}: ${text!.text}`),
      notes: [],
    }
  );
}

/** Groups nodes whose facts are equal. Returns the names of the nodes of each group, and their facts as text. */
function nodeGroups(nodes: readonly NodeFacts[]): { names: string[]; facts: string }[] {
  const groups = new Map<string, string[]>();
  for (const node of nodes) {
    const facts =
      `${node.version}, JVM ${node.jvm}, heap ${formatBytes(node.heapBytes)}, ${plural(node.cores, 'core')}, ` +
      `memory ${formatBytes(node.memoryBytes)}, disk ${node.disk} ${formatBytes(node.diskTotalBytes)}, ${node.os}, ${node.roles.join(' ')}`;
    groups.set(facts, [...(groups.get(facts) ?? []), node.name]);
  }
  return [...groups].map(([facts, names]) => ({ names, facts }));
}
