/**
 * Decides the next step of a tuning from the stored results of its runs.
 *
 * 1. Rounds: successive halving (Jamieson and Talwalkar 2016).
 * 2. All better settings together.
 * 3. A confirming comparison.
 *
 * The rounds only select candidates. The best of many candidates looks better than it is (the winner's curse), so the intervals of the
 * rounds are not reliable. The confirming comparison therefore compares the selected settings with the settings before the tuning (the
 * *start*) in new trials. Only settings that this comparison confirms are recommended.
 *
 * If a comparison does not confirm the settings, the next one tests fewer settings in new trials, with half the error probability. If no
 * setting has an effect, a wrong recommendation therefore occurs in at most 2.5% + 1.25% + 0.625% of tunings, regardless of the number of
 * candidates.
 */
import { LEVEL } from '../analysis/confidence';
import { trustOf } from '../analysis/run-trust';
import { trialsNeeded } from '../analysis/trials-needed';
import { formatChange, formatChanges } from '../analysis/wording';
import { durationMs } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import {
  compareStage,
  evidenceOf,
  gainOf,
  goalOf,
  isBetter,
  judgeLimit,
  roomOf,
  seemsBroken,
  type Pair,
} from './evidence';
import type { Figure } from './goal';
import type { Candidate } from './knobs';
import {
  halved,
  LEAST_CONFIRMING,
  MOST_CONFIRMATIONS,
  MOST_CONFIRMING,
  MOST_TOGETHER,
  seedOf,
  TOGETHER_REPETITIONS,
  togetherTrials,
  WORTH,
} from './plan';
import { clientSettings, indexTemplate } from './template';
import {
  limitsOf,
  type Evidence,
  type JudgedLimit,
  type Line,
  type Outcome,
  type Stage,
  type StageRecord,
  type StoredRun,
  type Tuning,
} from './tuning';
import { parseTime } from '../units/time';

/** Spread (coefficient of variation) that is assumed while the noise is unknown. */
const ASSUMED_SPREAD = 0.05;
/**
 * A candidate is combined with other candidates only if its gain over the settings before the tuning is larger than this number of standard
 * errors.
 */
const PROMISING_ERRORS = 1;
/** The confirming comparison must be able to detect this share of the gain that the rounds showed. The rest of the gain may be chance. */
const EXPECTED_SHARE = 0.6;

export type Step = { kind: 'stage'; stage: Stage } | { kind: 'end'; outcome: Outcome };

type Given = Pick<Tuning, 'request' | 'plan' | 'stages'>;
type Runs = ReadonlyMap<string, StoredRun>;

/** Results of the selecting rounds for one candidate: a value of a setting that the tuning tries. */
interface CandidateResult {
  candidate: Candidate;
  /**
   * Gain of the candidate over the settings before the tuning, as a factor above 1 for an improvement. It covers all rounds that include
   * the candidate. Null if unknown.
   */
  gain: number | null;
  /** Spread of the metric of a single trial, as a standard deviation on the log scale. */
  spread: number;
  trials: number;
  /** Reason why the candidate is excluded; '' if it is not excluded. */
  out: string;
  last: StageRecord;
}

/** Returns the next step of a tuning. All runs of the stages so far must have completed. */
export function nextStep(tuning: Given, runs: Runs): Step {
  const { stages } = tuning;
  const last = stages.at(-1);
  if (last === undefined) return round(tuning, tuning.plan.candidates, tuning.plan.rounds[0]!.repetitions);
  if (last.kind === 'confirmation') return afterConfirmation(tuning, runs);
  if (last.kind === 'together') return afterTogether(tuning, runs, last);
  return afterRound(tuning, runs);
}

const stageOf = (tuning: Given, kind: Stage['kind'], cells: string[][], repetitions: number): Step => ({
  kind: 'stage',
  stage: { kind, cells, repetitions, seed: seedOf(tuning) },
});

const round = (tuning: Given, candidates: readonly Candidate[], repetitions: number): Step =>
  stageOf(tuning, 'round', [[], ...candidates.map(({ id }) => [id])], repetitions);

/**
 * Returns the remaining time of the tuning (`leftMs`), and the measured duration of a trial (`trialMs`). Only the duration of trials counts
 * as used time, and not the time in which a run waited in the queue or was interrupted.
 */
function timeOf({ request, plan, stages }: Given, runs: Runs): { leftMs: number; trialMs: number } {
  let usedMs = 0;
  let trialMs = plan.trialMs;
  for (const { run } of stages) {
    const times = runs.get(run)!.trials.map(({ times: { started, ended } }) => spanMs(started, ended));
    const ms = times.reduce((sum, one) => sum + one, 0);
    usedMs += ms;
    if (ms > 0) trialMs = ms / times.length;
  }
  return { leftMs: durationMs(request.time) - usedMs, trialMs };
}

const spanMs = (from: string, to: string | null): number =>
  to === null ? 0 : Math.max(0, parseTime(to) - parseTime(from));

function candidateResults(tuning: Given, runs: Runs): CandidateResult[] {
  const rounds = tuning.stages.filter(({ kind }) => kind === 'round');
  const goal = goalOf(tuning.request);
  const limits = limitsOf(tuning.request);
  const known = new Map<string, CandidateResult & { logs: number; squares: number }>();
  for (const stage of rounds) {
    const stored = runs.get(stage.run)!;
    const candidates = stage.cells.flat();
    const pairs = candidates.map((_, at) => [at + 1, 0] as const);
    const comparisons = compareStage(stored, goal, pairs);
    const breaches = limits.map((limit) => seemsBroken(limit, stored, pairs));
    candidates.forEach((id, at) => {
      const { ratio, spread, n, nAgainst } = comparisons[at]!;
      const gain = gainOf(goal, ratio);
      const before = known.get(id);
      const trials = Math.min(n, nAgainst);
      const broken = breaches.map((whys) => whys[at]!).find((why) => why !== '');
      const logs = (before?.logs ?? 0) + (gain === null ? 0 : Math.log(gain) * trials);
      const all = (before?.trials ?? 0) + (gain === null ? 0 : trials);
      const squares = (before?.squares ?? 0) + (spread ?? ASSUMED_SPREAD) ** 2 * trials;
      known.set(id, {
        candidate: tuning.plan.candidates.find((candidate) => candidate.id === id)!,
        logs,
        squares,
        trials: all,
        gain: all === 0 ? null : Math.exp(logs / all),
        spread: all === 0 ? ASSUMED_SPREAD : Math.sqrt(squares / all),
        out: gain === null ? whyNoFigure(stored, at + 1) : (broken ?? ''),
        last: stage,
      });
    });
  }
  return [...known.values()].sort((a, b) => (b.gain ?? 0) - (a.gain ?? 0));
}

/**
 * Returns the reason why no trial with these settings has a value of the metric that the tuning improves. `cell`: index of the combination
 * of settings.
 */
function whyNoFigure({ trials }: StoredRun, cell: number): string {
  const failed = trials.find((found) => found.cell.index === cell && found.trial.state === 'failed');
  return failed === undefined
    ? 'none of its trials has the metric'
    : `its trials failed: ${failed.trial.reason}`;
}

function afterRound(tuning: Given, runs: Runs): Step {
  const { plan, stages } = tuning;
  const all = candidateResults(tuning, runs);
  const last = stages.at(-1)!;
  const alive = all.filter(({ out, candidate }) => out === '' && last.cells.flat().includes(candidate.id));
  const { leftMs, trialMs } = timeOf(tuning, runs);
  const confirmingMs = 2 * LEAST_CONFIRMING * trialMs;
  const next = plan.rounds[stages.length];
  if (next !== undefined) {
    const kept = knobsFirst(alive.filter(({ gain }) => (gain ?? 0) > 1)).slice(
      0,
      halved(last.cells.length - 1),
    );
    const trials = (kept.length + 1) * next.repetitions;
    if (kept.length > 0 && trials * trialMs + confirmingMs <= leftMs)
      return round(
        tuning,
        kept.map(({ candidate }) => candidate),
        next.repetitions,
      );
    if (kept.length === 0) return nothing(tuning, runs, 'no candidate was better than the start');
  }
  const better = oneOfEach(alive.filter(isPromising)).slice(0, MOST_TOGETHER);
  if (better.length === 0)
    return nothing(
      tuning,
      runs,
      `no candidate was better than the start by at least ${percent(WORTH)} and by more than chance`,
    );
  if (better.length > 1 && togetherTrials(better.length) * trialMs + confirmingMs <= leftMs) {
    const ids = better.map(({ candidate }) => candidate.id);
    const cells = [[], ids, ...ids.map((id) => ids.filter((other) => other !== id))];
    return stageOf(tuning, 'together', cells, TOGETHER_REPETITIONS);
  }
  return confirm(
    tuning,
    runs,
    better.map(({ candidate }) => candidate.id),
    {
      spread: Math.max(...better.map(({ spread }) => spread)),
      gain: better[0]!.gain ?? 1,
    },
  );
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** Returns whether a gain is large enough to justify a setting, and larger than chance often produces. */
const isPromising = ({
  gain,
  spread,
  trials,
}: Pick<CandidateResult, 'gain' | 'spread' | 'trials'>): boolean =>
  gain !== null &&
  gain >= 1 + WORTH &&
  Math.log(gain) >= PROMISING_ERRORS * spread * Math.sqrt(2 / Math.max(1, trials));

/** Returns the best value of each setting. Only one value of a setting can be combined with other settings. */
const oneOfEach = (found: readonly CandidateResult[]): CandidateResult[] =>
  found.filter(
    ({ candidate }, at) => !found.slice(0, at).some((other) => other.candidate.knob === candidate.knob),
  );

/**
 * Returns the best value of each setting first, then all other values. The order is useful for combinations: two settings can be combined,
 * but two values of the same setting cannot.
 */
const knobsFirst = (found: readonly CandidateResult[]): CandidateResult[] => {
  const first = oneOfEach(found);
  return [...first, ...found.filter((one) => !first.includes(one))];
};

/**
 * Selects settings after the experiment with all better settings together. Leaves out settings that contribute little, and combinations
 * that exceed a limit.
 */
function afterTogether(tuning: Given, runs: Runs, stage: StageRecord): Step {
  const stored = runs.get(stage.run)!;
  const goal = goalOf(tuning.request);
  const ids = stage.cells[1]!;
  const cellOf = (set: readonly string[]): number =>
    stage.cells.findIndex((cell) => cell.length === set.length && cell.every((id) => set.includes(id)));
  const withoutEach = compareStage(
    stored,
    goal,
    ids.map((_, at) => [1, at + 2] as const),
  );
  const needed = ids.filter((_, at) => {
    const { ratio, spread, n, nAgainst } = withoutEach[at]!;
    return isPromising({
      gain: gainOf(goal, ratio),
      spread: spread ?? ASSUMED_SPREAD,
      trials: Math.min(n, nAgainst),
    });
  });
  const withStart = stage.cells.slice(1).map((_, at) => [at + 1, 0] as const);
  const gains = compareStage(stored, goal, withStart);
  const breaches = limitsOf(tuning.request).map((limit) => seemsBroken(limit, stored, withStart));
  const gainAt = (cell: number): number => gainOf(goal, gains[cell - 1]?.ratio ?? null) ?? 0;
  const broken = (cell: number): string =>
    breaches.map((whys) => whys[cell - 1]!).find((why) => why !== '') ?? '';
  // The confirming comparison decides about combinations that were not measured here.
  const measured = [needed, ids, ...ids.map((id) => ids.filter((other) => other !== id))].filter(
    (set) => set.length > 0,
  );
  const kept = measured.filter((set) => cellOf(set) < 0 || broken(cellOf(set)) === '');
  const [first] = kept;
  const best = first === needed ? first : [...kept].sort((a, b) => gainAt(cellOf(b)) - gainAt(cellOf(a)))[0];
  if (best === undefined) return nothing(tuning, runs, `no combination keeps the limits: ${broken(1)}`);
  const at = cellOf(best);
  return confirm(tuning, runs, best, {
    spread: gains[0]!.spread ?? ASSUMED_SPREAD,
    gain: at < 0 ? gainAt(1) : gainAt(at),
    limits: { stored, cell: at < 0 ? 1 : at },
  });
}

interface Seen {
  spread: number;
  gain: number;
  /**
   * Run and combination of settings (`cell`) in which all selected settings were measured together. It shows whether they keep the limits
   * of the tuning.
   */
  limits?: { stored: StoredRun; cell: number };
}

const confirmationsIn = ({ stages }: Pick<Given, 'stages'>): StageRecord[] =>
  stages.filter(({ kind }) => kind === 'confirmation');

/** Returns the number by which the allowed error of the next confirmation is divided. `confirmations`: number of confirmations so far. */
const partsAfter = (confirmations: number): number => 2 ** confirmations;

function confirm(tuning: Given, runs: Runs, ids: readonly string[], { spread, gain, limits }: Seen): Step {
  const { leftMs, trialMs } = timeOf(tuning, runs);
  const within = Math.floor(leftMs / trialMs / 2);
  if (within < LEAST_CONFIRMING)
    return nothing(
      tuning,
      runs,
      `the trials took longer than estimated, and no time was left for the confirmation (${formatDuration(Math.max(0, leftMs))} of at least ${formatDuration(2 * LEAST_CONFIRMING * trialMs)})`,
    );
  const rooms = limitsOf(tuning.request).flatMap(
    (limit) => (limits && roomOf(limit, limits.stored, [limits.cell, 0])) ?? [],
  );
  const parts = partsAfter(confirmationsIn(tuning).length);
  const needed = Math.max(
    trialsNeeded(spread, Math.max(WORTH, (gain - 1) * EXPECTED_SHARE), parts),
    ...rooms.map((room) => trialsNeeded(room.spread, room.change, parts)),
  );
  const repetitions = Math.min(within, MOST_CONFIRMING, Math.max(LEAST_CONFIRMING, needed + 1));
  return stageOf(tuning, 'confirmation', [[], [...ids]], repetitions);
}

const candidateOf = ({ plan }: Given, id: string): Candidate =>
  plan.candidates.find((candidate) => candidate.id === id)!;

/** Returns the evidence for a single candidate from the last round that contains it. Returns null if no round contains it. */
function roundEvidence(tuning: Given, runs: Runs, id: string): Evidence | null {
  const stage = tuning.stages.findLast(({ kind, cells }) => kind === 'round' && cells.flat().includes(id));
  if (stage === undefined) return null;
  const pairs = stage.cells.slice(1).map((_, at) => [at + 1, 0] as const);
  const cell = stage.cells.findIndex((ids) => ids.includes(id));
  return evidenceOf(tuning.request, stage, runs.get(stage.run)!, pairs, 'start')[cell - 1]!;
}

function dropped(tuning: Given, runs: Runs, final: readonly string[]): Outcome['dropped'] {
  const all = candidateResults(tuning, runs);
  const lastRound = tuning.stages.findLast(({ kind }) => kind === 'round');
  const together = tuning.stages.find(({ kind }) => kind === 'together')?.cells[1] ?? [];
  const unconfirmed = confirmationsIn(tuning)[0]?.cells[1] ?? [];
  return all
    .filter(({ candidate }) => !final.includes(candidate.id))
    .map((result) => {
      const { candidate, out, gain } = result;
      const why =
        out !== ''
          ? out
          : unconfirmed.includes(candidate.id)
            ? 'the settings were not confirmed with it'
            : together.includes(candidate.id)
              ? 'it added nothing to the other settings, or broke a limit'
              : (gain ?? 0) <= 1
                ? 'it was not better than the start'
                : !isPromising(result)
                  ? 'its gain is too small to be worth a setting, or may be chance'
                  : result.last === lastRound
                    ? 'another value, or other settings, gained more'
                    : 'others gained more in the round before';
      return { candidate, why, evidence: roundEvidence(tuning, runs, candidate.id) };
    });
}

const outcome = (tuning: Given, parts: Partial<Outcome> & { sentence: string }): Outcome => ({
  recommended: false,
  confirmation: null,
  limits: [],
  lines: [],
  dropped: [],
  untried: tuning.plan.untried,
  template: null,
  client: [],
  notes: tuning.plan.notes,
  ...parts,
});

function nothing(tuning: Given, runs: Runs, why: string): Step {
  const sentence = `Nothing is recommended: ${why}.`;
  return { kind: 'end', outcome: outcome(tuning, { sentence, dropped: dropped(tuning, runs, []) }) };
}

/**
 * Returns the evidence for each selected setting. It compares all selected settings with all of them except this setting. If no stage
 * compared these, it is the evidence of the rounds. If only one setting is selected, it is the evidence of the confirmation.
 */
function linesOf(tuning: Given, runs: Runs, ids: readonly string[], confirmation: Evidence): Line[] {
  if (ids.length === 1) return [{ candidate: candidateOf(tuning, ids[0]!), evidence: confirmation }];
  const stage = tuning.stages.find(({ kind }) => kind === 'together');
  if (stage === undefined)
    return ids.flatMap((id) => {
      const evidence = roundEvidence(tuning, runs, id);
      return evidence === null ? [] : [{ candidate: candidateOf(tuning, id), evidence }];
    });
  const all = stage.cells[1]!;
  const pairs = all.map((_, at) => [1, at + 2] as const);
  const found = evidenceOf(tuning.request, stage, runs.get(stage.run)!, pairs, 'without');
  return ids.map((id) => ({ candidate: candidateOf(tuning, id), evidence: found[all.indexOf(id)]! }));
}

/** Metric and limit that prevented the confirmation; null if the settings were confirmed. */
type Failure = { figure: Figure; limit: JudgedLimit | null } | null;

/** Judges the newest confirming comparison. */
function judgeConfirmation(
  tuning: Given,
  runs: Runs,
): { confirmation: Evidence; limits: JudgedLimit[]; failure: Failure } {
  const stage = tuning.stages.at(-1)!;
  const stored = runs.get(stage.run)!;
  const pair = [1, 0] as const;
  const goal = goalOf(tuning.request);
  const level = 1 - (1 - LEVEL) / partsAfter(confirmationsIn(tuning).length - 1);
  const confirmation = evidenceOf(tuning.request, stage, stored, [pair], 'start', level)[0]!;
  const asked = limitsOf(tuning.request);
  const limits = asked.map((limit) => judgeLimit(limit, stored, pair, level));
  const at = limits.findIndex(({ answer }) => answer !== 'kept');
  const failure = !isBetter(goal, confirmation.goal)
    ? { figure: goal, limit: null }
    : at < 0
      ? null
      : { figure: asked[at]!.figure, limit: limits[at]! };
  return { confirmation, limits, failure };
}

/** Ends the tuning if the settings are confirmed or no time is left. Otherwise starts a confirmation without the worst setting. */
function afterConfirmation(tuning: Given, runs: Runs): Step {
  const { failure, confirmation } = judgeConfirmation(tuning, runs);
  const stage = tuning.stages.at(-1)!;
  const ids = stage.cells[1]!;
  const { leftMs, trialMs } = timeOf(tuning, runs);
  const end: Step = { kind: 'end', outcome: conclude(tuning, runs) };
  if (failure === null || ids.length < 2 || confirmationsIn(tuning).length >= MOST_CONFIRMATIONS) return end;
  if (2 * LEAST_CONFIRMING * trialMs > leftMs) return end;
  const worst = worstOf(tuning, runs, ids, failure.figure);
  const left = ids.filter((id) => id !== worst);
  const [found] = compareStage(runs.get(stage.run)!, goalOf(tuning.request), [[1, 0]]);
  return confirm(tuning, runs, left, {
    spread: found!.spread ?? ASSUMED_SPREAD,
    gain: gainOf(confirmation.goal, confirmation.goal.ratio) ?? 1,
    ...seenTogether(tuning, runs, left),
  });
}

/**
 * Returns the gain and the limits of a combination of settings. Returns an empty object unless the experiment with all better settings
 * measured exactly these settings.
 */
function seenTogether(tuning: Given, runs: Runs, ids: readonly string[]): Partial<Seen> {
  const stage = tuning.stages.find(({ kind }) => kind === 'together');
  const cell = stage?.cells.findIndex(
    (one) => one.length === ids.length && ids.every((id) => one.includes(id)),
  );
  if (stage === undefined || cell === undefined || cell < 0) return {};
  const stored = runs.get(stage.run)!;
  const goal = goalOf(tuning.request);
  const gain = gainOf(goal, compareStage(stored, goal, [[cell, 0]])[0]!.ratio);
  return { ...(gain === null ? {} : { gain }), limits: { stored, cell } };
}

/**
 * Returns the setting with the smallest gain, or the largest loss, in a metric. The gain of a setting is the difference between all
 * selected settings and all of them except this setting. If no stage measured both, it is the gain of the setting alone. Confirming
 * comparisons are not considered.
 */
function worstOf(tuning: Given, runs: Runs, ids: readonly string[], figure: Figure): string {
  const together = tuning.stages.find(({ kind }) => kind === 'together');
  const gains = ids.map((id) => {
    const own = tuning.stages.findLast(({ kind, cells }) => kind === 'round' && cells.flat().includes(id))!;
    const stage = together ?? own;
    const pair: Pair =
      together === undefined
        ? [own.cells.findIndex((cell) => cell.includes(id)), 0]
        : [1, together.cells[1]!.indexOf(id) + 2];
    return gainOf(figure, compareStage(runs.get(stage.run)!, figure, [pair])[0]!.ratio) ?? 0;
  });
  return ids[gains.indexOf(Math.min(...gains))]!;
}

function conclude(tuning: Given, runs: Runs): Outcome {
  const stage = tuning.stages.at(-1)!;
  const ids = stage.cells[1]!;
  const { confirmation, limits, failure } = judgeConfirmation(tuning, runs);
  const lines = linesOf(tuning, runs, ids, confirmation);
  const { run } = runs.get(stage.run)!;
  // Uses the same trust as the page of the run, lists and reports.
  const rest = { confirmation, trust: trustOf(run), limits, dropped: dropped(tuning, runs, ids) };
  const change = `${formatChange(confirmation.goal.ratio)} ${confirmation.goal.title} (${formatChanges(confirmation.goal.interval)})`;
  const fresh = `in a separate comparison of ${plural(stage.repetitions, 'trial')} each`;
  const without = (confirmationsIn(tuning)[0]!.cells[1] ?? []).filter((id) => !ids.includes(id));
  const taken = without.length === 0 ? '' : ` without ${without.join(', ')}`;
  if (failure !== null)
    return outcome(tuning, {
      ...rest,
      sentence: `Nothing is recommended: ${ids.join(', ')} ${
        failure.limit === null
          ? `looked better, but ${fresh}${taken} that was not confirmed: ${change}`
          : `gained ${change}${taken}, but the limit ${failure.limit.limit} ${
              failure.limit.answer === 'broken'
                ? 'was not kept'
                : 'was not shown to be kept; more time may show it'
            }: ${failure.limit.why}`
      }.`,
    });
  const levels = Object.assign({}, ...ids.map((id) => candidateOf(tuning, id).levels)) as Record<
    string,
    unknown
  >;
  const runsUsed = [...new Set([stage.run, ...lines.map(({ evidence }) => evidence.run)])];
  return outcome(tuning, {
    ...rest,
    recommended: true,
    sentence: `${change} with ${plural(ids.length, 'setting')} changed, confirmed ${fresh}${
      without.length === 0 ? '' : `, after the settings were not confirmed with ${without.join(', ')}`
    }.`,
    lines,
    template: indexTemplate(tuning.request.definition, levels, runsUsed, tuning.request.subject),
    client: clientSettings(tuning.request.definition, levels),
  });
}
