/** Routes of experiments: definitions that are kept, each with what became of its runs. */
import type { EXPERIMENT_ROUTES, Experiment, ExperimentSummary } from '../../common/api/experiments';
import { parseStartingEnvironment } from '../../common/experiment/starting-environment';
import type { Definition } from '../../common/experiment/definition';
import { environmentLabel } from '../../common/experiment/environment';
import { makePlan } from '../../common/experiment/plan';
import { readDefinitionText } from '../../common/experiment/read';
import { resolveCells } from '../../common/experiment/resolved-cells';
import { checkScheduled } from '../../common/experiment/scheduled';
import { answerOf, INACTIVE_STATES, type RunDocument } from '../../common/experiment/run';
import { DynoError, inputError, type Problem } from '../../common/problem';
import { unitOf } from '../../common/report/model/cell-names';
import type { Report } from '../../common/report/model/report';
import type { PastRuns } from '../results/experiment-history';
import type { HandlersOf } from './handler';
import type { ReportCache } from './report-cache';
import type { Services } from './services';

/** As its syntax errors name it. */
const NAME = 'definition.yml';

/** Runs that wait for an environment and are shown with their experiments. */
const MOST_WAITING = 1000;

/** Most runs of one experiment that are removed with it. */
const MOST_RUNS = 10_000;

export function experimentHandlers(
  services: Services,
  reports: ReportCache,
): HandlersOf<typeof EXPERIMENT_ROUTES> {
  return {
    async listExperiments() {
      const [experiments, history, unfinished, waiting] = await Promise.all([
        services.experiments.list(),
        services.history.read(),
        services.results.findActiveRuns(),
        services.results.listRuns({ limit: MOST_WAITING, states: ['waiting'] }),
      ]);
      const summaries: ExperimentSummary[] = [];
      // One after the other: each that is new reads its trials, and the cluster may be under test.
      for (const experiment of experiments) {
        const active = [...unfinished, ...waiting].find((run) => run.experiment.id === experiment.id);
        const past = history.get(experiment.id) ?? { runs: 0, last: null };
        summaries.push(await summaryOf(experiment, past, active));
      }
      return { experiments: summaries };
    },

    async createExperiment({ body: { text } }) {
      return services.experiments.create(text, await readChecked(text));
    },

    getExperiment: ({ params: { id } }) => services.experiments.get(id),

    async saveExperiment({ params: { id }, body: { text, version } }) {
      await services.experiments.get(id);
      return services.experiments.save(id, text, await readChecked(text), version);
    },

    async deleteExperiment({ params: { id }, query }) {
      await services.experiments.get(id);
      let deletedRuns = 0;
      if (query.runs === 'delete') {
        const runs = await services.results.listRuns({ limit: MOST_RUNS, experiment: id });
        const going = runs.find(({ run }) => !INACTIVE_STATES.includes(run.state));
        if (going) {
          throw inputError('run.unfinished', 'id', 'a run of it has not ended: cancel it first', {
            found: going.run.id,
          });
        }
        for (const { run } of runs) {
          await services.runs.delete(run.id);
          deletedRuns += 1;
        }
      }
      await services.experiments.delete(id);
      return { deletedRuns };
    },

    async runExperiment({ params: { id }, query: { environment } }) {
      const { definition } = await services.experiments.get(id);
      // What it names may have gone since it was saved.
      await checkPlace(definition);
      const begins = parseStartingEnvironment([environment].flat());
      return services.runs.start({ definition, experimentId: id, asked: 'by hand', begins });
    },
  };

  /** Rejects with all that is wrong with a definition here, in the sentences of the command. */
  async function readChecked(text: string): Promise<Definition> {
    const definition = readDefinitionText(text, NAME);
    await checkPlace(definition);
    return definition;
  }

  async function checkPlace(definition: Definition): Promise<void> {
    const problems: Problem[] = [
      ...(await problemsOf(() => checkTarget(definition))),
      ...(await problemsOf(() => services.checkFiles(definition))),
      ...(await problemsOf(() => {
        if (definition.schedule !== undefined) services.nextDue(definition.schedule);
      })),
      ...checkScheduled(definition, resolveCells(definition), services.startsClusters(definition.target)),
    ];
    if (problems.length > 0) throw new DynoError('input', problems);
  }

  async function checkTarget({ target }: Definition): Promise<void> {
    const known = (await services.targets.list()).map(({ id }) => id);
    if (known.includes(target)) return;
    throw inputError('definition.target', 'target', 'there is no such target', {
      found: target,
      allowed: known.join(', '),
    });
  }

  async function summaryOf(
    { id, version, definition, created, updated }: Experiment,
    { runs, last }: PastRuns,
    active: RunDocument | undefined,
  ): Promise<ExperimentSummary> {
    const { cells, trials } = makePlan(definition);
    const schedule = definition.schedule ?? null;
    return {
      id,
      version,
      name: definition.name,
      hypothesis: definition.hypothesis,
      tags: definition.tags,
      target: definition.target,
      preset: definition.preset ?? null,
      cells: cells.length,
      trials: trials.length,
      created,
      updated,
      schedule,
      nextRun: schedule === null ? null : nextOf(schedule),
      runs,
      active: active ? activeOf(active) : null,
      last: last === null ? null : lastRun(last, await reports.reportOf(last)),
    };
  }

  /** A schedule that was kept is told even if this version reads it otherwise. */
  function nextOf(schedule: string): string | null {
    try {
      return services.nextDue(schedule);
    } catch {
      return null;
    }
  }
}

/** What a list says of the run that ended last. */
export function lastRun(run: RunDocument, report: Report): NonNullable<ExperimentSummary['last']> {
  const { verdict } = run;
  // Of the cells, for a factor may give them other tasks than the definition has.
  const task = report.tasks[0]!;
  return {
    id: run.run.id,
    state: run.run.state,
    ended: run.run.ended,
    answer: verdict ? answerOf(verdict) : null,
    sentence: verdict?.sentence ?? '',
    thresholdsFailed: verdict?.thresholds.filter(({ passed }) => !passed).length ?? 0,
    task,
    unit: unitOf(report, task),
    cells: report.cells.flatMap(({ label, baseline, tasks }) => {
      const { mean = null, interval = null } = tasks.find((own) => own.task === task)?.throughput ?? {};
      return mean === null
        ? []
        : [{ label, baseline, mean, low: interval?.low ?? null, high: interval?.high ?? null }];
    }),
  };
}

const activeOf = ({ run, progress }: RunDocument): NonNullable<ExperimentSummary['active']> => ({
  id: run.id,
  state: run.state,
  completed: progress.completed,
  trials: progress.trials,
  waitsFor: run.waiting ? environmentLabel(run.waiting.environment) : null,
});

/** Those of the input; what the world did not do is thrown on. */
async function problemsOf(check: () => Promise<void> | void): Promise<readonly Problem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof DynoError && error.kind === 'input') return error.problems;
    throw error;
  }
}
