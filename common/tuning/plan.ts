/** What a tuning is going to do within its time: which candidates, in how many rounds, and how it is confirmed. */
import { costOf } from '../experiment/cost';
import type { Definition } from '../experiment/definition';
import { inputError } from '../problem';
import { deriveSeed } from '../random';
import { durationMs } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import { candidatesOf, measuredMsOf, type Candidate, type KnobContext, type TargetKnown } from './knobs';
import { tuningTags } from './tuning-tags';
import type { PlannedRound, Stage, Tuning, TuningPlan, TuningRequest } from './tuning';

/** A smaller gain than this is not worth a setting of one's own, and counts as none. */
export const WORTH = 0.03;

/** A round of many candidates only orders them, so few trials do; what is left of them gets more. */
const FIRST_REPETITIONS = 2;
const LATER_REPETITIONS = 3;
/** Where all candidates are few, one round does. */
const ONE_ROUND_REPETITIONS = 4;
const FEW = 2;
const MOST_CANDIDATES = 12;
/** Better ones that are put together. */
export const MOST_TOGETHER = 4;
export const TOGETHER_REPETITIONS = 3;
/** Fewest that the confirming comparison is made with: from four repetitions on, two cells are compared within them. */
export const LEAST_CONFIRMING = 4;
export const MOST_CONFIRMING = 12;
/** With fewer settings each, where the ones before did not bear them out. */
export const MOST_CONFIRMATIONS = 3;
const PLANNED_CONFIRMING = 6;
/** Of the rounds, how many are expected to be left for the comparison of all together. */
const PLANNED_TOGETHER = 3;

/** Trials that a tuning is to have at least, so that a trial may be long where there is much time. */
const USUAL_TRIALS = 60;
const SHORTEST_TRIAL_MS = 12_000;
const LONGEST_TRIAL_MS = 6 * 60_000;
/** Of the load of a trial, what is not measured. */
const WARMUP_SHARE = 0.2;
/** What creating, counting and removing the indices takes, as plans of experiments have it. */
const AROUND_MS = 4000;

const wholeSeconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))}s`;

/** The definition whose trials suit the time. */
function timed({ definition, time, trial }: TuningRequest): Definition {
  if (definition.measure.documents !== undefined) return definition;
  const timeMs = durationMs(time);
  const wholeMs = Math.min(LONGEST_TRIAL_MS, Math.max(SHORTEST_TRIAL_MS, timeMs / USUAL_TRIALS));
  const measuredMs = trial === undefined ? (wholeMs - AROUND_MS) * (1 - WARMUP_SHARE) : durationMs(trial);
  const warmupMs = (measuredMs * WARMUP_SHARE) / (1 - WARMUP_SHARE);
  return {
    ...definition,
    measure: {
      ...definition.measure,
      'burn-in': '0s',
      warmup: wholeSeconds(warmupMs),
      duration: wholeSeconds(measuredMs),
    },
  };
}

/** Bytes depend on which merges had ended unless all have. */
const merged = (definition: Definition): Definition =>
  definition.measure['force-merge'] === undefined
    ? { ...definition, measure: { ...definition.measure, 'force-merge': 1 } }
    : definition;

/** As its trials are going to be. */
export function withTrials(request: TuningRequest): TuningRequest {
  const definition = timed(request);
  return {
    ...request,
    definition: request.goal === 'bytes' || request.goal === 'cost' ? merged(definition) : definition,
  };
}

export const contextOf = (request: TuningRequest, target: TargetKnown): KnobContext => ({
  definition: request.definition,
  goal: request.goal,
  target,
  allow: request.allow,
  freshnessMs: durationMs(request.freshness),
  measuredMs: measuredMsOf(request.definition),
});

const roundOf = (candidates: number, repetitions: number, trialMs: number): PlannedRound => {
  const trials = (candidates + 1) * repetitions;
  return { candidates, repetitions, trials, ms: trials * trialMs };
};

export const halved = (candidates: number): number => Math.ceil(candidates / 2);

function roundsOf(candidates: number, trialMs: number): PlannedRound[] {
  if (candidates <= FEW) return [roundOf(candidates, ONE_ROUND_REPETITIONS, trialMs)];
  return [
    roundOf(candidates, FIRST_REPETITIONS, trialMs),
    roundOf(halved(candidates), LATER_REPETITIONS, trialMs),
  ];
}

/** The start, all together, and all without each. */
export const togetherTrials = (lines: number): number => (lines + 2) * TOGETHER_REPETITIONS;

function planOf(
  candidates: readonly Candidate[],
  knobs: number,
  trialMs: number,
): Omit<TuningPlan, 'untried' | 'notes'> {
  const rounds = roundsOf(candidates.length, trialMs);
  const lines = Math.min(PLANNED_TOGETHER, knobs, halved(candidates.length));
  const together = lines < 2 ? null : { trials: togetherTrials(lines), ms: togetherTrials(lines) * trialMs };
  const trials = 2 * PLANNED_CONFIRMING;
  const confirmation = { repetitions: PLANNED_CONFIRMING, trials, ms: trials * trialMs };
  const ms = rounds.reduce((sum, round) => sum + round.ms, 0) + (together?.ms ?? 0) + confirmation.ms;
  return { trialMs, candidates: [...candidates], rounds, together, confirmation, ms };
}

const knobsIn = (candidates: readonly Candidate[]): number =>
  new Set(candidates.map(({ knob }) => knob)).size;

/**
 * As many candidates as the time allows, in the order of their expected gain. `request`: by {@link withTrials}. Rejects by a
 * DynoError (input): `tuning.time`, or `tuning.nothing` where there is nothing to try.
 */
export function planTuning(request: TuningRequest, target: TargetKnown): TuningPlan {
  const { candidates, untried } = candidatesOf(contextOf(request, target));
  const trialMs = costOf(request.definition).ms;
  if (candidates.length === 0)
    throw inputError(
      'tuning.nothing',
      '',
      'there is nothing to try: ' + untried.map(({ title, why }) => `${title}: ${why}`).join('; '),
    );
  const timeMs = durationMs(request.time);
  const notes: string[] = [];
  for (let most = Math.min(MOST_CANDIDATES, candidates.length); most >= 1; most -= 1) {
    const tried = candidates.slice(0, most);
    const plan = planOf(tried, knobsIn(tried), trialMs);
    if (plan.ms > timeMs) continue;
    const late = candidates.slice(most).map(({ title, value }) => ({
      title,
      value,
      why: `less was expected of it than of what is tried, and there is time for ${plural(most, 'candidate')}`,
    }));
    if (request.definition.tasks.some(({ ingest }) => ingest?.source.file !== undefined))
      notes.push(
        'The documents come from a file, so the confirming comparison sends the same ones again, in a run of its own.',
      );
    return { ...plan, untried: [...untried, ...late], notes };
  }
  const least = planOf(candidates.slice(0, 1), 1, trialMs).ms;
  throw inputError('tuning.time', 'time', `even one candidate takes about ${formatDuration(least)}`, {
    found: request.time,
    allowed: `at least ${formatDuration(least)}, or shorter trials`,
  });
}

/** The levels of a cell: of the start those of now, as far as they are written. */
export function levelsOf(
  cell: readonly string[],
  { plan }: Pick<Tuning, 'plan'>,
  stage: Pick<Stage, 'cells'>,
): Record<string, unknown> {
  const named = (id: string): Candidate => plan.candidates.find((candidate) => candidate.id === id)!;
  if (cell.length === 0)
    return Object.assign({}, ...[...new Set(stage.cells.flat())].map((id) => named(id).present)) as Record<
      string,
      unknown
    >;
  return Object.assign({}, ...cell.map((id) => named(id).levels)) as Record<string, unknown>;
}

const STAGE_NAMES = { round: 'round', together: 'all together', confirmation: 'confirmation' } as const;

/** The experiment of a stage: an ordinary one. */
export function stageDefinition(
  tuning: Pick<Tuning, 'id' | 'name' | 'request' | 'plan' | 'stages'>,
  stage: Stage,
): Definition {
  const { definition } = tuning.request;
  const factors = stage.cells.map((cell) => levelsOf(cell, tuning, stage));
  const number = tuning.stages.filter(({ kind }) => kind === stage.kind).length + 1;
  const isFirst = tuning.stages.length === 0;
  return {
    ...definition,
    name: `${tuning.name}: ${STAGE_NAMES[stage.kind]}${stage.kind === 'round' || number > 1 ? ` ${number}` : ''}`.slice(
      0,
      200,
    ),
    hypothesis: '',
    tags: tuningTags(definition.tags, tuning.id),
    factors,
    baseline: factors[0],
    trials: stage.repetitions,
    order: 'interleaved',
    seed: stage.seed,
    margin: WORTH,
    // A cluster that has just been started is slow until its code is compiled.
    measure:
      isFirst && definition.measure.warmup !== undefined
        ? { ...definition.measure, 'burn-in': wholeSeconds(Math.min(30_000, tuning.plan.trialMs)) }
        : definition.measure,
  };
}

/** Of the data of a stage: no two stages of a tuning send the same generated documents. */
export const seedOf = ({ request, stages }: Pick<Tuning, 'request' | 'stages'>): number =>
  deriveSeed(request.definition.seed, 'tuning', stages.length);
