/** States of runs in the order in which they are offered: what goes on first. */
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
