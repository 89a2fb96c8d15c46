/** Stored stacks of a trial. They show where the nodes spent their time in the measured phase: see `measure.profile`. */
import type { ProfileEvent, ProfileSource, ProfileUnit } from '../profile/events';
import type { ExperimentMark } from './experiment-mark';

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
  source: ProfileSource;
  event: ProfileEvent;
  unit: ProfileUnit;
  /** Sum of all weights. */
  total: number;
  /** Number of stacks that were seen, before equal ones were added up. */
  samples: number;
  /** Weight of the stacks that lost their innermost frames, because the stacks were too large: see `foldRare`. At most `total`. */
  folded: number;
  /** Collapsed stacks (`common/profile/stacks.ts`), compressed with gzip, as base64. */
  stacks: string;
}
