/** Creates the variables of an alert that its actions can use, and a sentence that summarises the alert. */
import { formatNumber, formatPercent } from '../../units/format';
import { causeInWords, causeKind } from './cause';
import { noCauses, rateOf, type TimeWindow } from './figures';
import type { Judgement, Level } from './evaluate';
import { groupingOf, recoveryOf, type Measure, type RejectionParams } from './params';

/** For each measure, the plural name of what it counts. */
export const UNIT_OF: Readonly<Record<Measure, string>> = {
  documents: 'documents',
  'write-pool': 'tasks of the write pool',
  'indexing-pressure': 'indexing operations',
};

/** Names and descriptions that Kibana shows to authors of messages. */
export const CONTEXT_VARIABLES = [
  { name: 'reason', description: 'What happened, in one sentence' },
  { name: 'level', description: 'warning, critical, nodata, or ok once it has recovered' },
  { name: 'previousLevel', description: 'The level before' },
  { name: 'group', description: 'The experiment, target, cluster or node, by its name' },
  { name: 'groupBy', description: 'experiment, target, cluster or node' },
  { name: 'measure', description: 'documents, write-pool or indexing-pressure' },
  { name: 'rate', description: 'Rejected of attempted, as a percentage' },
  { name: 'rateShare', description: 'Rejected of attempted, from 0 to 1' },
  { name: 'attempts', description: 'Attempts in the window' },
  { name: 'rejected', description: 'Rejections in the window' },
  { name: 'warningThreshold', description: 'As a percentage' },
  { name: 'criticalThreshold', description: 'As a percentage' },
  { name: 'recoveryThreshold', description: 'Below which a warning ends, as a percentage' },
  {
    name: 'cause',
    description: 'What refused them: a full write queue, indexing pressure with its stages, or both',
  },
  { name: 'causeKind', description: 'write-queue, indexing-pressure, mixed or unknown' },
  { name: 'queueRejections', description: 'Refused by a full write queue' },
  { name: 'coordinatingRejections', description: 'Refused by indexing pressure, coordinating' },
  { name: 'primaryRejections', description: 'Refused by indexing pressure, primary' },
  { name: 'replicaRejections', description: 'Refused by indexing pressure, replica' },
  { name: 'restarts', description: 'How often a node restarted in the window' },
  { name: 'window', description: 'Its length' },
  { name: 'from', description: 'Its beginning, ISO 8601' },
  { name: 'to', description: 'Its end, ISO 8601' },
  { name: 'run', description: 'Id of the run with the most rejections; empty outside runs' },
  { name: 'link', description: 'Link to that run in Dyno, or to the list of runs' },
] as const;

export type AlertContext = Record<(typeof CONTEXT_VARIABLES)[number]['name'], string | number>;

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  ok: 'Recovered',
  warning: 'Warning',
  critical: 'Critical',
  nodata: 'No data',
};

const instant = (ms: number): string => new Date(ms).toISOString();

function happened({ figures, ground, level, name, since, at }: Judgement, params: RejectionParams): string {
  const waits = `results of ${name} have been waiting to be stored since ${instant(since ?? 0)}, and are judged once they are stored`;
  if (ground === 'waiting' && (figures === null || level === 'nodata')) return waits;
  if (figures === null) {
    return name === 'no data'
      ? `the rule found no data in the last ${params.window}`
      : `${name} has no data in the last ${params.window}`;
  }
  const { attempted, rejected, causes } = figures;
  const when = at
    ? `from ${instant(at.from)} to ${instant(at.to)}, whose results arrived late`
    : `in the last ${params.window}`;
  const provoked = ground === 'silenced' ? ' that was not provoked on purpose' : '';
  if (attempted === 0) return `${name} had no attempts ${when}${provoked}`;
  const share = `${formatNumber(rejected)} of ${formatNumber(attempted)} ${UNIT_OF[params.measure]}`;
  const sentence = `${share} of ${name} were rejected ${when} (${formatPercent(rateOf(figures))})`;
  const cause = rejected > 0 ? `, refused by: ${causeInWords(causes)}` : '';
  const judged =
    ground === 'few'
      ? ', too few to judge'
      : ground === 'silenced'
        ? '; the rest was provoked on purpose'
        : ground === 'waiting'
          ? `; ${waits}`
          : '';
  return `${sentence}${cause}${judged}`;
}

/** Returns one sentence that explains why a group has this level of alert, or why it has no alert. */
export function reasonOf(judgement: Judgement, params: RejectionParams): string {
  const limit =
    judgement.level === 'warning' || judgement.level === 'critical'
      ? ` (threshold ${formatPercent(params[judgement.level])})`
      : '';
  return `${LEVEL_WORDS[judgement.level]}${limit}: ${happened(judgement, params)}`;
}

/**
 * Returns the variables of an alert's texts, such as the name of the experiment. `linkTo`: returns the complete URL of the page of the run
 * with this id; for null, the complete URL of the list of runs.
 */
export function contextOf(
  judgement: Judgement,
  params: RejectionParams,
  window: TimeWindow,
  linkTo: (run: string | null) => string,
): AlertContext {
  const { figures, level, was, name, at } = judgement;
  const { from, to } = at ?? window;
  const causes = figures?.causes ?? noCauses();
  const rate = figures === null ? 0 : rateOf(figures);
  return {
    reason: reasonOf(judgement, params),
    level,
    previousLevel: was,
    group: name,
    groupBy: groupingOf(params),
    measure: params.measure,
    rate: formatPercent(rate),
    rateShare: rate,
    attempts: figures?.attempted ?? 0,
    rejected: figures?.rejected ?? 0,
    warningThreshold: formatPercent(params.warning),
    criticalThreshold: formatPercent(params.critical),
    recoveryThreshold: formatPercent(recoveryOf(params).warning),
    cause: causeInWords(causes),
    causeKind: causeKind(causes),
    queueRejections: causes.queue,
    coordinatingRejections: causes.coordinating,
    primaryRejections: causes.primary,
    replicaRejections: causes.replica,
    restarts: figures?.restarts ?? 0,
    window: params.window,
    from: instant(from),
    to: instant(to),
    run: figures?.run ?? '',
    link: linkTo(figures?.run ?? null),
  };
}
