/** What the reader of a verdict must know before trusting it, in sentences, the gravest first. */
import type { Definition } from '../experiment/definition';
import { environmentLabel } from '../experiment/environment';
import { definitionOf, type Plan } from '../experiment/plan';
import { blocksOf } from '../experiment/environment-blocks';
import type { TrialDocument } from '../measurement/trial';
import {
  counts,
  doubtsOf,
  ENOUGH_TRIALS,
  measuredRamps,
  trialsOf,
  type Doubt,
  type DoubtKind,
} from './validity';
import { WEAK_BELOW_S } from './steady';
import { listed } from './wording';
import { plural } from '../units/format';

/** Follows a colon. */
const RAMP_ADVICE =
  'its means and percentiles are over different loads. Make the warm-up at least as long as the ramp.';

/** The same before a run: warnings about the ramps of a plan, each once. */
export const rampWarnings = ({ cells }: Pick<Plan, 'cells'>): string[] => [
  ...new Set(
    cells.flatMap(({ definition }) =>
      measuredRamps(definition).map(
        ({ task, detail }) =>
          `The ramp of ${task} reaches into the measured phase, ${detail}: ${RAMP_ADVICE}`,
      ),
    ),
  ),
];

const SENTENCES: readonly {
  kind: DoubtKind;
  /** Beside a verdict, with the share of the trials after it; without one it is too small for that. */
  brief?: string;
  say: (share: string, tasks: string, details: string) => string;
}[] = [
  {
    kind: 'unverified',
    brief: 'what the index held is unknown in',
    say: (share, _, details) =>
      `It is unknown whether the index held what was acknowledged in ${share}${details}: the check could not be made.`,
  },
  {
    kind: 'other-cluster',
    brief: 'the cluster was not the one that the labels name in',
    say: (share, _, details) =>
      `The cluster was not the one that the environment asks for in ${share}${details}: the labels are wrong.`,
  },
  {
    kind: 'index-differs',
    brief: 'the index was not what the definition says in',
    say: (share, _, details) =>
      `The index was not what the definition says in ${share}${details}: the target added this. Only runs with the same additions can be compared.`,
  },
  {
    kind: 'data-changed',
    brief: 'others changed the data in',
    say: (share, _, details) =>
      `Others changed the data that was measured by ${share}${details}: trials were not measured on the same documents and segments.`,
  },
  {
    kind: 'data-grows',
    brief: 'each trial added to the data of the next in',
    say: (share, _, details) =>
      `What ${share} wrote stays in the data${details}: each trial began with what those before it had left, so trials are not independent of each other, and no interval includes that.`,
  },
  {
    kind: 'not-cold',
    brief: 'a cold start was not wholly cold in',
    say: (share, _, details) => `A cold start was not wholly cold in ${share}${details}.`,
  },
  {
    kind: 'source-stored',
    brief: 'the source was not synthetic as asked in',
    say: (share, _, details) =>
      `The source of the documents was not synthetic as asked in ${share}${details}: bytes and throughput are not those of a synthetic source. Elasticsearch needs an Enterprise licence for it, and from version 9 on takes it from the setting index.mapping.source.mode alone.`,
  },
  {
    kind: 'node-left',
    brief: 'nodes were lost in',
    say: (share, _, details) =>
      `Nodes were lost in ${share}${details}: their work went to the others, or was lost with them.`,
  },
  {
    kind: 'node-restarted',
    brief: 'nodes restarted in',
    say: (share, _, details) =>
      `Nodes restarted in ${share}${details}: they did nothing meanwhile, and began with empty caches.`,
  },
  {
    kind: 'node-refused',
    brief: 'nodes took no connections in',
    say: (share, _, details) =>
      `Nodes took no connections in ${share}${details}: they were left alone for a while each time, and the others had their part of the load.`,
  },
  {
    kind: 'clock-jumped',
    say: (share, _, details) =>
      `The clock of this machine jumped in ${share}${details}: figures are right, for they are timed by another clock, but their times of day are not.`,
  },
  {
    kind: 'clock-apart',
    say: (share, _, details) =>
      `The clocks of the target and of the machine that carries the run were not the same in ${share}${details}. Dates in documents and requests follow the target’s clock, times in this report follow the other one. Synchronise them, for instance by NTP.`,
  },
  {
    kind: 'generator-limited',
    brief: 'the load generator was the limit in',
    say: (share, _, details) => `The load generator, not the cluster, was the limit in ${share}${details}.`,
  },
  {
    kind: 'seats-apart',
    brief: 'the machines that generated the load did not do so as one in',
    say: (share, _, details) =>
      `The machines that generated the load did not do so as one in ${share}${details}: the cluster was loaded unevenly.`,
  },
  {
    kind: 'machine-shared',
    brief: 'other work ran on the machine of the load generator in',
    say: (share, _, details) =>
      `Other work ran on the machine of the load generator in ${share}${details}: throughput is lower and latency longer by what it took.`,
  },
  {
    kind: 'own-latency',
    brief: 'some latencies may be the instrument’s own in',
    say: (share, tasks, details) =>
      `Some latencies of ${tasks} may be the instrument’s own by more than a tenth in ${share}${details}: the cluster may be faster. Throughput is not concerned.`,
  },
  {
    kind: 'not-stored',
    brief: 'documents or requests were rejected or failed in',
    say: (share, tasks, details) =>
      `Not all of ${tasks} was accepted in ${share}${details}. Latencies include those of refusals, which are quick.`,
  },
  {
    kind: 'file-ended',
    brief: 'the file ended in the warm-up of',
    say: (share, tasks, details) =>
      `The file of ${tasks} ended in the warm-up of ${share}${details}: nothing was left for the measured phase, so there are no data. Use a larger file, a shorter warm-up, or measure.documents.`,
  },
  {
    kind: 'nothing-counted',
    brief: 'nothing was measured in',
    say: (share, tasks) =>
      `No request of ${tasks} was sent within the measured phase in ${share}: so there is no result.`,
  },
  {
    kind: 'ramp-measured',
    brief: 'a ramp reached into the measured phase of',
    say: (_, tasks, details) =>
      `The ramp of ${tasks} reaches into the measured phase${details}: ${RAMP_ADVICE}`,
  },
  {
    kind: 'documents-short',
    brief: 'the source ended early in',
    say: (share, _, details) =>
      `The source ended before the documents that were asked for in ${share}${details}.`,
  },
  {
    kind: 'lines-not-sent',
    brief: 'a part of the log was not sent in',
    say: (share, tasks, details) =>
      `A part of the log of ${tasks} was malformed, or of an old version without a rule for it, and not sent in ${share}${details}: the load was not the recorded one.`,
  },
  {
    kind: 'lines-unparsed',
    brief: 'lines were not parsed in',
    say: (share, tasks, details) =>
      `Lines of ${tasks} were not parsed in ${share}${details}: they cost less to index than parsed lines, or were skipped.`,
  },
  {
    kind: 'documents-missing',
    brief: 'accepted documents are missing from the index in',
    say: (share, _, details) => `Accepted documents are missing from the index in ${share}${details}.`,
  },
  {
    kind: 'outcome-unknown',
    brief: 'no answer said what became of documents in',
    say: (share, _, details) =>
      `No answer said what became of some documents in ${share}${details}. They are not in the throughput.`,
  },
  {
    kind: 'latency-lower-bound',
    brief: 'requests without an end are in the latencies of',
    say: (share, tasks, details) =>
      `Some requests of ${tasks} have no end in ${share}${details}: they are in the latencies with the time that they had waited by then.`,
  },
  {
    kind: 'rate-not-confirmed',
    brief: 'no rate was confirmed in',
    say: (share, tasks, details) =>
      `The search for the highest rate of ${tasks} confirmed none in ${share}${details}: those trials have no sustainable rate, and their other figures are of the step that came nearest.`,
  },
  {
    kind: 'rate-without-end',
    brief: 'the search for the highest rate was not bracketed in',
    say: (share, tasks, details) =>
      `The search for the highest rate of ${tasks} ended before it was bracketed in ${share}${details}: the cluster may sustain more.`,
  },
  {
    kind: 'rate-short',
    say: (share, tasks, details) =>
      `The search for the highest rate of ${tasks} was short in ${share}${details}: it cannot tell what happens more seldom, such as stalls and merges. Holds of 5m and more see those.`,
  },
  {
    kind: 'saturated',
    brief: 'the offered rate was missed in',
    say: (share, tasks) =>
      `The offered rate of ${tasks} was missed in ${share}: the cluster, max-clients, or a generator named above could not do more. Latency grew with the length of the trial, so it says nothing about the cluster.`,
  },
  {
    kind: 'unsettled',
    brief: 'the throughput never settled in',
    say: (share, tasks, details) =>
      `The throughput of ${tasks} never settled in ${share}${details}: its mean depends on the length of the measured phase.`,
  },
  {
    kind: 'settled-late',
    brief: 'the throughput settled only within the measured phase in',
    say: (share, tasks) =>
      `The throughput of ${tasks} settled only within the measured phase in ${share}: a longer warm-up would leave that out.`,
  },
  {
    kind: 'too-short',
    say: (share, tasks) =>
      `Too short to tell whether the throughput of ${tasks} had settled in ${share}: under one minute measured.`,
  },
  {
    kind: 'steady-weak',
    say: (share, tasks, details) =>
      `Whether the throughput of ${tasks} had settled is uncertain in ${share}${details}: below ${WEAK_BELOW_S} measured seconds the test is weak.`,
  },
  {
    kind: 'nothing-merged',
    say: (share, _, details) =>
      `Not one merge ended in the measured phase of ${share}, and many segments were left${details}: the later cost of small segments is not in the figures. Longer trials would include it.`,
  },
];

/** What explains a doubt about the same trials, so that it needs no line of its own. */
const CAUSES: Partial<Record<DoubtKind, readonly DoubtKind[]>> = {
  saturated: ['generator-limited'],
  unsettled: ['node-left', 'node-restarted', 'generator-limited', 'saturated'],
  'settled-late': ['node-left', 'node-restarted', 'generator-limited', 'saturated'],
};

/** Not beside a verdict: the trials are sound, only not as good as they could be. */
const SMALL: ReadonlySet<DoubtKind> = new Set<DoubtKind>(['settled-late']);

interface Found {
  kind: DoubtKind;
  doubts: (Doubt & { document: TrialDocument })[];
  /** Each once. */
  trials: TrialDocument[];
}

/** The doubts about completed trials by their kind, the gravest first. */
function doubtsByKind(plan: Plan, counted: readonly TrialDocument[]): Found[] {
  const all = counted.flatMap((document) =>
    doubtsOf(definitionOf(plan, document), document).map((doubt) => ({ ...doubt, document })),
  );
  return SENTENCES.flatMap(({ kind }) => {
    const doubts = all.filter((doubt) => doubt.kind === kind);
    const found = [...new Set(doubts.map(({ document }) => document))];
    return doubts.length === 0 ? [] : [{ kind, doubts, trials: found }];
  });
}

const sentenceOf = (kind: DoubtKind): (typeof SENTENCES)[number] =>
  SENTENCES.find((sentence) => sentence.kind === kind)!;

/** A doubt in a few words, without the trials that it is about: `the load generator was the limit`. */
export const briefDoubt = (kind: DoubtKind): string =>
  sentenceOf(kind).brief?.replace(/ (in|of)$/, '') ?? kind.replaceAll('-', ' ');

/**
 * The gravest doubt about the trials in a few words (`nodes restarted in 2 of 6 trials`); undefined for none that belongs beside
 * a verdict. `aside`: kinds that say nothing of what the verdict is about.
 */
export function gravestDoubt(
  plan: Plan,
  trials: readonly TrialDocument[],
  aside: ReadonlySet<DoubtKind>,
): string | undefined {
  const counted = trials.filter(counts);
  for (const { kind, trials: of } of doubtsByKind(plan, counted)) {
    const { brief } = sentenceOf(kind);
    if (brief === undefined || SMALL.has(kind) || aside.has(kind)) continue;
    return `${brief} ${of.length} of ${plural(counted.length, 'trial')}`;
  }
  return undefined;
}

/** Warnings about the trials of a run; `planned` trials that never began are the run's own matter. */
export function trialWarnings(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): string[] {
  const counted = trials.filter(counts);
  const found = doubtsByKind(plan, counted);
  const causeOf = (one: Found): Found | undefined =>
    found.find(
      (other) =>
        CAUSES[one.kind]?.includes(other.kind) && one.trials.every((trial) => other.trials.includes(trial)),
    );
  const warnings = found
    .filter((one) => causeOf(one) === undefined)
    .map((one) => {
      const share = `${one.trials.length} of ${plural(counted.length, 'trial')} (${whichTrials(one.trials)})`;
      const tasks = [...new Set(one.doubts.map(({ task }) => task))].join(', ');
      const explained = found
        .filter((other) => causeOf(other) === one)
        .map((other) => `${sentenceOf(other.kind).brief} ${other.trials.length} of them`);
      const more = explained.length === 0 ? '' : ` The same explains that ${listed(explained)}.`;
      return `${sentenceOf(one.kind).say(share, tasks, detailsOf(one.doubts))}${more}`;
    });
  const lost = trials.filter(({ trial }) => !['completed', 'running'].includes(trial.state));
  if (lost.length > 0) {
    const which = lost.map(
      ({ trial: { order, state, reason } }) => `#${order + 1} ${state}${reason === '' ? '' : `: ${reason}`}`,
    );
    warnings.push(
      `${plural(lost.length, 'trial')} of ${plan.trials.length} did not complete and ${lost.length === 1 ? 'is' : 'are'} not counted (${listed(which, 3)}).`,
    );
  }
  const repeated = counted.filter(({ trial }) => trial.repeats !== undefined);
  if (repeated.length > 0) {
    warnings.push(
      `${plural(repeated.length, 'trial')} (${whichTrials(repeated)}) ran at the end, in the place of ${repeated.length === 1 ? 'one' : 'those'} that an outage hit: not in turn with the others.`,
    );
  }
  const few = plan.cells
    .map((cell) => ({ cell, n: trialsOf(trials, cell.index).length }))
    .filter(({ n }) => n < ENOUGH_TRIALS);
  if (few.length > 0) {
    const which =
      few.length === plan.cells.length && few.every(({ n }) => n === few[0]!.n)
        ? `${plural(few[0]!.n, 'completed trial')} per cell`
        : listed(few.map(({ cell, n }) => `${cell.label}: ${n}`));
    warnings.push(
      `Few trials (${which}): with fewer than ${ENOUGH_TRIALS} of each cell intervals are very wide, or impossible.`,
    );
  }
  if (definition.order === 'sequential' && plan.cells.length > 1) {
    warnings.push(
      'The cells ran one after the other (order: sequential): a drift of the cluster cannot be separated from a difference between cells, so no difference is named.',
    );
  }
  warnings.push(...environmentOrder(plan));
  return warnings;
}

/** Trials of one environment are interleaved with each other, never with those of another. */
function environmentOrder(plan: Plan): string[] {
  const blocks = blocksOf(plan);
  if (blocks.length < 2) return [];
  const labels = blocks.map(({ environment }) => environmentLabel(environment) || 'without labels');
  return [
    `The environments were measured one after the other (${listed(labels, 4)}), not interleaved: between cells of ` +
      'different environments, everything else that changed over time counts as a difference too.',
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

function detailsOf(found: readonly Doubt[]): string {
  const details = [...new Set(found.map(({ detail }) => detail))].filter(Boolean);
  return details.length === 0 ? '' : `, ${listed(details, 2)}`;
}
