/** Stored stacks of a trial. They show where the nodes spent their time in the measured phase: see `measure.profile`. */
import type { ExperimentMark } from './experiment-mark';

/** Events that a profile may count: CPU time, allocated bytes, time in which threads waited for locks, or elapsed time. */
export const PROFILE_EVENTS = ['cpu', 'alloc', 'lock', 'wall'] as const;
export type ProfileEvent = (typeof PROFILE_EVENTS)[number];

/** Formats of files for other tools. `collapsed`: text for FlameGraph, speedscope and others. `firefox`: JSON for the Firefox Profiler. */
export const PROFILE_FORMATS = ['collapsed', 'firefox'] as const;
export type ProfileFormat = (typeof PROFILE_FORMATS)[number];

/** Document in `dyno-profiles-*`: the stacks of one trial for one event. Only completed trials have such documents. */
export interface ProfileDocument {
  /** Begin of the measured phase. */
  '@timestamp': string;
  run: { id: string };
  experiment: ExperimentMark;
  trial: { id: string; repetition: number; order: number };
  cell: { id: string; label: string; index: number };
  /** How the stacks were read: with the API `_nodes/hot_threads`, or by async-profiler. */
  source: 'hot-threads' | 'profiler';
  event: ProfileEvent;
  /** Unit of the weights. `us`: microseconds. */
  unit: 'us' | 'bytes';
  /** Sum of all weights. */
  total: number;
  /** Number of stacks that were seen, before equal ones were added up. */
  samples: number;
  /** Weight of the stacks that lost their innermost frames, because the stacks were too large: see `foldRare`. At most `total`. */
  folded: number;
  /** Collapsed stacks (`common/profile/stacks.ts`), compressed with gzip, as base64. */
  stacks: string;
}
