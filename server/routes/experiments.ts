/** Routes of experiments: definitions that are kept, each with what became of its runs. */
import type { EXPERIMENT_ROUTES, ExperimentSummary } from '../../common/api/experiments';
import { parseStartingEnvironment } from '../../common/experiment/starting-environment';
import type { Definition } from '../../common/experiment/definition';
import { environmentLabel } from '../../common/experiment/environment';
import { readDefinitionText } from '../../common/experiment/read';
import { resolveCells } from '../../common/experiment/resolved-cells';
import { checkScheduled } from '../../common/experiment/scheduled';
import { FINAL_STATES, INACTIVE_STATES, type RunDocument } from '../../common/experiment/run';
import { DynoError, inputError, type Problem } from '../../common/problem';
import { unitOf } from '../../common/report/model/cell-names';
import type { Report } from '../../common/report/model/report';
import type { PastRun } from '../results/experiment-history';
import {
  briefLast,
  distinct,
  pageOf,
  sizeOf,
  type LastResult,
  type Listed,
  type ListQuery,
} from './experiment-list';
import type { HandlersOf } from './handler';
import type { ReportCache } from './report-cache';
import type { Services } from './services';

/** As its syntax errors name it. */
const NAME = 'definition.yml';

/** Runs that wait for an environment and are shown with their experiments. */
const MOST_WAITING = 1000;

/** Last results that are kept: a few KB each. */
const MOST_LAST_RESULTS = 2000;

/** Most runs of one experiment that are removed with it. */
const MOST_RUNS = 10_000;

export function experimentHandlers(
  services: Services,
  reports: ReportCache,
): HandlersOf<typeof EXPERIMENT_ROUTES> {
  const lastResults = new Map<string, LastResult>();

  return {
    async listExperiments({ query }) {
      const [experiments, history, unfinished, waiting] = await Promise.all([
        services.experiments.list(),
        services.history.read(),
        services.results.findActiveRuns(),
        services.results.listRuns({ limit: MOST_WAITING, states: ['waiting'] }),
      ]);
      const active = new Map<string, RunDocument>();
      for (const run of [...unfinished, ...waiting])
        if (!active.has(run.experiment.id)) active.set(run.experiment.id, run);
      const all = experiments.map((experiment) => ({
        experiment,
        past: history.get(experiment.id) ?? { runs: 0, last: null },
        active: active.get(experiment.id),
        nextRun: nextOf(experiment.definition.schedule),
      }));
      const { page, total } = pageOf(all, query);
      const summaries: ExperimentSummary[] = [];
      // One after the other: each that is new reads its trials, and the cluster may be under test.
      for (const listed of page) summaries.push(await summaryOf(listed, query.last));
      return {
        experiments: summaries,
        total,
        all: all.length,
        tags: distinct(experiments.flatMap(({ definition }) => definition.tags)),
        targets: distinct(experiments.map(({ definition }) => definition.target)),
      };
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
      // What has just begun here need not be stored yet.
      const here = services.runs.runOf(id);
      if (here !== null) throw unfinished(here);
      const going = (await services.results.findActiveRuns()).find(({ experiment }) => experiment.id === id);
      if (going) throw unfinished(going.run.id);
      let deletedRuns = 0;
      if (query.runs === 'delete') {
        const runs = await services.results.listRuns({ limit: MOST_RUNS, experiment: id });
        const begun = runs.find(({ run }) => !INACTIVE_STATES.includes(run.state));
        if (begun) throw unfinished(begun.run.id);
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
    { experiment, past: { runs, last }, active, nextRun }: Listed,
    told: ListQuery['last'],
  ): Promise<ExperimentSummary> {
    const { id, version, definition, created, updated } = experiment;
    return {
      id,
      version,
      name: definition.name,
      hypothesis: definition.hypothesis,
      tags: definition.tags,
      target: definition.target,
      preset: definition.preset ?? null,
      ...sizeOf(definition),
      created,
      updated,
      schedule: definition.schedule ?? null,
      nextRun,
      runs,
      active: active ? activeOf(active) : null,
      last: last === null ? null : told === 'brief' ? briefLast(last) : await fullLast(last),
    };
  }

  /** With the figures of the cells: its trials are read, once. */
  async function fullLast(last: PastRun): Promise<LastResult> {
    // An interrupted run may go on and end once more.
    const key = `${last.run.id} ${last.run.ended}`;
    const known = lastResults.get(key);
    if (known) return known;
    const run = await services.results.getRun(last.run.id);
    if (run === undefined) return briefLast(last);
    const result = lastRun(run, await reports.reportOf(run));
    if (lastResults.size >= MOST_LAST_RESULTS) lastResults.delete(lastResults.keys().next().value!);
    if (FINAL_STATES.includes(run.run.state)) lastResults.set(key, result);
    return result;
  }

  /** A schedule that was kept is told even if this version reads it otherwise. */
  function nextOf(schedule: string | undefined): string | null {
    try {
      return schedule === undefined ? null : services.nextDue(schedule);
    } catch {
      return null;
    }
  }
}

const unfinished = (runId: string): DynoError =>
  inputError('run.unfinished', 'id', 'a run of it has not ended: cancel it first', { found: runId });

/** What a list says of the run that ended last. */
export function lastRun(run: RunDocument, report: Report): LastResult {
  // Of the cells, for a factor may give them other tasks than the definition has.
  const task = report.tasks[0]!;
  return {
    ...briefLast(run),
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
