/** Selects the trials that count in a verdict, and returns the warnings about them. */
import type { CellDefinition } from '../experiment/cell-definition';
import { asksSynthetic } from '../elasticsearch/settings';
import { durationMs, type Definition } from '../experiment/definition';
import { FULL_HOLD_MS } from '../executors/highest-rate';
import { isOpen as isOpenExecutor, rampMs, settles } from '../executors/registry';
import type { RateEnd } from '../measurement/highest-rate';
import type { DisturbanceKind } from '../measurement/disturbance';
import { shardsIn } from '../measurement/server';
import { decodeHistogram } from '../measurement/histogram';
import { sayClock } from '../measurement/target-clock';
import { censoredTimes } from '../measurement/censored';
import { ERRORS, sumOf } from '../measurement/outcomes';
import { alikeShare } from '../measurement/same-answers';
import { DIFFERENCES, OTHER_ANSWER, type DifferenceKind } from '../traffic/compare';
import type { TaskSummary, TrialDocument } from '../measurement/trial';
import { formatDuration, formatNumber, formatPercent, plural } from '../units/format';
import { END_WORDS } from './highest-rate';
import { flaggedFigures, ownShares, sayOthers, sayOwnShare } from './instrument';
import { WEAK_BELOW_S, WEAK_CHANGE } from './steady';
import { formatChange } from './wording';
import { indexCount, unknownSentence, type IndexCount } from './index-count';
import { saySeats } from './seats';
import { sayAllUnasked } from './unasked';

/** Share of the offered requests that were never sent, above which the offered rate was missed. */
export const SATURATED_FROM = 0.01;
/** Number of completed trials per cell below which there is a warning. */
export const ENOUGH_TRIALS = 3;
/**
 * Share of the measured phase up to which the start-up of a load may last without a warning. It applies only to trials of earlier versions
 * of Dyno. They determined the end of the start-up with a statistic (MSER-5) that varies by chance.
 */
const LATE_SHARE = 0.25;

/** Maximum number of settings and mappings of an index that a warning lists. */
const MOST_PARTS = 6;

export type WarningKind =
  | 'unverified'
  | 'other-cluster'
  | 'index-differs'
  | 'data-changed'
  | 'data-grows'
  | 'not-cold'
  | 'source-stored'
  | DisturbanceKind
  | 'clock-apart'
  | 'generator-limited'
  | 'seats-apart'
  | 'machine-shared'
  | 'own-latency'
  | 'not-stored'
  | 'file-ended'
  | 'nothing-counted'
  | 'ramp-measured'
  | 'documents-short'
  | 'lines-not-sent'
  | 'lines-unparsed'
  | 'answers-differ'
  | 'rate-not-confirmed'
  | 'rate-without-end'
  | 'rate-short'
  | 'saturated'
  | 'unsettled'
  | 'settled-late'
  | 'steady-weak'
  | 'too-short'
  | 'nothing-merged'
  | 'documents-missing'
  | 'outcome-unknown'
  | 'latency-lower-bound';

/** A warning about a trial that a reader of its metrics must know. */
export interface TrialWarning {
  kind: WarningKind;
  /** The task to which the warning refers; '' for the whole trial. */
  task: string;
  /** Text of the warning, without the number of the trial. */
  detail: string;
  /** Affected share of the machine, of the requests or of the lines, in [0, 1]. Undefined if the warning has no share. */
  share?: number;
  /** Affected percentiles, such as `p99`. */
  percentiles?: readonly string[];
}

/** Returns whether a trial counts in statistics. Only completed trials count. */
export const counts = ({ trial }: TrialDocument): boolean => trial.state === 'completed';

/** Returns the completed trials of the cell with this index, in the order of their execution. */
export const trialsOf = (trials: readonly TrialDocument[], index: number): TrialDocument[] =>
  trials
    .filter((trial) => trial.cell.index === index && counts(trial))
    .sort((a, b) => a.trial.order - b.trial.order);

/**
 * Returns the share of the requests due in the measured phase that were never sent, in [0, 1]. Null if clients wait for responses (closed
 * executors).
 */
export function unsentShare({ offeredPerSecond, elapsedMs, unsent }: TaskSummary): number | null {
  if (offeredPerSecond === null) return null;
  const offered = (offeredPerSecond * elapsedMs) / 1000;
  return offered <= 0 ? 0 : Math.min(1, unsent / offered);
}

/**
 * Returns whether the load did not reach the offered rate. The throughput is then the maximum of the target. Latencies say little in this
 * case: they grow during the trial, because more and more requests wait.
 */
export const isSaturated = (task: TaskSummary): boolean => (unsentShare(task) ?? 0) > SATURATED_FROM;

/** Returns the warnings about a completed trial of `cell`. Returns none for a trial that did not complete, because it does not count. */
export function warningsOf(cell: CellDefinition, document: TrialDocument): TrialWarning[] {
  if (!counts(document)) return [];
  const { generator, tasks, index } = document;
  const warnings: TrialWarning[] = [];
  const { unverified } = document.trial;
  if (unverified !== undefined) warnings.push({ kind: 'unverified', task: '', detail: unverified });
  const unlike = document.cluster?.unlike;
  if (unlike !== undefined) warnings.push({ kind: 'other-cluster', task: '', detail: unlike });
  const { unasked = [] } = document;
  if (unasked.length > 0)
    warnings.push({ kind: 'index-differs', task: '', detail: sayAllUnasked(unasked, MOST_PARTS) });
  warnings.push(...existingDataWarnings(document));
  const { kept = '' } = document.caches ?? {};
  if (kept !== '') warnings.push({ kind: 'not-cold', task: '', detail: kept });
  const asked = asksSynthetic(cell.index.settings, cell.index.mapping);
  if (asked !== '' && index?.modes !== undefined && index.modes.source !== 'synthetic')
    warnings.push({
      kind: 'source-stored',
      task: '',
      detail: `${asked} was requested, but it is ${index.modes.source}`,
    });
  warnings.push(...placeWarnings(document));
  for (const task of tasks) {
    warnings.push(...taskWarnings(cell, task));
    const own = ownShares(task, generator);
    const detail = own.map(sayOwnShare).filter(Boolean).join(' and ');
    if (detail !== '')
      warnings.push({ kind: 'own-latency', task: task.task, detail, percentiles: flaggedFigures(own) });
  }
  warnings.push(...documentsShort(cell, tasks));
  const count = indexCount(document, index?.docs ?? 0);
  return [
    ...warnings,
    ...(index ? storedWarnings(count) : []),
    ...nothingMerged(document, count.acknowledged),
  ];
}

/** Returns the warnings about nodes during the trial, and about the load generator and its machine. */
export function placeWarnings({ generator, disturbances = [], clock }: TrialDocument): TrialWarning[] {
  const warnings: TrialWarning[] = disturbances.map(({ kind, detail }) => ({ kind, task: '', detail }));
  const apart = clock === undefined ? '' : sayClock(clock);
  if (apart !== '') warnings.push({ kind: 'clock-apart', task: '', detail: apart });
  if (generator?.limited) warnings.push({ kind: 'generator-limited', task: '', detail: generator.reason });
  const seats = saySeats(generator);
  if (seats !== '') warnings.push({ kind: 'seats-apart', task: '', detail: seats });
  const others = sayOthers(generator?.machine);
  if (others !== '')
    warnings.push({ kind: 'machine-shared', task: '', detail: others, share: generator!.machine!.others! });
  return warnings;
}

/**
 * Returns the warnings about an index that existed before the run: that somebody else changed it between trials, or that the trials write
 * to it.
 */
function existingDataWarnings({ existing }: TrialDocument): TrialWarning[] {
  if (existing === undefined) return [];
  const { name, changed, written, documents } = existing;
  const warnings: TrialWarning[] = [];
  if (changed !== '') warnings.push({ kind: 'data-changed', task: '', detail: `${name}: ${changed}` });
  if (written) {
    const detail = `began with ${plural(documents, 'document')}`;
    warnings.push({ kind: 'data-grows', task: '', detail });
  }
  return warnings;
}

/** Returns the warnings about acknowledged documents that are missing in the index, and about documents with an unknown outcome. */
function storedWarnings(count: IndexCount): TrialWarning[] {
  const { docs, before, acknowledged, fewer } = count;
  const warnings: TrialWarning[] = [];
  if (docs - before < acknowledged - fewer) {
    const detail = `the index holds ${formatNumber(docs - before)} of ${plural(acknowledged, 'accepted document')}`;
    warnings.push({ kind: 'documents-missing', task: '', detail });
  }
  const unknown = unknownSentence(count);
  if (unknown !== '') warnings.push({ kind: 'outcome-unknown', task: '', detail: unknown });
  return warnings;
}

/**
 * Number of segments of similar size at which Lucene's tiered policy starts to merge: 8 to 10, depending on the version
 * (`segmentsPerTier`).
 */
const MERGED_FROM_SEGMENTS = 10;

/**
 * Returns a warning if no merge ended and many segments are left. `stored`: number of documents that the trial stored.
 *
 * Elasticsearch merges segments of documents with a `@timestamp` only when 32 segments of similar size exist. A short trial may therefore
 * end before its first merge. Its result then does not include the cost of merging.
 */
function nothingMerged({ server, index }: TrialDocument, stored: number): TrialWarning[] {
  if (stored === 0 || !server || server.partial || server.merges.count > 0 || !index) return [];
  const segments = index.segments / shardsIn(index.primaries);
  if (!(segments >= MERGED_FROM_SEGMENTS)) return [];
  return [
    { kind: 'nothing-merged', task: '', detail: `${formatNumber(Math.round(segments))} segments a shard` },
  ];
}

/** Minimum share of rejected or failed documents that makes throughput and latency alone misleading. */
const NOT_STORED_FROM = 0.01;

/**
 * Returns the warning about a task that sent nothing in the measured phase. Its file may have ended before the phase, or the reason is
 * unknown.
 */
function nothingCounted(
  own: CellDefinition,
  { task, kind, total, sourceEndedMs }: TaskSummary,
): TrialWarning {
  if (sourceEndedMs === undefined) return { kind: 'nothing-counted', task, detail: '' };
  const what = plural(total.attempted, kind === 'ingest' ? 'document' : 'request');
  const warmup = formatDuration(durationMs(own.measure.warmup));
  const detail = `${what} in ${formatDuration(sourceEndedMs)} of a warm-up of ${warmup}`;
  return { kind: 'file-ended', task, detail };
}

/**
 * Returns the warning about rejected and failed documents. It names the most frequent kind of failure. In a replay of recorded traffic,
 * {@link answersDiffer} returns a separate warning about responses that differ from the recorded ones.
 */
function notStored(own: CellDefinition, summary: TaskSummary): TrialWarning[] {
  const { task, counts: ended } = summary;
  if (ended.attempted === 0) return [nothingCounted(own, summary)];
  const { [OTHER_ANSWER]: different, ...failures } = summary.failures;
  const share = (sumOf(ERRORS, ended) - (different?.count ?? 0)) / ended.attempted;
  if (share <= 0 || share < NOT_STORED_FROM) return [];
  const [type] = Object.entries(failures).sort(([, a], [, b]) => b.count - a.count)[0] ?? [''];
  return [
    {
      kind: 'not-stored',
      task,
      detail: `${formatPercent(share)}${type === '' ? '' : ` (${type})`}`,
      share,
    },
  ];
}

/**
 * Minimum share of the compared responses of a replay that must match the recorded responses. If fewer match, the replayed work was not the
 * recorded work.
 */
const ALIKE_FROM = 0.95;

/**
 * Returns a warning about a replay of recorded traffic if too many responses differ from the recorded ones. It names the most frequent
 * difference.
 */
function answersDiffer({ task, answers }: TaskSummary): TrialWarning[] {
  const alike = answers === undefined ? null : alikeShare(answers);
  if (alike === null || alike >= ALIKE_FROM) return [];
  const [kind] = Object.entries(answers!.differences).sort(([, a], [, b]) => b - a)[0] ?? [''];
  const what = DIFFERENCES[kind as DifferenceKind] ?? kind;
  const share = 1 - alike;
  return [{ kind: 'answers-differ', task, detail: `${formatPercent(share)} (mostly ${what})`, share }];
}

/**
 * Returns a warning for each task whose ramp (rising load) extends into the measured phase. Claims would then compare means over varying
 * loads. Returns none if the definition has no claims, because a ramp is then a valid way to explore a cluster.
 */
export function measuredRamps({ expect, tasks, measure }: CellDefinition): TrialWarning[] {
  if (expect.length === 0) return [];
  const warmupMs = durationMs(measure.warmup);
  return tasks.flatMap(({ name, executor }): TrialWarning[] => {
    const changesMs = rampMs(executor);
    if (changesMs <= warmupMs) return [];
    const detail = `a ramp of ${formatDuration(changesMs)} and a warm-up of ${formatDuration(warmupMs)}`;
    return [{ kind: 'ramp-measured', task: name, detail }];
  });
}

/** Returns a warning if part of a replayed log could not be sent. */
function linesNotSent({ task, replay }: TaskSummary): TrialWarning[] {
  if (!replay) return [];
  const share = (replay.malformed + replay.refused) / Math.max(1, replay.lines);
  if (share < NOT_STORED_FROM) return [];
  const [why] = Object.entries(replay.refusals).sort(([, a], [, b]) => b - a)[0] ?? ['malformed'];
  return [{ kind: 'lines-not-sent', task, detail: `${formatPercent(share)} (${why})`, share }];
}

/** Returns a warning if too many raw lines could not be parsed, because they did not match the pattern of their format. */
function linesUnparsed({ task, parsing }: TaskSummary): TrialWarning[] {
  if (!parsing) return [];
  const [unparsed, lines] =
    parsing.by === 'workers'
      ? [parsing.parsers.account.unparsed, parsing.parsers.account.lines]
      : [parsing.pipeline?.unparsed ?? 0, parsing.pipeline?.documents ?? 0];
  const share = unparsed / Math.max(1, lines);
  return share < NOT_STORED_FROM
    ? []
    : [{ kind: 'lines-unparsed', task, detail: formatPercent(share), share }];
}

/** Returns a warning if the source of documents ended before it had provided the number of documents in the definition. */
function documentsShort(own: CellDefinition, tasks: readonly TaskSummary[]): TrialWarning[] {
  const wanted = own.measure.documents;
  const sent = tasks.reduce((sum, { kind, counts }) => sum + (kind === 'ingest' ? counts.attempted : 0), 0);
  if (wanted === undefined || sent >= wanted) return [];
  const detail = `${formatNumber(sent)} of ${plural(wanted, 'document')}`;
  return [{ kind: 'documents-short', task: '', detail }];
}

/**
 * Reasons for which a search for the highest rate ends without an upper limit: whether the target sustains higher rates remains unknown.
 */
const UNBRACKETED: readonly RateEnd[] = ['max', 'time', 'undecided'];

/**
 * Returns the warnings about a search for the highest rate. If the search confirmed no rate, the trial has no result, and this is the only
 * warning.
 */
function rateWarnings({ task, highestRate }: TaskSummary): TrialWarning[] {
  if (!highestRate) return [];
  const { confirmed, end, holdMs } = highestRate.answer;
  if (!confirmed) return [{ kind: 'rate-not-confirmed', task, detail: END_WORDS[end] }];
  const warnings: TrialWarning[] = [];
  if (UNBRACKETED.includes(end)) warnings.push({ kind: 'rate-without-end', task, detail: END_WORDS[end] });
  if (holdMs < FULL_HOLD_MS)
    warnings.push({ kind: 'rate-short', task, detail: `holds of ${formatDuration(holdMs)}` });
  return warnings;
}

/**
 * Returns a warning if percentiles are only lower bounds, because some requests got no response or were never sent. Returns no warning if
 * the offered rate was missed, because a more severe warning covers that.
 */
function lowerBounds({ task, censored, latencyHistogram }: TaskSummary): TrialWarning[] {
  if (censored === undefined) return [];
  const times = censoredTimes(decodeHistogram(latencyHistogram), [censored])!;
  const { unanswered, neverSent } = times;
  const bounds = times.lowerBounds.filter((key) => key !== 'max');
  if (unanswered.count === 0 && bounds.length === 0) return [];
  const detail = [
    unanswered.count > 0 ? `${plural(unanswered.count, 'request')} never answered` : '',
    neverSent.count > 0 ? `${formatNumber(neverSent.count)} due and never sent` : '',
    bounds.length > 0 ? `lower bounds from ${bounds[0]!.replace('_', '.')} on` : '',
  ];
  return [{ kind: 'latency-lower-bound', task, detail: detail.filter(Boolean).join(', ') }];
}

function taskWarnings(own: CellDefinition, summary: TaskSummary): TrialWarning[] {
  const { task } = summary;
  const warnings: TrialWarning[] = [
    ...notStored(own, summary),
    ...measuredRamps(own).filter((ramp) => ramp.task === task),
    ...linesNotSent(summary),
    ...linesUnparsed(summary),
    ...answersDiffer(summary),
    ...rateWarnings(summary),
  ];
  if (!isSaturated(summary)) warnings.push(...lowerBounds(summary));
  else {
    warnings.push({
      kind: 'saturated',
      task,
      detail: `${formatPercent(unsentShare(summary))} of its requests never sent`,
      share: unsentShare(summary)!,
    });
  }
  if (!settles(executorOf(own, task))) return warnings;
  return [...warnings, ...steadyWarnings(own, summary)];
}

function steadyWarnings(own: CellDefinition, { task, steady, elapsedMs }: TaskSummary): TrialWarning[] {
  if (steady === null) return [{ kind: 'too-short', task, detail: 'under one minute measured' }];
  const { settled, afterSeconds, change, findsFrom } = steady;
  if (!settled) {
    const how = change === undefined ? 'drifted to the end' : `changed by ${formatChange(1 + change)}`;
    return [{ kind: 'unsettled', task, detail: `throughput ${how}` }];
  }
  const warnings: TrialWarning[] = [];
  const lateMs = change === undefined ? LATE_SHARE * elapsedMs : 0;
  // If caches are cleared, the trial measures the cold start on purpose.
  const isCold = own.measure.caches === 'cold';
  if (!isCold && afterSeconds * 1000 > durationMs(own.measure.warmup) + lateMs) {
    warnings.push({ kind: 'settled-late', task, detail: `settled after ${afterSeconds} s of load` });
  }
  if (findsFrom !== undefined && findsFrom > WEAK_CHANGE && elapsedMs < WEAK_BELOW_S * 1000) {
    const detail = `a drift below ${formatPercent(findsFrom)} may be missed in ${Math.round(elapsedMs / 1000)} s`;
    warnings.push({ kind: 'steady-weak', task, detail });
  }
  return warnings;
}

const executorOf = (own: CellDefinition, name: string): Definition['tasks'][number]['executor'] =>
  own.tasks.find((task) => task.name === name)?.executor ?? {};

/** Returns whether the task with this name sends requests at a planned rate, without waiting for responses (open executor). */
export const isOpen = (own: CellDefinition, name: string): boolean => isOpenExecutor(executorOf(own, name));
