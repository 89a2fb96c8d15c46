/**
 * What a tuning does next, from the stored reports of its runs alone: successive halving (Jamieson and Talwalkar 2016), then all that
 * was found better together, then a confirming comparison.
 *
 * The rounds only choose. Whatever is best of many is better than it is by luck (the winner's curse), so no interval of theirs
 * is a promise: the settings that are left are held against the start once more, in trials that nothing was chosen by, and only
 * that comparison recommends. It is one comparison of two cells with 95% confidence, of which one side counts. Where it does not bear the
 * settings out, fewer of them are compared in new trials, with half the error each time. So where there is nothing to gain something is
 * recommended in 2.5% + 1.25% + 0.625% of tunings at most, however many candidates there were.
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

/** Where nothing tells the time of a trial yet, or the noise. */
const ASSUMED_SPREAD = 0.05;
/** Standard errors by which a candidate must be better than the start to be put together with others. */
const PROMISING_ERRORS = 1;
/** Of the gain that the rounds saw, what the confirming comparison is to find: the rest may be luck. */
const EXPECTED_SHARE = 0.6;

export type Step = { kind: 'stage'; stage: Stage } | { kind: 'end'; outcome: Outcome };

type Given = Pick<Tuning, 'request' | 'plan' | 'stages'>;
type Runs = ReadonlyMap<string, StoredRun>;

/** What the rounds know of a candidate. */
interface Standing {
  candidate: Candidate;
  /** Over all rounds that it was in. */
  gain: number | null;
  /** Of a single trial, on the log scale. */
  spread: number;
  trials: number;
  /** Why it cannot be among the settings; '' for nothing. */
  out: string;
  last: StageRecord;
}

/** `tuning`: all runs of its stages are completed. */
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
 * What is left of the time, and how long a trial takes, by the runs so far. Only trials count: a run may have waited for its turn, or for
 * a process that goes on with it.
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

function standings(tuning: Given, runs: Runs): Standing[] {
  const rounds = tuning.stages.filter(({ kind }) => kind === 'round');
  const goal = goalOf(tuning.request);
  const limits = limitsOf(tuning.request);
  const known = new Map<string, Standing & { logs: number; squares: number }>();
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

/** Of a cell none of whose trials tells the goal. */
function whyNoFigure({ trials }: StoredRun, cell: number): string {
  const failed = trials.find((found) => found.cell.index === cell && found.trial.state === 'failed');
  return failed === undefined ? 'no trial of it has the figure' : `its trials failed: ${failed.trial.reason}`;
}

function afterRound(tuning: Given, runs: Runs): Step {
  const { plan, stages } = tuning;
  const all = standings(tuning, runs);
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
      `no candidate was better than the start by ${percent(WORTH)} and more than chance`,
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

/** Better by what is worth a setting, and by more than chance often gives. */
const isPromising = ({ gain, spread, trials }: Pick<Standing, 'gain' | 'spread' | 'trials'>): boolean =>
  gain !== null &&
  gain >= 1 + WORTH &&
  Math.log(gain) >= PROMISING_ERRORS * spread * Math.sqrt(2 / Math.max(1, trials));

/** The best value of each knob: two of one cannot be set at once. */
const oneOfEach = (found: readonly Standing[]): Standing[] =>
  found.filter(
    ({ candidate }, at) => !found.slice(0, at).some((other) => other.candidate.knob === candidate.knob),
  );

/** The best value of each knob, then their second ones: of two knobs more can be had together than of two values of one. */
const knobsFirst = (found: readonly Standing[]): Standing[] => {
  const first = oneOfEach(found);
  return [...first, ...found.filter((one) => !first.includes(one))];
};

/** What is left of all together: lines without which it is hardly worse are taken out, and what breaks a limit is not taken. */
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
  // What was not measured as it stands is not judged here: the confirming comparison does.
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
  /** Where limits were seen with all settings together. */
  limits?: { stored: StoredRun; cell: number };
}

const confirmationsIn = ({ stages }: Pick<Given, 'stages'>): StageRecord[] =>
  stages.filter(({ kind }) => kind === 'confirmation');

/** Into how many parts of the usual error that of a confirmation is split which comes after so many. */
const partsAfter = (confirmations: number): number => 2 ** confirmations;

function confirm(tuning: Given, runs: Runs, ids: readonly string[], { spread, gain, limits }: Seen): Step {
  const { leftMs, trialMs } = timeOf(tuning, runs);
  const within = Math.floor(leftMs / trialMs / 2);
  if (within < LEAST_CONFIRMING)
    return nothing(
      tuning,
      runs,
      `the trials took longer than estimated, and no time was left to confirm what was found (${formatDuration(Math.max(0, leftMs))} of at least ${formatDuration(2 * LEAST_CONFIRMING * trialMs)})`,
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

/** The newest evidence on a candidate by itself, from the rounds. */
function roundEvidence(tuning: Given, runs: Runs, id: string): Evidence | null {
  const stage = tuning.stages.findLast(({ kind, cells }) => kind === 'round' && cells.flat().includes(id));
  if (stage === undefined) return null;
  const pairs = stage.cells.slice(1).map((_, at) => [at + 1, 0] as const);
  const cell = stage.cells.findIndex((ids) => ids.includes(id));
  return evidenceOf(tuning.request, stage, runs.get(stage.run)!, pairs, 'start')[cell - 1]!;
}

function dropped(tuning: Given, runs: Runs, final: readonly string[]): Outcome['dropped'] {
  const all = standings(tuning, runs);
  const lastRound = tuning.stages.findLast(({ kind }) => kind === 'round');
  const together = tuning.stages.find(({ kind }) => kind === 'together')?.cells[1] ?? [];
  const unconfirmed = confirmationsIn(tuning)[0]?.cells[1] ?? [];
  return all
    .filter(({ candidate }) => !final.includes(candidate.id))
    .map((standing) => {
      const { candidate, out, gain } = standing;
      const why =
        out !== ''
          ? out
          : unconfirmed.includes(candidate.id)
            ? 'the settings were not confirmed with it'
            : together.includes(candidate.id)
              ? 'with the other settings it brought nothing more, or a limit was not kept with it'
              : (gain ?? 0) <= 1
                ? 'it was no better than the start'
                : !isPromising(standing)
                  ? 'what it brought is less than is worth a setting, or may be chance'
                  : standing.last === lastRound
                    ? 'another value of it, or others, brought more'
                    : 'others brought more in the round before';
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

/** Each line by all together against all but it; by the confirming comparison where it is the only one. */
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

/** What did not bear the settings out; null where all did. */
type Failure = { figure: Figure; limit: JudgedLimit | null } | null;

/** What the newest confirming comparison says. */
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

/** Where it was not borne out: what is left without the worst setting, as far as there is time for it. */
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

/** The gain and the limits of exactly these settings, where the stage of all together had them as a cell. */
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
 * The setting that did the least for the figure, or the most against it, by all stages before: all together against all but it; by
 * itself against the start where there was no such stage. The confirming comparisons have no say.
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
  // The level that the run's own page, lists and reports show.
  const rest = { confirmation, trust: trustOf(run), limits, dropped: dropped(tuning, runs, ids) };
  const change = `${formatChange(confirmation.goal.ratio)} ${confirmation.goal.title} (${formatChanges(confirmation.goal.interval)})`;
  const fresh = `in a comparison of ${plural(stage.repetitions, 'trial')} each that nothing was chosen by`;
  const without = (confirmationsIn(tuning)[0]!.cells[1] ?? []).filter((id) => !ids.includes(id));
  const taken = without.length === 0 ? '' : ` without ${without.join(', ')}`;
  if (failure !== null)
    return outcome(tuning, {
      ...rest,
      sentence: `Nothing is recommended: ${ids.join(', ')} ${
        failure.limit === null
          ? `looked better, and ${fresh}${taken} that was not confirmed: ${change}`
          : `brought ${change}${taken}, but the limit ${failure.limit.limit} ${
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
