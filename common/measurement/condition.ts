/**
 * Parses two texts of a definition: conditions (`ingest.rejection_rate < 1%`) and claims (`ingest.throughput rises with
 * index.settings.refresh_interval`). All conditions have the same form, and so have all claims. Regular expressions are therefore
 * sufficient.
 */
import { nearest } from '../near';
import { BYTES_FORM, parseBytes } from '../units/bytes';
import { parseDuration } from '../units/duration';
import { CLUSTER } from './cluster-metrics';
import {
  answerFigureOf,
  CLUSTER_FIGURE_NAMES,
  FIGURE_NAMES,
  INDEX,
  INDEX_FIGURE_NAMES,
  isOfTask,
  parseMetric,
  REQUEST_FIGURE_NAMES,
  type Metric,
} from './metric';
import { OVER } from './node-metric';

/** A bound on a metric. It is used by thresholds, which results must meet, and by `stop-when`, which ends a trial early. */
export interface Condition {
  text: string;
  metric: Metric;
  operator: '<' | '<=' | '>' | '>=';
  /** Value of the bound, in the metric's unit: shares in [0, 1], times in ms. */
  value: number;
}

/** A claim: a statement about how a metric changes with a factor. A run confirms the claim, refutes it or leaves it undecided. */
export interface Claim {
  text: string;
  metric: Metric;
  relation: 'rises' | 'falls' | 'stays';
  /** Path of the factor. The metric is claimed to change from each of the factor's values to the next, in the order of the definition. */
  factor: string;
  /** First and last value of the factor between which the metric is claimed to change, as written. Null for all values of the factor. */
  range: { from: string; to: string } | null;
  /**
   * Minimum relative change from the first to the last value of the factor, such as 0.1 for `by at least 10%`. With null, the claim is
   * confirmed by any change in its direction that is larger than the experiment's margin.
   */
  atLeast: number | null;
  /**
   * Maximum relative change in the claimed direction, such as 0.1 for `by at most 10%`. The claim then also holds without a change, or with
   * a change in the other direction. Null if unbounded.
   */
  atMost: number | null;
}

/** The reason why a text is invalid, and the allowed values. */
export interface LanguageError {
  message: string;
  allowed: string;
  /** The sentence that the author probably meant. */
  meant?: string;
}

export const METRIC_FORM =
  `a metric is <task>.<figure>; figures are ${FIGURE_NAMES.join(', ')}; ` +
  `or <task>.<request>.<figure> of one search by its name, with ${REQUEST_FIGURE_NAMES.join(', ')}; ` +
  `or ${INDEX}.<figure> of the indices after the trial, with ${INDEX_FIGURE_NAMES.join(', ')}; ` +
  `or ${CLUSTER}.<figure> of the nodes and their machines, with ${CLUSTER_FIGURE_NAMES.join(', ')}: ` +
  `${CLUSTER}.<role>.<figure> of the nodes of a role, and .${OVER.join(', .')} (not of shares) after it for how the nodes are combined`;

/** A task whose metrics conditions and claims may use. */
export interface NamedTask {
  name: string;
  /** Names of the task's requests, as metrics write them. Null if the names are not known in advance; any name is then accepted. */
  requests: readonly string[] | null;
  /** Names of the numbers that the task reads from responses: `<request>.<name>`. */
  answerFigures: readonly string[];
}

interface ValueReader {
  form: string;
  read: (text: string) => number | undefined;
}

const PER_SECOND: ValueReader = {
  form: 'a number per second',
  read: (text) => plainNumber(text.replace(/\/s$/, '')),
};

const VALUE_READERS: Record<Metric['unit'], ValueReader> = {
  share: {
    form: 'a percentage such as 1%',
    read: (text) => (/^\d+(\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) / 100 : undefined),
  },
  ms: { form: 'a duration such as 500ms or 2s', read: parseDuration },
  'per-second': PER_SECOND,
  'requests-per-second': PER_SECOND,
  'per-money': { form: 'a number for each unit of the currency', read: (text) => plainNumber(text) },
  bytes: { form: BYTES_FORM, read: parseBytes },
  'bytes-per-second': {
    form: `${BYTES_FORM}, a second`,
    read: (text) => parseBytes(text.replace(/\/s$/, '')),
  },
  'operations-per-second': PER_SECOND,
  count: { form: 'a number', read: (text) => plainNumber(text) },
  times: { form: 'a number such as 1.5', read: (text) => plainNumber(text) },
};

const plainNumber = (text: string): number | undefined =>
  /^\d[\d_]*(\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : undefined;

/**
 * Parses the name of a metric. Names of tasks are not checked if `tasks` is undefined. If the name is wrong, `meant` in the error is a
 * similar existing name.
 */
function metricOf(text: string, tasks: readonly NamedTask[] | undefined): Metric | LanguageError {
  const metric = parseMetric(text);
  if (!metric)
    return {
      message: `no such metric: ${text}`,
      allowed: METRIC_FORM,
      meant: metricMeant(text, tasks ?? []),
    };
  if (!tasks || !isOfTask(metric)) return metric;
  const task = tasks.find(({ name }) => name === metric.task);
  if (!task) {
    return {
      message: `no such task: ${metric.task}`,
      allowed: tasks.map(({ name }) => name).join(', '),
      meant: metricMeant(text, tasks),
    };
  }
  if (metric.request !== undefined && task.requests?.includes(metric.request) === false) {
    return {
      message: `${metric.task} has no request ${metric.request}`,
      allowed: task.requests.join(', ') || METRIC_FORM,
      meant: metricMeant(text, tasks),
    };
  }
  const ofAnswer = answerFigureOf(metric);
  if (ofAnswer !== undefined && !task.answerFigures.includes(`${metric.request}.${ofAnswer}`)) {
    return {
      message: `${metric.request} does not read ${ofAnswer} from its answers`,
      allowed: task.answerFigures.join(', ') || `a name in the figures of the request ${metric.request}`,
    };
  }
  return metric;
}

/** Returns the metrics that a definition with these tasks may name, except those that contain names of fields or roles. */
export const metricNames = (tasks: readonly NamedTask[]): string[] => [
  ...tasks.flatMap(({ name }) => FIGURE_NAMES.map((figure) => `${name}.${figure}`)),
  ...tasks.flatMap(({ name, requests, answerFigures }) => [
    ...(requests ?? []).flatMap((request) =>
      REQUEST_FIGURE_NAMES.filter((figure) => !figure.includes('<')).map(
        (figure) => `${name}.${request}.${figure}`,
      ),
    ),
    ...answerFigures.map((figure) => `${name}.${figure.replace('.', '.answer.')}`),
  ]),
  ...INDEX_FIGURE_NAMES.filter((figure) => !figure.includes('<')).map((figure) => `${INDEX}.${figure}`),
  ...CLUSTER_FIGURE_NAMES.map((figure) => `${CLUSTER}.${figure}`),
];

function metricMeant(text: string, tasks: readonly NamedTask[]): string | undefined {
  const [owner = ''] = text.split('.');
  const names = tasks.map(({ name }) => name);
  // To find the metric that was probably meant, searches the metrics of one task: the task with the given name, else the task with the most
  // similar name, else the first task.
  const meant = names.includes(owner) ? owner : (nearest(owner, names) ?? names[0]);
  const candidates = metricNames(tasks.filter(({ name }) => name === meant));
  return nearest(text, candidates) ?? candidates.find((name) => name.endsWith(`.${text}`));
}

const RELATIONS = ['rises', 'falls', 'stays'];

/** Returns a claim with its misspelt words corrected. Undefined if the corrected text is not a valid claim. */
function claimMeant(text: string): string | undefined {
  const [metric = '', relation = '', ...rest] = text.trim().split(/\s+/);
  const words = rest.map((word, at) =>
    at === 1 ? word : (nearest(word, ['with', 'from', 'to', 'by', 'at', 'least', 'most']) ?? word),
  );
  const meant = [metric, nearest(relation, RELATIONS) ?? relation, ...words].join(' ');
  return meant !== text && CLAIM.test(meant) ? meant : undefined;
}

/**
 * Replaces the suggestion in an error: the new suggestion is the whole condition instead of only its corrected word. `text`: the condition.
 * `part`: its wrong word.
 */
const inSentence = (error: LanguageError, text: string, part: string): LanguageError =>
  error.meant === undefined ? error : { ...error, meant: text.trim().replace(part, () => error.meant!) };

/** Parses a condition. Returns an error if it is invalid. */
export function parseCondition(text: string, tasks?: readonly NamedTask[]): Condition | LanguageError {
  const match = /^\s*([^\s<>]+)\s*(<=|>=|<|>)\s*(\S+)\s*$/.exec(text);
  if (!match) return { message: 'not a condition', allowed: '<metric> < <value>, with <, <=, > or >=' };
  const metric = metricOf(match[1]!, tasks);
  if ('message' in metric) return inSentence(metric, text, match[1]!);
  const reader = VALUE_READERS[metric.unit];
  const value = reader.read(match[3]!);
  if (value === undefined)
    return { message: `not a value of ${metric.figure}: ${match[3]}`, allowed: reader.form };
  return { text: text.trim(), metric, operator: match[2] as Condition['operator'], value };
}

const CLAIM =
  /^\s*(\S+)\s+(rises|falls|stays)\s+with\s+(\S+)(?:\s+from\s+(\S+)\s+to\s+(\S+))?(?:\s+by\s+at\s+(least|most)\s+(\d+(?:\.\d+)?)%)?\s*$/;

/** Parses a claim. Returns an error if it is invalid. `factors` are the paths that the experiment varies. */
export function parseClaim(
  text: string,
  tasks?: readonly NamedTask[],
  factors?: readonly string[],
): Claim | LanguageError {
  const match = CLAIM.exec(text);
  if (!match) {
    return {
      message: 'not a claim',
      allowed:
        '<metric> rises|falls|stays with <factor> [from <level> to <level>] [by at least|by at most <n>%]',
      meant: claimMeant(text),
    };
  }
  const metric = metricOf(match[1]!, tasks);
  if ('message' in metric) return inSentence(metric, text, match[1]!);
  const factor = match[3]!;
  if (factors && !factors.includes(factor)) {
    const error = {
      message: `not a factor of this experiment: ${factor}`,
      allowed: factors.join(', ') || 'the experiment has no factors',
      meant: nearest(factor, factors) ?? factors.find((path) => path.endsWith(`.${factor}`)),
    };
    return inSentence(error, text, factor);
  }
  const change = match[7] === undefined ? null : Number(match[7]) / 100;
  const isMost = match[6] === 'most';
  if (isMost && match[2] === 'stays')
    return {
      message: 'stays does not take "by at most", because the margin is the limit',
      allowed: 'falls or rises ... by at most <n>%, or stays without "by at most"',
    };
  return {
    text: text.trim(),
    metric,
    relation: match[2] as Claim['relation'],
    factor,
    range: match[4] === undefined ? null : { from: match[4], to: match[5]! },
    atLeast: isMost ? null : change,
    atMost: isMost ? change : null,
  };
}

/** Returns the claim as a sentence, which {@link parseClaim} can parse again. */
export function writtenClaim({
  metric,
  relation,
  factor,
  range,
  atLeast,
  atMost,
}: Pick<Claim, 'relation' | 'factor' | 'range' | 'atLeast' | 'atMost'> & { metric: string }): string {
  const percent = (share: number): string => `${Number((share * 100).toPrecision(12))}%`;
  return [
    `${metric} ${relation} with ${factor}`,
    ...(range === null ? [] : [`from ${range.from} to ${range.to}`]),
    ...(atLeast === null ? [] : [`by at least ${percent(atLeast)}`]),
    ...(atMost === null ? [] : [`by at most ${percent(atMost)}`]),
  ].join(' ');
}

/** Whether `value` satisfies `condition`. */
export function holds({ operator, value: bound }: Condition, value: number): boolean {
  switch (operator) {
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
  }
}
