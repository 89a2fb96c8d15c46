/** A tuning: what was asked for, the experiments that it is carried out by, and what came of it. One document. */
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

/** What somebody asks for beside the definition with the settings of now. */
export const tuningOptionsSchema = z.strictObject({
  goal: z.enum(GOALS),
  /** Without it, the usual ones of the goal; an empty list for none. */
  limits: z.array(z.string().max(1000)).max(20).optional(),
  /** What all experiments together may take. */
  time: durationText.default('30m'),
  /** How long each trial is measured; by default what suits the time. */
  trial: durationText.optional(),
  /** Longest time until a document may be found. */
  freshness: durationText.default('30s'),
  allow: z.array(z.enum(CONCESSIONS)).max(CONCESSIONS.length).default([]),
  prices: pricesSchema.optional(),
  /** The index or data stream that the definition was drafted from: a template that is recommended is for it. */
  subject: z.strictObject({ name: z.string().min(1).max(300), dataStream: z.boolean() }).optional(),
});
export type TuningOptions = z.output<typeof tuningOptionsSchema>;

/** With what follows from the definition filled in. */
export interface TuningRequest extends TuningOptions {
  limits: string[];
  /** The settings of now, without factors; what every experiment of the tuning begins from. */
  definition: Definition;
}

/** One of the rounds in which most candidates fall away. */
export interface PlannedRound {
  candidates: number;
  repetitions: number;
  trials: number;
  ms: number;
}

export interface TuningPlan {
  /** How long one trial is estimated to take, with what is around it. */
  trialMs: number;
  /** Of the first round, in the order of expected gain. */
  candidates: Candidate[];
  untried: Untried[];
  rounds: PlannedRound[];
  /** What was found better, together, and without each. Null where one candidate alone can be left. */
  together: { trials: number; ms: number } | null;
  confirmation: { repetitions: number; trials: number; ms: number };
  /** All of it, ms. */
  ms: number;
  /** What to know before it begins. */
  notes: string[];
}

export type StageKind = 'round' | 'together' | 'confirmation';

export interface Stage {
  kind: StageKind;
  /** Ids of the candidates in each cell; the start has none. */
  cells: string[][];
  repetitions: number;
  seed: number;
}

/** A stage that has begun. */
export interface StageRecord extends Stage {
  run: string;
  /** Id of the experiment that it is a run of. */
  experiment: string;
}

export interface EvidenceFigure {
  title: string;
  better: 'higher' | 'lower';
  /** Over what it is compared with; null where that is not known. */
  ratio: number | null;
  interval: Interval | null;
  word: Word;
}

export interface Evidence {
  /** The run that it was measured in. */
  run: string;
  /** `the start`, `all of these without it`. */
  against: 'start' | 'without';
  /** Trials on each side. */
  trials: number;
  goal: EvidenceFigure;
  /** What it costs, or brings, elsewhere. */
  beside: EvidenceFigure[];
}

export interface Line {
  candidate: Candidate;
  evidence: Evidence;
}

export interface JudgedLimit {
  limit: string;
  /** `open`: within the limit as far as can be told, but the interval reaches beyond it. */
  answer: 'kept' | 'broken' | 'open';
  why: string;
}

export interface Outcome {
  /** Whether the confirming comparison bears the settings out. Nothing else is recommended. */
  recommended: boolean;
  sentence: string;
  /** All lines together against the start, on data and in a run that nothing was chosen by; null where it did not come to that. */
  confirmation: Evidence | null;
  /** Trust in the run of that comparison; null without one, absent in tunings of earlier versions. */
  trust?: Trust | null;
  limits: JudgedLimit[];
  lines: Line[];
  /** Tried, and not among the lines. */
  dropped: { candidate: Candidate; why: string; evidence: Evidence | null }[];
  untried: Untried[];
  /** Body of `PUT _index_template/NAME`; null where nothing is recommended, or no index setting changed. */
  template: Record<string, unknown> | null;
  /** Settings of whoever sends the documents. */
  client: { title: string; value: string }[];
  notes: string[];
}

export type TuningState = 'running' | 'completed' | 'failed' | 'cancelled';

export interface Tuning {
  id: string;
  name: string;
  state: TuningState;
  /** Why it is in this state; '' while all is well. */
  reason: string;
  /** ISO 8601, UTC. */
  created: string;
  ended: string | null;
  request: TuningRequest;
  target: TargetKnown;
  plan: TuningPlan;
  stages: StageRecord[];
  outcome: Outcome | null;
}

/** A run as it is kept, with its trials. */
export interface StoredRun {
  run: RunDocument;
  trials: TrialDocument[];
}

/** Throws a DynoError (input) with all that keeps it from being tuned. */
export function readRequest(definition: Definition, options: TuningOptions, usual: string[]): TuningRequest {
  const problems: Problem[] = [];
  const problem = (path: string, message: string, more: Partial<Problem> = {}): void => {
    problems.push({ code: 'tuning.definition', path, message, ...more });
  };
  if (definition.index.existing !== undefined)
    problem('index.existing', 'a tuning makes indices of its own, and this definition has data that stays');
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

/** The definition's first cell as it stands, for one trial of each cell of a stage. */
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

/** Of a request that was read. */
export const limitsOf = ({ limits, definition }: TuningRequest): Limit[] =>
  limits.flatMap((text) => {
    const limit = parseLimit(text, definition);
    return 'message' in limit ? [] : [limit];
  });
