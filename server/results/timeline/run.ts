/** Reads the run of a timeline: only the needed fields of the run and its trials, without histograms. */
import type { Definition } from '../../../common/experiment/definition';
import type { StoredPlan } from '../../../common/experiment/plan';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { FINAL_STATES, type RunDocument } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { inputError } from '../../../common/problem';
import { refresh, search } from '../search';
import { METRICS, RUNS, SAMPLES, TRIALS } from '../stored';
import { parseTime } from '../../../common/units/time';

/** Maximum number of hits of one search. Runs have fewer trials. */
export const PAGE = 10_000;
/** Time in ms after the end of a run, during which results that waited on disk may still arrive. */
export const LATE_MS = 60_000;
/** Minimum time between two refreshes of the same run, in ms. Pages that show the run share a refresh. */
const REFRESH_EVERY_MS = 1000;

export type TimelineTrial = Pick<TrialDocument, 'trial' | 'cell' | 'times'>;

export interface TimelineRun {
  id: string;
  definition: Definition;
  plan: Pick<StoredPlan, 'cells'>;
  run: RunDocument['run'];
  /** Trials in the order of their execution. */
  trials: TimelineTrial[];
  /** Whether the run has ended and no more results can arrive. */
  settled: boolean;
}

type Found = Pick<TimelineRun, 'run' | 'definition' | 'plan'>;

/**
 * Returns a function that reads runs. For an active run, each read includes everything that was written before the call. Rejects with a
 * DynoError `run.not-found` or `results.*`, or with the errors of the client.
 */
export function timelineRuns(client: ElasticsearchClient): (runId: string) => Promise<TimelineRun> {
  let refreshed: Promise<unknown> = Promise.resolve();
  let refreshedAt = 0;

  function refreshNow(): Promise<unknown> {
    if (Date.now() - refreshedAt >= REFRESH_EVERY_MS) {
      refreshedAt = Date.now();
      refreshed = Promise.all([RUNS, TRIALS, SAMPLES, METRICS].map((kind) => refresh(client, kind)));
    }
    return refreshed;
  }

  async function find(runId: string): Promise<Found | undefined> {
    const { hits } = await search<Found>(client, RUNS, {
      size: 1,
      query: { term: { 'run.id': runId } },
      _source: ['run', 'definition', 'plan.cells'],
    });
    return hits[0]?._source;
  }

  return async (runId) => {
    let found = await find(runId);
    const isSettled = (): boolean =>
      found !== undefined &&
      FINAL_STATES.includes(found.run.state) &&
      Date.now() - parseTime(found.run.ended ?? found.run.heartbeat) > LATE_MS;
    if (!isSettled()) {
      await refreshNow();
      found = await find(runId);
    }
    if (found === undefined) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
    const { hits } = await search<TimelineTrial>(client, TRIALS, {
      size: PAGE,
      query: { term: { 'run.id': runId } },
      sort: [{ 'trial.order': { order: 'asc', unmapped_type: 'long' } }],
      _source: ['trial', 'cell.index', 'cell.label', 'times'],
    });
    return { id: runId, ...found, trials: hits.map(({ _source }) => _source), settled: isSettled() };
  };
}
