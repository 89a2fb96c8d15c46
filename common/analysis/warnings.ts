/** Warnings about the trials of a run, as sentences. The most severe one comes first. */
import type { Definition } from '../experiment/definition';
import { environmentLabel } from '../experiment/environment';
import { definitionOf, type Plan } from '../experiment/plan';
import { areInTurn, blocksOf } from '../experiment/environment-blocks';
import type { TrialDocument } from '../measurement/trial';
import {
  counts,
  warningsOf,
  ENOUGH_TRIALS,
  measuredRamps,
  trialsOf,
  type TrialWarning,
  type WarningKind,
} from './validity';
import { FIGURE_KEYS, figureName } from './instrument';
import { WEAK_BELOW_S } from './steady';
import { INVALID_FROM, type Caution } from './trust';
import { joined, listed } from './wording';
import { formatPercent, plural, sentenceCase } from '../units/format';

const RAMP_ADVICE =
  'Its means and percentiles are over different loads. Make the warm-up at least as long as the ramp.';

/** Returns the distinct warnings about ramps of a plan that extend into the measured phase. For display before the run begins. */
export const rampWarnings = ({ cells }: Pick<Plan, 'cells'>): string[] => [
  ...new Set(
    cells.flatMap(({ definition }) =>
      measuredRamps(definition).map(
        ({ task, detail }) =>
          `The ramp of ${task} reaches into the measured phase (${detail}). ${RAMP_ADVICE}`,
      ),
    ),
  ),
];

/** Texts to insert into the sentences of a warning. */
interface Parts {
  /** Affected trials: `all 6 trials`, `5 of 6 trials (#2, #5)`. */
  share: string;
  tasks: string;
  /** Details after a colon: `: es-2 left`; '' without details. */
  details: string;
  /**
   * Largest share, for example of rejected documents, that an affected trial reports: `up to 50%`, or `50%` if all affected trials report
   * the same share. '' if no trial reports a share.
   */
  most: string;
  /** Affected percentiles: `p50, p90 and p99`; '' if no percentile is affected. */
  percentiles: string;
}

interface KindOfCaution {
  kind: WarningKind;
  /**
   * Best trust that a result with this warning can have. `none` applies only if at least the share {@link INVALID_FROM} of the trials is
   * affected; with fewer, the trust is `limited`. A `note` does not lower the trust.
   */
  level: Caution['level'];
  /** Returns the first sentence, without a full stop. Some pages show only this sentence. */
  brief: (parts: Parts) => string;
  /** Sentences about the consequence for the result, and about what to do; '' for no sentences. */
  rest: string;
}

/** Kinds of warnings, the most severe first. */
const KINDS: readonly KindOfCaution[] = [
  {
    kind: 'nothing-counted',
    level: 'none',
    brief: ({ share, tasks }) => `No request of ${tasks} was sent within the measured phase in ${share}`,
    rest: 'There is no result.',
  },
  {
    kind: 'file-ended',
    level: 'none',
    brief: ({ share, tasks, details }) => `The file of ${tasks} ended in the warm-up of ${share}${details}`,
    rest: 'Nothing was left for the measured phase. Use a larger file, a shorter warm-up, or measure.documents.',
  },
  {
    kind: 'other-cluster',
    level: 'none',
    brief: ({ share, details }) =>
      `The cluster was not the one that the environment asks for in ${share}${details}`,
    rest: 'The labels are wrong.',
  },
  {
    kind: 'documents-missing',
    level: 'none',
    brief: ({ share, details }) => `Accepted documents are missing from the index in ${share}${details}`,
    rest: '',
  },
  {
    kind: 'data-changed',
    level: 'none',
    brief: ({ share, details }) => `Others changed the measured data in ${share}${details}`,
    rest: 'The trials were not measured on the same documents and segments.',
  },
  {
    kind: 'generator-limited',
    level: 'none',
    brief: ({ share, details }) => `The load generator, not the cluster, was the limit in ${share}${details}`,
    rest: 'Use more load threads, or several machines to generate the load.',
  },
  {
    kind: 'rate-not-confirmed',
    level: 'none',
    brief: ({ share, tasks, details }) =>
      `The search for the highest rate of ${tasks} confirmed no rate in ${share}${details}`,
    rest: 'Those trials have no sustainable rate. Their other figures are of the step that came nearest.',
  },
  {
    kind: 'not-stored',
    level: 'limited',
    brief: ({ share, tasks, details, most }) =>
      `${sentenceCase(most)} of ${tasks} was rejected or failed in ${share}${details}`,
    rest: 'Latencies include those of refusals, which are quick.',
  },
  {
    kind: 'answers-differ',
    level: 'limited',
    brief: ({ share, tasks, most, details }) =>
      `${sentenceCase(most)} of the answers to ${tasks} differed from the recorded ones in ${share}${details}`,
    rest: 'The cluster did other work than in the recording. A faster wrong answer is not faster. The table of differing requests shows where to look.',
  },
  {
    kind: 'unverified',
    level: 'limited',
    brief: ({ share, details }) =>
      `The index could not be checked for missing documents in ${share}${details}`,
    rest: '',
  },
  {
    kind: 'machine-shared',
    level: 'limited',
    brief: ({ share, most }) => `Other work used ${most} of the load generator’s machine in ${share}`,
    rest: 'Throughput is lower and latency is longer for that reason. Run again on an idle machine.',
  },
  {
    kind: 'index-differs',
    level: 'limited',
    brief: ({ share, details }) => `The index was not what the definition says in ${share}${details}`,
    rest: 'The target added this. Only runs with the same additions can be compared.',
  },
  {
    kind: 'data-grows',
    level: 'limited',
    brief: ({ share, details }) => `What ${share} wrote stays in the data${details}`,
    rest: 'Each trial began with what those before it had left, so trials are not independent, and no interval includes that.',
  },
  {
    kind: 'not-cold',
    level: 'limited',
    brief: ({ share, details }) => `A cold start was not completely cold in ${share}${details}`,
    rest: '',
  },
  {
    kind: 'source-stored',
    level: 'limited',
    brief: ({ share, details }) => `The source of the documents was not synthetic in ${share}${details}`,
    rest: 'Bytes and throughput are not those of a synthetic source. It needs an Enterprise licence, and from version 9 on Elasticsearch reads only the setting index.mapping.source.mode.',
  },
  {
    kind: 'node-left',
    level: 'limited',
    brief: ({ share, details }) => `Nodes were lost in ${share}${details}`,
    rest: 'Their work went to the other nodes, or was lost with them.',
  },
  {
    kind: 'node-restarted',
    level: 'limited',
    brief: ({ share, details }) => `Nodes restarted in ${share}${details}`,
    rest: 'They did nothing in the meantime, and began with empty caches.',
  },
  {
    kind: 'node-refused',
    level: 'limited',
    brief: ({ share, details }) => `Nodes accepted no connections in ${share}${details}`,
    rest: 'Each time Dyno sent their part of the load to the other nodes for a while.',
  },
  {
    kind: 'seats-apart',
    level: 'limited',
    brief: ({ share, details }) =>
      `The machines that generated the load did not start together or share it evenly in ${share}${details}`,
    rest: 'The cluster was loaded unevenly.',
  },
  {
    kind: 'saturated',
    level: 'limited',
    brief: ({ share, tasks, most }) =>
      `The offered rate of ${tasks} was missed in ${share}: ${most} of the requests were never sent`,
    rest: 'The cluster, max-clients or the load generator could not do more. Latency grew with the length of the trial, so it says nothing about the cluster.',
  },
  {
    kind: 'ramp-measured',
    level: 'limited',
    brief: ({ tasks, share, details }) =>
      `The ramp of ${tasks} reaches into the measured phase of ${share}${details}`,
    rest: RAMP_ADVICE,
  },
  {
    kind: 'documents-short',
    level: 'limited',
    brief: ({ share, details }) =>
      `The source ended before all documents of the definition were sent in ${share}${details}`,
    rest: '',
  },
  {
    kind: 'lines-not-sent',
    level: 'limited',
    brief: ({ share, tasks, most, details }) =>
      `${sentenceCase(most)} of the log of ${tasks} was malformed, or of an old version without a rule for it, and not sent in ${share}${details}`,
    rest: 'The load was not the recorded one.',
  },
  {
    kind: 'lines-unparsed',
    level: 'limited',
    brief: ({ share, tasks, most }) =>
      `${sentenceCase(most)} of the lines of ${tasks} were not parsed in ${share}`,
    rest: 'They cost less to index than parsed lines, or were skipped.',
  },
  {
    kind: 'outcome-unknown',
    level: 'limited',
    brief: ({ share, details }) => `The outcome of some documents is unknown in ${share}${details}`,
    rest: 'They are not in the throughput.',
  },
  {
    kind: 'own-latency',
    level: 'limited',
    brief: ({ share, tasks, percentiles }) =>
      `Dyno itself may have added more than 10% to ${percentiles} of ${tasks} in ${share}`,
    rest: 'The cluster may be faster than shown. Throughput is not affected.',
  },
  {
    kind: 'latency-lower-bound',
    level: 'limited',
    brief: ({ share, tasks, details }) => `Some requests of ${tasks} did not end in ${share}${details}`,
    rest: 'They are in the latencies with the time that they had waited until then.',
  },
  {
    kind: 'rate-without-end',
    level: 'limited',
    brief: ({ share, tasks, details }) =>
      `The search for the highest rate of ${tasks} ended before it had found a rate that fails in ${share}${details}`,
    rest: 'The cluster may sustain more.',
  },
  {
    kind: 'unsettled',
    level: 'limited',
    brief: ({ share, tasks, details }) => `The throughput of ${tasks} never settled in ${share}${details}`,
    rest: 'Its mean depends on the length of the measured phase.',
  },
  {
    kind: 'too-short',
    level: 'limited',
    brief: ({ share, tasks }) =>
      `Less than a minute was measured in ${share}, too short to show whether the throughput of ${tasks} had settled`,
    rest: '',
  },
  {
    kind: 'rate-short',
    level: 'note',
    brief: ({ share, tasks, details }) =>
      `The search for the highest rate of ${tasks} was short in ${share}${details}`,
    rest: 'It cannot show what happens less often, such as stalls and merges. Hold each rate for 5m or more to see those.',
  },
  {
    kind: 'clock-jumped',
    level: 'note',
    brief: ({ share, details }) => `The clock of this machine jumped in ${share}${details}`,
    rest: 'Measured times are right, because another clock measures them. Times of day are not.',
  },
  {
    kind: 'clock-apart',
    level: 'note',
    brief: ({ share, details }) =>
      `The clocks of the target and of the machine that carries the run differed in ${share}${details}`,
    rest: 'Dates in documents and requests follow the target’s clock, times in this report follow the other one. Synchronise them, for instance by NTP.',
  },
  {
    kind: 'settled-late',
    level: 'note',
    brief: ({ share, tasks }) =>
      `The throughput of ${tasks} settled only within the measured phase in ${share}`,
    rest: 'A longer warm-up would leave that out.',
  },
  {
    kind: 'steady-weak',
    level: 'note',
    brief: ({ share, tasks, details }) =>
      `Whether the throughput of ${tasks} had settled is uncertain in ${share}${details}`,
    rest: `Below ${WEAK_BELOW_S} measured seconds the test is weak.`,
  },
  {
    kind: 'nothing-merged',
    level: 'note',
    brief: ({ share, details }) =>
      `No merge ended in the measured phase of ${share}, and many segments were left${details}`,
    rest: 'The later cost of small segments is not measured. Longer trials would include it.',
  },
];

/**
 * For each kind of warning, the kinds that may be its cause. If a warning and its cause affect the same trials, the sentence about the
 * cause also mentions the warning. The warning then has no separate sentence.
 */
const CAUSES: Partial<Record<WarningKind, readonly WarningKind[]>> = {
  saturated: ['generator-limited'],
  unsettled: ['node-left', 'node-restarted', 'generator-limited', 'saturated'],
  'settled-late': ['node-left', 'node-restarted', 'generator-limited', 'saturated'],
};

/**
 * Short names of warnings. They are used in sentences about differences between runs. They are also used to mention one warning, as a
 * consequence, in the sentence about another.
 */
const SHORT: Partial<Record<WarningKind, string>> = {
  'generator-limited': 'the load generator was the limit',
  'machine-shared': 'other work ran on the machine of the load generator',
  'node-left': 'nodes were lost',
  'node-restarted': 'nodes restarted',
  'node-refused': 'nodes accepted no connections',
  'seats-apart': 'the machines that generated the load did not do so as one',
  saturated: 'the offered rate was missed',
  unsettled: 'the throughput never settled',
  'settled-late': 'the throughput settled only within the measured phase',
};

interface Found {
  kind: WarningKind;
  warnings: (TrialWarning & { document: TrialDocument })[];
  /** The distinct trials that are affected. */
  trials: TrialDocument[];
}

/** Returns the warnings about completed trials by kind. The most severe kind comes first. */
function warningsByKind(plan: Plan, counted: readonly TrialDocument[]): Found[] {
  const all = counted.flatMap((document) =>
    warningsOf(definitionOf(plan, document), document).map((warning) => ({ ...warning, document })),
  );
  return KINDS.flatMap(({ kind }) => {
    const warnings = all.filter((warning) => warning.kind === kind);
    const found = [...new Set(warnings.map(({ document }) => document))];
    return warnings.length === 0 ? [] : [{ kind, warnings, trials: found }];
  });
}

const kindOf = (kind: WarningKind): KindOfCaution => KINDS.find((known) => known.kind === kind)!;

/** Returns whether a kind of warning can lower the trust in a result. False for kinds that never do more than inform. */
export const limitsTrust = (kind: WarningKind): boolean => kindOf(kind).level !== 'note';

/** Returns a short name of a warning, without its trials: `the load generator was the limit`. */
export const briefWarning = (kind: WarningKind): string => SHORT[kind] ?? kind.replaceAll('-', ' ');

/**
 * Effect of kinds of warnings on the claims and thresholds of a run. `aside`: kinds that are only notes, because they do not concern the
 * metrics of the claims and thresholds. `invalid`: kinds that make the result invalid.
 */
export interface Relevance {
  aside: ReadonlySet<WarningKind>;
  invalid: ReadonlySet<WarningKind>;
}

const ALL_RELEVANT: Relevance = { aside: new Set(), invalid: new Set() };

/**
 * Minimum share of lost requests that makes the result invalid. A lost request was rejected or failed. In a replay, a request is also lost
 * if its response differs from the recorded one.
 */
const MOSTLY_LOST = 0.5;
const LOSSES: readonly WarningKind[] = ['not-stored', 'answers-differ'];

function levelOf(
  { kind, trials, warnings }: Found,
  of: number,
  { aside, invalid }: Relevance,
): Caution['level'] {
  const { level } = kindOf(kind);
  if (level === 'note' || aside.has(kind)) return 'note';
  const isLost = LOSSES.includes(kind) && warnings.every(({ share = 0 }) => share >= MOSTLY_LOST);
  const isInvalid = level === 'none' || invalid.has(kind) || isLost;
  return isInvalid && trials.length >= INVALID_FROM * of ? 'none' : 'limited';
}

/** Returns `all 6 trials` or `2 of 6 trials`. If `numbered`, also lists the numbers of the trials, unless there are too many. */
function shareOf(trials: readonly TrialDocument[], of: number, numbered: boolean): string {
  if (trials.length === of) return of === 1 ? 'the only trial' : `all ${plural(of, 'trial')}`;
  const which = numbered && trials.length <= MOST_NUMBERED ? ` (${whichTrials(trials)})` : '';
  return `${trials.length} of ${plural(of, 'trial')}${which}`;
}

/** Maximum number of trials whose numbers are listed. For more trials, only their count is given. */
const MOST_NUMBERED = 3;

/** Formats a share as a percentage. Shares of at least 10% are rounded to whole percent. */
const sharePercent = (share: number): string =>
  formatPercent(share >= 0.1 ? Math.round(share * 100) / 100 : share);

/** Returns `up to 50%`, or `50%` if the share is the same in all trials. */
function mostOf(shares: readonly number[]): string {
  if (shares.length === 0) return '';
  const texts = new Set(shares.map((share) => sharePercent(Math.min(1, share))));
  const most = sharePercent(Math.min(1, Math.max(...shares)));
  return texts.size === 1 ? most : `up to ${most}`;
}

/** Merges all warnings of one kind, from any number of trials, into one warning about the run. */
function cautionOf(found: Found, of: number, relevance: Relevance): Caution {
  const { kind, warnings, trials } = found;
  const { brief, rest } = kindOf(kind);
  const shares = warnings.flatMap(({ share }) => share ?? []);
  const names = FIGURE_KEYS.map(figureName).filter((name) =>
    warnings.some(({ percentiles = [] }) => percentiles.includes(name)),
  );
  const parts = {
    tasks: joined([...new Set(warnings.map(({ task }) => task))]),
    most: mostOf(shares),
    percentiles: joined(names),
  };
  const long = brief({ ...parts, share: shareOf(trials, of, true), details: detailsOf(warnings) });
  return {
    cause: kind,
    level: levelOf(found, of, relevance),
    brief: brief({ ...parts, share: shareOf(trials, of, false), details: '' }),
    text: `${long}.${rest === '' ? '' : ` ${rest}`}`,
  };
}

const caution = (cause: string, level: Caution['level'], brief: string, rest = ''): Caution => ({
  cause,
  level,
  brief,
  text: `${brief}.${rest === '' ? '' : ` ${rest}`}`,
});

/**
 * Returns all warnings about the trials of a run. Planned trials that never began are not mentioned here, because the state of the run
 * shows them.
 */
export function trialCautions(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  relevance: Relevance = ALL_RELEVANT,
): Caution[] {
  const counted = trials.filter(counts);
  const found = warningsByKind(plan, counted);
  const causeOf = (one: Found): Found | undefined =>
    found.find(
      (other) =>
        CAUSES[one.kind]?.includes(other.kind) && one.trials.every((trial) => other.trials.includes(trial)),
    );
  const cautions = found
    .filter((one) => causeOf(one) === undefined)
    .map((one): Caution => {
      const own = cautionOf(one, counted.length, relevance);
      const explained = found
        .filter((other) => causeOf(other) === one)
        .map((other) => `${briefWarning(other.kind)} in ${other.trials.length} of them`);
      return explained.length === 0
        ? own
        : { ...own, text: `${own.text} This also explains why ${joined(explained)}.` };
    });
  return [
    ...cautions,
    ...lostTrials(plan, trials),
    ...repeatedTrials(counted),
    ...fewTrials(plan, trials),
    ...(definition.order === 'sequential' && plan.cells.length > 1 ? [SEQUENTIAL] : []),
    ...environmentOrder(plan),
  ];
}

/** Returns the texts of {@link trialCautions}. */
export const trialWarnings = (
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): string[] => trialCautions(definition, plan, trials).map(({ text }) => text);

function lostTrials(plan: Plan, trials: readonly TrialDocument[]): Caution[] {
  const lost = trials.filter(({ trial }) => !['completed', 'running'].includes(trial.state));
  if (lost.length === 0) return [];
  const which = lost.map(
    ({ trial: { order, state, reason } }) => `#${order + 1} ${state}${reason === '' ? '' : `: ${reason}`}`,
  );
  const brief = `${lost.length} of ${plural(plan.trials.length, 'trial')} did not complete`;
  return [
    {
      cause: 'trials-lost',
      level: 'limited',
      brief,
      text: `${brief} and ${lost.length === 1 ? 'is' : 'are'} not counted (${listed(which, 3)}).`,
    },
  ];
}

function repeatedTrials(counted: readonly TrialDocument[]): Caution[] {
  const repeated = counted.filter(({ trial }) => trial.repeats !== undefined);
  if (repeated.length === 0) return [];
  const which = repeated.length === 1 ? 'a trial' : 'trials';
  return [
    caution(
      'trials-repeated',
      'note',
      `${plural(repeated.length, 'trial')} (${whichTrials(repeated)}) ran at the end, instead of ${which} during an outage`,
      'They did not run in turn with the others.',
    ),
  ];
}

function fewTrials(plan: Plan, trials: readonly TrialDocument[]): Caution[] {
  const few = plan.cells
    .map((cell) => ({ cell, n: trialsOf(trials, cell.index).length }))
    .filter(({ n }) => n < ENOUGH_TRIALS);
  if (few.length === 0) return [];
  const which =
    few.length === plan.cells.length && few.every(({ n }) => n === few[0]!.n)
      ? `${plural(few[0]!.n, 'completed trial')} per cell`
      : listed(few.map(({ cell, n }) => `${cell.label}: ${n}`));
  return [
    caution(
      'few-trials',
      'limited',
      `Few trials (${which})`,
      `With fewer than ${ENOUGH_TRIALS} of each cell intervals are very wide, or impossible.`,
    ),
  ];
}

const SEQUENTIAL = caution(
  'sequential',
  'limited',
  'The cells ran one after the other (order: sequential)',
  'A drift of the cluster looks like a difference between cells, so no difference is named.',
);

/**
 * Returns a note if the run has several environments that were measured one after the other. Changes over time may then look like
 * differences between environments.
 */
function environmentOrder(plan: Plan): Caution[] {
  const blocks = blocksOf(plan);
  if (blocks.length < 2 || areInTurn(plan)) return [];
  const labels = blocks.map(({ environment }) => environmentLabel(environment) || 'without labels');
  return [
    caution(
      'environments-in-turn',
      'note',
      `The environments were measured one after the other (${listed(labels, 4)}), not interleaved`,
      'Between cells of different environments, everything else that changed over time counts as a difference too.',
    ),
  ];
}

const whichTrials = (documents: readonly TrialDocument[]): string =>
  listed(
    documents
      .map(({ trial }) => trial.order)
      .sort((a, b) => a - b)
      .map((order) => `#${order + 1}`),
    6,
  );

/**
 * Returns the distinct details of warnings as the end of a sentence, beginning with `: `; '' without any. Percentiles and shares are not
 * repeated, because the sentence already contains them. Of a warning with a share, only the text in the parentheses at the end of its
 * detail is returned.
 */
function detailsOf(found: readonly TrialWarning[]): string {
  const details = found.map(({ detail, share, percentiles }) =>
    percentiles !== undefined ? '' : share === undefined ? detail : (/\((.+)\)$/.exec(detail)?.[1] ?? ''),
  );
  const distinct = [...new Set(details)].filter(Boolean);
  return distinct.length === 0 ? '' : `: ${listed(distinct, 2, '; ')}`;
}
