/** A tuning: its request, its experiments and its outcome, stored as one document. */
import * as z from 'zod';
import type { Interval } from '../analysis/confidence';
import type { Word } from '../analysis/comparison';
import type { Definition } from '../experiment/definition';
import type { Trust } from '../experiment/trust';
import type { RunDocument } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { DynoError, type Problem } from '../problem';
import { parseDuration } from '../units/duration';
import { CONCESSIONS, GOALS } from './choices';
import { goalFigure, parseLimit, pricesSchema, type Limit } from './goal';
import { withFlatSettings, type Candidate, type TargetKnown, type Untried } from './knobs';

const durationText = z
  .string()
  .refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'a duration such as 30m' });

/** Options of a tuning, in addition to the definition with the current settings. */
export const tuningOptionsSchema = z.strictObject({
  goal: z.enum(GOALS),
  /**
   * Limits that recommended settings must keep. Default: the limits that `usualLimits` (goal.ts) returns for the goal. An empty list means
   * no limits.
   */
  limits: z.array(z.string().max(1000)).max(20).optional(),
  /** Time for all experiments together. */
  time: durationText.default('30m'),
  /** Duration of the measured phase of each trial. Default: calculated from `time`. */
  trial: durationText.optional(),
  /** Maximum time from the indexing of a document until searches must find it. */
  freshness: durationText.default('30s'),
  allow: z.array(z.enum(CONCESSIONS)).max(CONCESSIONS.length).default([]),
  prices: pricesSchema.optional(),
  /** The index or data stream from which the definition was created. The recommended template applies to this index or data stream. */
  subject: z.strictObject({ name: z.string().min(1).max(300), dataStream: z.boolean() }).optional(),
});
export type TuningOptions = z.output<typeof tuningOptionsSchema>;

/** Options of a tuning, with missing options derived from the definition. */
export interface TuningRequest extends TuningOptions {
  limits: string[];
  /** Definition with the current settings and without factors. Every experiment of the tuning is derived from it. */
  definition: Definition;
}

/** A planned round: an experiment after which about half of the candidates are dropped. */
export interface PlannedRound {
  candidates: number;
  repetitions: number;
  trials: number;
  ms: number;
}

export interface TuningPlan {
  /** Estimated duration of one trial, including preparation and clean-up, in ms. */
  trialMs: number;
  /** Candidates (values of settings to try) of the first round, the largest expected gain first. */
  candidates: Candidate[];
  untried: Untried[];
  rounds: PlannedRound[];
  /**
   * The experiment that measures all better settings together. For each of these settings, it also measures all of them except this one.
   * Null if only one candidate can remain after the rounds.
   */
  together: { trials: number; ms: number } | null;
  confirmation: { repetitions: number; trials: number; ms: number };
  /** Estimated total duration, in ms. */
  ms: number;
  /** Notes that a user should read before starting the tuning. */
  notes: string[];
}

export type StageKind = 'round' | 'together' | 'confirmation';

export interface Stage {
  kind: StageKind;
  /** Ids of the candidates in each cell (combination of settings). Empty for the cell with the settings before the tuning. */
  cells: string[][];
  repetitions: number;
  seed: number;
}

/** An experiment of the tuning (a stage) that has begun. */
export interface StageRecord extends Stage {
  run: string;
  /** Id of the experiment of this run. */
  experiment: string;
}

export interface EvidenceFigure {
  title: string;
  better: 'higher' | 'lower';
  /** Metric with the tested settings, divided by the metric with the settings in `against`; null if unknown. */
  ratio: number | null;
  interval: Interval | null;
  word: Word;
}

export interface Evidence {
  /** Id of the run that measured the change. */
  run: string;
  /**
   * Settings with which the tested settings are compared. `start`: the settings before the tuning. `without`: all selected settings except
   * the tested one.
   */
  against: 'start' | 'without';
  /** Number of trials with the tested settings, which is also the number with the settings in `against`. */
  trials: number;
  goal: EvidenceFigure;
  /** Changes of the metrics other than the goal. */
  beside: EvidenceFigure[];
}

export interface Line {
  candidate: Candidate;
  evidence: Evidence;
}

export interface JudgedLimit {
  limit: string;
  /**
   * Whether the limit is kept. `kept`: the value and its interval are within the limit. `broken`: the value exceeds the limit. `open`: the
   * value is within the limit, but its interval extends beyond it.
   */
  answer: 'kept' | 'broken' | 'open';
  why: string;
}

export interface Outcome {
  /** Whether the confirming comparison confirmed the settings. Only confirmed settings are recommended. */
  recommended: boolean;
  sentence: string;
  /**
   * Comparison of all recommended settings together with the settings before the tuning, in a separate run with new data. Null if there was
   * no confirming comparison.
   */
  confirmation: Evidence | null;
  /** Trust in the run of the confirming comparison; null without a confirming comparison. Absent in tunings of older versions of Dyno. */
  trust?: Trust | null;
  limits: JudgedLimit[];
  lines: Line[];
  /** Values of settings that were tried and are not recommended. */
  dropped: { candidate: Candidate; why: string; evidence: Evidence | null }[];
  untried: Untried[];
  /** Body of `PUT _index_template/NAME`; null if nothing is recommended, or if no index setting changed. */
  template: Record<string, unknown> | null;
  /** Settings of the clients that send documents. */
  client: { title: string; value: string }[];
  notes: string[];
}

export type TuningState = 'running' | 'completed' | 'failed' | 'cancelled';

export interface Tuning {
  id: string;
  name: string;
  state: TuningState;
  /** Reason for the state; '' if there is no problem. */
  reason: string;
  /** Time at which the tuning was started, ISO 8601 in UTC. */
  created: string;
  ended: string | null;
  request: TuningRequest;
  target: TargetKnown;
  plan: TuningPlan;
  stages: StageRecord[];
  outcome: Outcome | null;
}

/** A stored run with its trials. */
export interface StoredRun {
  run: RunDocument;
  trials: TrialDocument[];
}

/**
 * Returns the request of a tuning with its limits. `usual`: limits that apply if the options contain none. Throws an input error that lists
 * all reasons why this definition cannot be tuned with these options.
 */
export function readRequest(definition: Definition, options: TuningOptions, usual: string[]): TuningRequest {
  const problems: Problem[] = [];
  const problem = (path: string, message: string, more: Partial<Problem> = {}): void => {
    problems.push({ code: 'tuning.definition', path, message, ...more });
  };
  if (definition.index.existing !== undefined)
    problem('index.existing', 'a tuning creates its own indices, but this definition uses existing data');
  const figure = goalFigure(options.goal, definition, options.prices);
  if (typeof figure === 'string') problem('goal', figure);
  const limits = options.limits ?? usual;
  for (const [at, text] of limits.entries()) {
    const limit = parseLimit(text, definition);
    if ('message' in limit) problem(`limits[${at}]`, limit.message, { found: text, allowed: limit.allowed });
  }
  if (definition.measure.documents !== undefined && options.trial !== undefined)
    problem('trial', 'the definition measures a number of documents, not a time');
  if (problems.length > 0) throw new DynoError('input', problems);
  return { ...options, limits, definition: startOf(definition) };
}

/** Returns the definition of the experiment's first combination of factor levels, without factors and claims. */
const startOf = (definition: Definition): Definition => ({
  ...withFlatSettings(definition),
  factors: {},
  baseline: undefined,
  expect: [],
  thresholds: [],
  schedule: undefined,
  preset: undefined,
  trials: 1,
});

/** Returns the parsed limits of a request. */
export const limitsOf = ({ limits, definition }: TuningRequest): Limit[] =>
  limits.flatMap((text) => {
    const limit = parseLimit(text, definition);
    return 'message' in limit ? [] : [limit];
  });
