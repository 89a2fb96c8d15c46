/** Reports of runs; those of runs that have ended never change and are kept for a while. */
import { FINAL_STATES, type RunDocument } from '../../common/experiment/run';
import { findPreset } from '../../common/presets';
import type { Published } from '../../common/presets/published';
import { inputError, DynoError } from '../../common/problem';
import { buildReport } from '../../common/report/model/build';
import type { Report } from '../../common/report/model/report';
import type { ResultsReader } from '../results/reader';

export interface ReportCache {
  /** Rejects with `run.not-found`; ids are whole, prefixes are for people at a terminal. */
  findRun(id: string): Promise<RunDocument>;
  /** Without its timeline over time. */
  reportOf(run: RunDocument): Promise<Report>;
  /** With it, as the command makes it. */
  fullReportOf(run: RunDocument): Promise<Report>;
}

/** Reports kept: about 100 KB each. */
const MOST_KEPT = 200;

const publishedOf = ({ experiment }: RunDocument): Published | null =>
  findPreset(experiment.preset ?? '')?.published ?? null;

export function reportCache(results: ResultsReader): ReportCache {
  /** The one that was asked for last is the last. */
  const kept = new Map<string, Report>();

  return {
    async findRun(id) {
      const run = await results.getRun(id).catch((error: unknown) => {
        if (error instanceof DynoError && error.code === 'results.ambiguous-run') return undefined;
        throw error;
      });
      if (run?.run.id !== id) throw inputError('run.not-found', 'id', 'there is no such run', { found: id });
      return run;
    },

    async reportOf(run) {
      // An interrupted run may go on and end once more.
      const key = `${run.run.id} ${run.run.ended}`;
      const known = kept.get(key);
      kept.delete(key);
      const report =
        known ??
        buildReport(run, await results.getTrials(run.run.id), { published: publishedOf(run), samples: [] });
      if (FINAL_STATES.includes(run.run.state)) kept.set(key, report);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return report;
    },

    async fullReportOf(run) {
      const [trials, samples] = await Promise.all([
        results.getTrials(run.run.id),
        results.getSamples({ run: run.run.id }),
      ]);
      return buildReport(run, trials, { published: publishedOf(run), samples });
    },
  };
}
