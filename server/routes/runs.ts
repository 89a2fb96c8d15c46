/** Routes of runs: their progress, their reports, and their details. */
import type { RUN_ROUTES, RunDetail, RunSummary } from '../../common/api/runs';
import { shownVerdict, trustOf } from '../../common/analysis/run-trust';
import { seatsOver, seatsOfTrials } from '../../common/analysis/seats';
import { environmentLabel } from '../../common/experiment/environment';
import { leftBehind } from '../../common/experiment/left-behind';
import { answerOf, failedTrials, verdictOf, type RunDocument } from '../../common/experiment/run';
import { inputError } from '../../common/problem';
import { withoutSecrets } from '../../common/secrets/definition';
import { compareReports } from '../../common/report/model/comparison';
import { trialBriefs } from '../../common/api/trial-briefs';
import type { ReportFormat } from '../analysis/work';
import { isKnownDead, targetOf } from '../run/active-run/active-run';
import type { HandlersOf } from './handler';
import type { ReportCache } from './report-cache';
import { streamRun } from './run-stream';
import type { Services } from './services';

const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
};

export function runHandlers(services: Services, reports: ReportCache): HandlersOf<typeof RUN_ROUTES> {
  const { runs, results, timeline } = services;

  async function detailOf(id: string): Promise<RunDetail> {
    const run = withoutRun(await reports.findRun(id));
    const trials = await results.getTrials(id);
    const detail: RunDetail = {
      run,
      trials: trialBriefs(run, trials),
      seats: seatsOver(seatsOfTrials(trials)),
      progress: runs.progress(id),
      queuedBehind: runs.queuedBehind(id),
      heldBack: runs.heldBack(id),
      left: leftBehind(run, isKnownDead(run)),
    };
    return withoutSecrets(detail, run.definition);
  }

  return {
    async listRuns({ query: { experiment, state, limit } }) {
      const states = state === undefined ? undefined : [state];
      const found = await results.listRuns({ limit, states, experiment });
      return { runs: found.map(summaryOf) };
    },

    getRun: ({ params: { id } }) => detailOf(id),

    streamRun: ({ params: { id } }, { signal }) =>
      Promise.resolve(streamRun(id, runs, () => detailOf(id), signal)),

    async cancelRun({ params: { id } }) {
      await reports.findRun(id);
      return runs.cancel(id, 'cancelled manually');
    },

    async resumeRun({ params: { id }, query: { target } }) {
      const { definition } = await reports.findRun(id);
      await services.checkFiles(definition);
      // A run of an unknown target is refused before it is changed.
      if (target !== undefined) await services.targets.get(target);
      return runs.resume(id, { target });
    },

    async cleanUpRun({ params: { id } }) {
      await reports.findRun(id);
      return runs.cleanUp(id);
    },

    async deleteRun({ params: { id }, query }) {
      const { experiment } = await reports.findRun(id);
      const { baseline } = await services.annotations.of(experiment.id);
      const isBaseline = baseline !== null && 'run' in baseline && baseline.run === id;
      if (isBaseline && query.baseline === 'keep')
        throw inputError(
          'run.baseline',
          'baseline',
          `the run is the baseline of ${experiment.name}: nothing was removed`,
          { found: id, allowed: 'baseline=remove, or set another baseline first' },
        );
      const deleted = await runs.delete(id);
      if (isBaseline) await services.annotations.removeBaseline(experiment.id);
      return deleted;
    },

    async getReport({ params: { id } }) {
      return reports.reportOf(await reports.findRun(id));
    },

    async exportReport({ params: { id }, query: { format } }) {
      const text = await reports.fileOf(await reports.findRun(id), format);
      return { contentType: CONTENT_TYPES[format], fileName: `dyno-${id}.${format}`, text };
    },

    async getTimeline({ params: { id }, query }) {
      await reports.findRun(id);
      return timeline.timeline(id, query);
    },

    async getHeatmap({ params: { id }, query }) {
      await reports.findRun(id);
      return timeline.heatmap(id, query);
    },

    async getParts({ params: { id }, query }) {
      await reports.findRun(id);
      return timeline.parts(id, query);
    },

    async getDistributions({ params: { id } }) {
      await reports.findRun(id);
      return { tasks: await timeline.distributions(id) };
    },

    async getProfile({ params: { id }, query }) {
      return reports.profileOf(await reports.findRun(id), query);
    },

    async exportProfile({ params: { id }, query }) {
      const text = await reports.profileFileOf(await reports.findRun(id), query);
      const isText = query.format === 'collapsed';
      return {
        contentType: isText ? 'text/plain' : 'application/json',
        fileName: `dyno-${id}-${query.event}.${isText ? 'collapsed.txt' : 'firefox.json'}`,
        text,
      };
    },

    async compareRuns({ body: { runs: ids } }) {
      const found = [];
      for (const id of ids) found.push(await reports.reportOf(await reports.findRun(id)));
      return compareReports(found);
    },
  };
}

/**
 * Returns the summary of a run for lists. If no trial completed, the summary has no verdict (result for the run's hypothesis), even if one
 * is stored.
 */
export function summaryOf(document: RunDocument): RunSummary {
  const { run, experiment, provenance, definition, plan, progress } = document;
  const verdict = verdictOf(document);
  const effect = verdict?.claims[0]?.effect;
  return {
    id: run.id,
    state: run.state,
    reason: run.reason,
    started: run.started,
    ended: run.ended,
    experiment: { id: experiment.id, name: experiment.name, preset: experiment.preset },
    target: {
      name: targetOf({ experiment, definition }),
      cluster: provenance?.cluster.name ?? '',
      ...(provenance?.cluster.engine === undefined ? {} : { engine: provenance.cluster.engine }),
      version: provenance?.cluster.version ?? '',
    },
    cells: plan.cells.length,
    trials: progress.trials,
    completed: progress.completed,
    failed: failedTrials({ run, progress }),
    waitsFor: run.waiting ? environmentLabel(run.waiting.environment) : null,
    answer: verdict === null ? null : answerOf(verdict),
    sentence: shownVerdict(verdict)?.sentence ?? '',
    trust: trustOf(document),
    effect: effect ? { size: effect.size, interval: effect.interval, metric: effect.metric } : null,
    tags: definition.tags ?? [],
    left: leftBehind({ run, provenance }, isKnownDead({ run })),
  };
}

/** Returns the run without the key `night`, whose values are only needed for the history of the experiment. */
const withoutRun = ({ night: _historyRun, ...run }: RunDocument): RunDocument => ({
  ...run,
  verdict: shownVerdict(run.verdict),
});
