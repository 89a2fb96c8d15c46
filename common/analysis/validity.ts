/** Which trials may carry a verdict, and what must be known about those that do. */
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
import type { TaskSummary, TrialDocument } from '../measurement/trial';
import { formatDuration, formatNumber, formatPercent, plural } from '../units/format';
import { END_WORDS } from './highest-rate';
import { flaggedFigures, ownShares, sayOthers, sayOwnShare } from './instrument';
import { WEAK_BELOW_S, WEAK_CHANGE } from './steady';
import { formatChange } from './wording';
import { indexCount, unknownSentence, type IndexCount } from './index-count';
import { saySeats } from './seats';
import { sayAllUnasked } from './unasked';

/** More than this share of the offered requests never sent: the offered rate was missed. */
export const SATURATED_FROM = 0.01;
/** Fewest completed trials of a cell that go without a warning. */
export const ENOUGH_TRIALS = 3;
/**
 * Of documents that were judged by MSER-5 alone: the load may settle so late in the measured phase, as a share of it, before
 * that is worth a word, since MSER's point jumps by chance.
 */
const LATE_SHARE = 0.25;

/** Parts of an index that a doubt names. */
const MOST_PARTS = 6;

export type DoubtKind =
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

/** Something that the reader of a trial's figures must know. */
export interface Doubt {
  kind: DoubtKind;
  /** The task that it concerns; '' for the whole trial. */
  task: string;
  /** In words, without the trial's name. */
  detail: string;
  /** The part that it is about, in [0, 1]: how much of the machine, of the requests, of the lines. Absent where it has none. */
  share?: number;
  /** Percentiles that it is about. */
  percentiles?: readonly string[];
}

/** Only completed trials count in any statistic. */
export const counts = ({ trial }: TrialDocument): boolean => trial.state === 'completed';

/** Completed trials of the cell with `index`, in order of execution. */
export const trialsOf = (trials: readonly TrialDocument[], index: number): TrialDocument[] =>
  trials
    .filter((trial) => trial.cell.index === index && counts(trial))
    .sort((a, b) => a.trial.order - b.trial.order);

/** Share of the requests due in the measured phase that were never sent, in [0, 1]; null for closed executors. */
export function unsentShare({ offeredPerSecond, elapsedMs, unsent }: TaskSummary): number | null {
  if (offeredPerSecond === null) return null;
  const offered = (offeredPerSecond * elapsedMs) / 1000;
  return offered <= 0 ? 0 : Math.min(1, unsent / offered);
}

/** Whether the offered rate was missed: the throughput is then what the target could, and the latency grows with the trial's length. */
export const isSaturated = (task: TaskSummary): boolean => (unsentShare(task) ?? 0) > SATURATED_FROM;

/** What there is to doubt about a completed trial of the cell `own`; nothing for others, for they do not count. */
export function doubtsOf(cell: CellDefinition, document: TrialDocument): Doubt[] {
  if (!counts(document)) return [];
  const { generator, tasks, index } = document;
  const doubts: Doubt[] = [];
  const { unverified } = document.trial;
  if (unverified !== undefined) doubts.push({ kind: 'unverified', task: '', detail: unverified });
  const unlike = document.cluster?.unlike;
  if (unlike !== undefined) doubts.push({ kind: 'other-cluster', task: '', detail: unlike });
  const { unasked = [] } = document;
  if (unasked.length > 0)
    doubts.push({ kind: 'index-differs', task: '', detail: sayAllUnasked(unasked, MOST_PARTS) });
  doubts.push(...existingDoubts(document));
  const { kept = '' } = document.caches ?? {};
  if (kept !== '') doubts.push({ kind: 'not-cold', task: '', detail: kept });
  const asked = asksSynthetic(cell.index.settings, cell.index.mapping);
  if (asked !== '' && index?.modes !== undefined && index.modes.source !== 'synthetic')
    doubts.push({
      kind: 'source-stored',
      task: '',
      detail: `${asked} was asked for, ${index.modes.source} it is`,
    });
  doubts.push(...placeDoubts(document));
  for (const task of tasks) {
    doubts.push(...taskDoubts(cell, task));
    const own = ownShares(task, generator);
    const detail = own.map(sayOwnShare).filter(Boolean).join(' and ');
    if (detail !== '')
      doubts.push({ kind: 'own-latency', task: task.task, detail, percentiles: flaggedFigures(own) });
  }
  doubts.push(...documentsShort(cell, tasks));
  const count = indexCount(document, index?.docs ?? 0);
  return [...doubts, ...(index ? storedDoubts(count) : []), ...nothingMerged(document, count.acknowledged)];
}

/** Of what happened to nodes meanwhile, and of the load generator with its machine. */
export function placeDoubts({ generator, disturbances = [], clock }: TrialDocument): Doubt[] {
  const doubts: Doubt[] = disturbances.map(({ kind, detail }) => ({ kind, task: '', detail }));
  const apart = clock === undefined ? '' : sayClock(clock);
  if (apart !== '') doubts.push({ kind: 'clock-apart', task: '', detail: apart });
  if (generator?.limited) doubts.push({ kind: 'generator-limited', task: '', detail: generator.reason });
  const seats = saySeats(generator);
  if (seats !== '') doubts.push({ kind: 'seats-apart', task: '', detail: seats });
  const others = sayOthers(generator?.machine);
  if (others !== '')
    doubts.push({ kind: 'machine-shared', task: '', detail: others, share: generator!.machine!.others! });
  return doubts;
}

/** Of data that was there before: that it is not what the trials before were measured on. */
function existingDoubts({ existing }: TrialDocument): Doubt[] {
  if (existing === undefined) return [];
  const { name, changed, written, documents } = existing;
  const doubts: Doubt[] = [];
  if (changed !== '') doubts.push({ kind: 'data-changed', task: '', detail: `${name}: ${changed}` });
  if (written) {
    const detail = `began with ${plural(documents, 'document')}`;
    doubts.push({ kind: 'data-grows', task: '', detail });
  }
  return doubts;
}

/** What the index does not hold though it was acknowledged, and what it tells of documents that nobody was told of. */
function storedDoubts(count: IndexCount): Doubt[] {
  const { docs, before, acknowledged, fewer } = count;
  const doubts: Doubt[] = [];
  if (docs - before < acknowledged - fewer) {
    const detail = `the index holds ${formatNumber(docs - before)} of ${plural(acknowledged, 'accepted document')}`;
    doubts.push({ kind: 'documents-missing', task: '', detail });
  }
  const unknown = unknownSentence(count);
  if (unknown !== '') doubts.push({ kind: 'outcome-unknown', task: '', detail: unknown });
  return doubts;
}

/** Lucene's tiered policy merges from 8 to 10 segments of a size on (its `segmentsPerTier`, by version). */
const MERGED_FROM_SEGMENTS = 10;

/**
 * Documents that leave many segments have yet to be merged. Elasticsearch merges those with a `@timestamp` no earlier than
 * 32 of a size are there, so short trials of them hold what refreshes cost at once, and nothing of what they cost later.
 */
function nothingMerged({ server, index }: TrialDocument, stored: number): Doubt[] {
  if (stored === 0 || !server || server.partial || server.merges.count > 0 || !index) return [];
  const segments = index.segments / shardsIn(index.primaries);
  if (!(segments >= MERGED_FROM_SEGMENTS)) return [];
  return [
    { kind: 'nothing-merged', task: '', detail: `${formatNumber(Math.round(segments))} segments a shard` },
  ];
}

/** From this share of documents that were refused or failed on, throughput and latency alone tell a wrong story. */
const NOT_STORED_FROM = 0.01;

/** That a task sent nothing in the measured phase: its file had ended before, or nobody knows why. */
function nothingCounted(own: CellDefinition, { task, kind, total, sourceEndedMs }: TaskSummary): Doubt {
  if (sourceEndedMs === undefined) return { kind: 'nothing-counted', task, detail: '' };
  const what = plural(total.attempted, kind === 'ingest' ? 'document' : 'request');
  const warmup = formatDuration(durationMs(own.measure.warmup));
  const detail = `${what} in ${formatDuration(sourceEndedMs)} of a warm-up of ${warmup}`;
  return { kind: 'file-ended', task, detail };
}

/** What was not stored, and why, by the most frequent kind of failure. */
function notStored(own: CellDefinition, summary: TaskSummary): Doubt[] {
  const { task, counts: ended, errorRate, failures } = summary;
  if (ended.attempted === 0) return [nothingCounted(own, summary)];
  if (sumOf(ERRORS, ended) === 0 || errorRate < NOT_STORED_FROM) return [];
  const [type] = Object.entries(failures).sort(([, a], [, b]) => b.count - a.count)[0] ?? [''];
  return [
    {
      kind: 'not-stored',
      task,
      detail: `${formatPercent(errorRate)}${type === '' ? '' : ` (${type})`}`,
      share: errorRate,
    },
  ];
}

/**
 * Tasks whose load still changes in the measured phase, although a claim compares its means: they are means over different loads.
 * Without a claim a ramp is a way to look at the cluster, and nothing to warn about.
 */
export function measuredRamps({ expect, tasks, measure }: CellDefinition): Doubt[] {
  if (expect.length === 0) return [];
  const warmupMs = durationMs(measure.warmup);
  return tasks.flatMap(({ name, executor }): Doubt[] => {
    const changesMs = rampMs(executor);
    if (changesMs <= warmupMs) return [];
    const detail = `a ramp of ${formatDuration(changesMs)} and a warm-up of ${formatDuration(warmupMs)}`;
    return [{ kind: 'ramp-measured', task: name, detail }];
  });
}

/** A log of which a part could not be sent was not replayed as it was. */
function linesNotSent({ task, replay }: TaskSummary): Doubt[] {
  if (!replay) return [];
  const share = (replay.malformed + replay.refused) / Math.max(1, replay.lines);
  if (share < NOT_STORED_FROM) return [];
  const [why] = Object.entries(replay.refusals).sort(([, a], [, b]) => b - a)[0] ?? ['malformed'];
  return [{ kind: 'lines-not-sent', task, detail: `${formatPercent(share)} (${why})`, share }];
}

/** Lines that no pattern matched are no documents like the others. */
function linesUnparsed({ task, parsing }: TaskSummary): Doubt[] {
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

/** A file that ended before the documents that were asked for. */
function documentsShort(own: CellDefinition, tasks: readonly TaskSummary[]): Doubt[] {
  const wanted = own.measure.documents;
  const sent = tasks.reduce((sum, { kind, counts }) => sum + (kind === 'ingest' ? counts.attempted : 0), 0);
  if (wanted === undefined || sent >= wanted) return [];
  const detail = `${formatNumber(sent)} of ${plural(wanted, 'document')}`;
  return [{ kind: 'documents-short', task: '', detail }];
}

/** Ends of a search that left it open how much more is sustained. */
const UNBRACKETED: readonly RateEnd[] = ['max', 'time', 'undecided'];

/** A search without a confirmed rate has none to compare; one that was never stopped says only what is possible. */
function rateDoubts({ task, highestRate }: TaskSummary): Doubt[] {
  if (!highestRate) return [];
  const { confirmed, end, holdMs } = highestRate.answer;
  if (!confirmed) return [{ kind: 'rate-not-confirmed', task, detail: END_WORDS[end] }];
  const doubts: Doubt[] = [];
  if (UNBRACKETED.includes(end)) doubts.push({ kind: 'rate-without-end', task, detail: END_WORDS[end] });
  if (holdMs < FULL_HOLD_MS)
    doubts.push({ kind: 'rate-short', task, detail: `holds of ${formatDuration(holdMs)}` });
  return doubts;
}

/** Percentiles that would be higher if what was never answered or sent had gone on. Of a missed rate the doubt is graver. */
function lowerBounds({ task, censored, latencyHistogram }: TaskSummary): Doubt[] {
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

function taskDoubts(own: CellDefinition, summary: TaskSummary): Doubt[] {
  const { task } = summary;
  const doubts: Doubt[] = [
    ...notStored(own, summary),
    ...measuredRamps(own).filter((ramp) => ramp.task === task),
    ...linesNotSent(summary),
    ...linesUnparsed(summary),
    ...rateDoubts(summary),
  ];
  if (!isSaturated(summary)) doubts.push(...lowerBounds(summary));
  else {
    doubts.push({
      kind: 'saturated',
      task,
      detail: `${formatPercent(unsentShare(summary))} of its requests never sent`,
      share: unsentShare(summary)!,
    });
  }
  if (!settles(executorOf(own, task))) return doubts;
  return [...doubts, ...steadyDoubts(own, summary)];
}

function steadyDoubts(own: CellDefinition, { task, steady, elapsedMs }: TaskSummary): Doubt[] {
  if (steady === null) return [{ kind: 'too-short', task, detail: 'under one minute measured' }];
  const { settled, afterSeconds, change, findsFrom } = steady;
  if (!settled) {
    const how = change === undefined ? 'drifted to the end' : `changed by ${formatChange(1 + change)}`;
    return [{ kind: 'unsettled', task, detail: `throughput ${how}` }];
  }
  const doubts: Doubt[] = [];
  const lateMs = change === undefined ? LATE_SHARE * elapsedMs : 0;
  // A cold start is to be seen in what is measured.
  const isCold = own.measure.caches === 'cold';
  if (!isCold && afterSeconds * 1000 > durationMs(own.measure.warmup) + lateMs) {
    doubts.push({ kind: 'settled-late', task, detail: `settled after ${afterSeconds} s of load` });
  }
  if (findsFrom !== undefined && findsFrom > WEAK_CHANGE && elapsedMs < WEAK_BELOW_S * 1000) {
    const detail = `a drift below ${formatPercent(findsFrom)} may be missed in ${Math.round(elapsedMs / 1000)} s`;
    doubts.push({ kind: 'steady-weak', task, detail });
  }
  return doubts;
}

const executorOf = (own: CellDefinition, name: string): Definition['tasks'][number]['executor'] =>
  own.tasks.find((task) => task.name === name)?.executor ?? {};

/** Whether the task's load is offered on a schedule (open loop), in the cell. */
export const isOpen = (own: CellDefinition, name: string): boolean => isOpenExecutor(executorOf(own, name));
