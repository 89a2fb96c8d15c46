/** Runs as a host carries them: one at a time for each target, others wait their turn. */
import type { Progress } from '../../../common/measurement/progress';
import type { RunState } from '../../../common/experiment/run';
import type { Definition } from '../../../common/experiment/definition';
import type { Environment } from '../../../common/experiment/environment';
import type { Asked } from '../record/record';

export interface RunOrder {
  definition: Definition;
  /** Of the experiment that it is a run of. */
  experimentId: string;
  /** Kibana's space that it is a run of; undefined for the default one and outside Kibana. */
  space?: string;
  /** Who asked for it: it is kept with the run's events. */
  asked: Asked;
  /** Labels of the environment that stands now, in which it begins; the definition's first. */
  begins?: Environment;
}

export interface RunService {
  /** Resolves once the run is kept as `queued` or has begun. Rejects with a DynoError. */
  start(order: RunOrder): Promise<{ run: string; state: RunState }>;
  /**
   * Goes on with a run that was interrupted, or that waits for its next environment, which then may stand at another
   * target than before. Rejects with `run.not-found`, `run.not-interrupted` or `run.target` (another one for a run that
   * does not wait).
   */
  resume(runId: string, options?: { target?: string }): Promise<{ run: string; state: RunState }>;
  /** Rejects with `run.not-found` or `run.not-running` (it neither waits nor does anybody carry it). */
  cancel(runId: string, reason: string): Promise<{ state: RunState }>;
  /** Of a run that goes on here; null otherwise. */
  progress(runId: string): Progress | null;
  /** Runs before it on its target; null unless it waits here. */
  queuedBehind(runId: string): number | null;
  /** Told at every progress (once a second) and whenever the run's documents change; returns what ends it. */
  follow(runId: string, listener: (change: 'progress' | 'documents') => void): () => void;
  /** Removes a run that has ended, or waits for an environment, with all its documents; rejects with `run.not-found` or `run.unfinished`. */
  delete(runId: string): Promise<{ deleted: number }>;
  /** Ends all runs orderly as `interrupted`: those that were going and those that waited can go on later. */
  close(reason: string): Promise<void>;
}
