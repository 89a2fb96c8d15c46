/** States of runs in the order of the filter: active ones first. */
import type { RunState } from '../../../common/experiment/run';

export const STATES: readonly RunState[] = [
  'running',
  'queued',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
];
