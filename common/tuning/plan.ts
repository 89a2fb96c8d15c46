/** Plans a tuning within its time: the values of settings to try (candidates), the rounds that select among them, and the confirmation. */
import { costOf } from '../experiment/cost';
import type { Definition } from '../experiment/definition';
import { inputError } from '../problem';
import { deriveSeed } from '../random';
import { durationMs } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import { candidatesOf, measuredMsOf, type Candidate, type KnobContext, type TargetKnown } from './knobs';
import { tuningTags } from './tuning-tags';
import type { PlannedRound, Stage, Tuning, TuningPlan, TuningRequest } from './tuning';

/** Minimum gain that justifies changing a setting. A smaller gain does not count. */
export const WORTH = 0.03;

/**
 * Number of repetitions in the first of several rounds. That round only ranks the candidates, so few trials are enough. Later rounds have
 * more repetitions.
 */
const FIRST_REPETITIONS = 2;
const LATER_REPETITIONS = 3;
/** Number of repetitions if there is only one round, because there are few candidates. */
const ONE_ROUND_REPETITIONS = 4;
const FEW = 2;
const MOST_CANDIDATES = 12;
/** Maximum number of better settings that are combined. */
export const MOST_TOGETHER = 4;
export const TOGETHER_REPETITIONS = 3;
/**
 * Minimum number of repetitions of the confirming comparison. From four repetitions on, the two combinations of settings are compared in
 * pairs of trials from the same repetition, which is more precise.
 */
export const LEAST_CONFIRMING = 4;
export const MOST_CONFIRMING = 12;
/** Maximum number of confirmations. Each of them tests fewer settings than the failed confirmation before it. */
export const MOST_CONFIRMATIONS = 3;
const PLANNED_CONFIRMING = 6;
/** Number of settings that the plan expects in the experiment with all better settings together. */
const PLANNED_TOGETHER = 3;

/** Minimum number of trials that a tuning aims for. If the time allows more, trials become longer instead. */
const USUAL_TRIALS = 60;
const SHORTEST_TRIAL_MS = 12_000;
const LONGEST_TRIAL_MS = 6 * 60_000;
/** Share of a trial's load that is warm-up. */
const WARMUP_SHARE = 0.2;
/** Time to create, count and remove the indices of a trial, in ms, as in plans of experiments. */
const AROUND_MS = 4000;

const wholeSeconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))}s`;

/** Returns the definition with a duration of trials that fits the time of the tuning. */
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

/** Returns the definition with a force merge. Without it, the number of bytes would depend on the merges that happen to have finished. */
const merged = (definition: Definition): Definition =>
  definition.measure['force-merge'] === undefined
    ? { ...definition, measure: { ...definition.measure, 'force-merge': 1 } }
    : definition;

/**
 * Returns the request with a changed definition. The duration of trials fits the available time. If the goal depends on bytes, a force
 * merge is added.
 */
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

/**
 * Returns the number of trials in the experiment that tests all selected settings together. It measures the settings before the tuning, all
 * selected settings, and for each selected setting all of them except this one. `lines`: number of selected settings.
 */
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
 * Plans as many candidates as the time allows, in the order of their expected gain. `request`: result of {@link withTrials}. Throws an
 * input error: `tuning.time` if the time is too short, `tuning.nothing` if there is nothing to try.
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
      why: `its expected gain is smaller than that of the others, and there is time for ${plural(most, 'candidate')}`,
    }));
    if (request.definition.tasks.some(({ ingest }) => ingest?.source.file !== undefined))
      notes.push(
        'The documents come from a file, so the confirming comparison sends the same ones again, in a separate run.',
      );
    return { ...plan, untried: [...untried, ...late], notes };
  }
  const least = planOf(candidates.slice(0, 1), 1, trialMs).ms;
  throw inputError('tuning.time', 'time', `even one candidate takes about ${formatDuration(least)}`, {
    found: request.time,
    allowed: `at least ${formatDuration(least)}, or shorter trials`,
  });
}

/**
 * Returns the factor levels of a combination of settings. `cell`: ids of the candidates in it. If `cell` is empty, returns the levels
 * before the tuning, for all settings of the stage. A setting with its default value gets no level.
 */
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

/** Returns the definition of a stage's experiment. */
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
    // Adds a burn-in, because a cluster that has just started is slow until its JVM has compiled the code.
    measure:
      isFirst && definition.measure.warmup !== undefined
        ? { ...definition.measure, 'burn-in': wholeSeconds(Math.min(30_000, tuning.plan.trialMs)) }
        : definition.measure,
  };
}

/** Returns the seed of the next stage. Stages have different seeds, so each stage generates other documents. */
export const seedOf = ({ request, stages }: Pick<Tuning, 'request' | 'stages'>): number =>
  deriveSeed(request.definition.seed, 'tuning', stages.length);
