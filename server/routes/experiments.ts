/** Routes of experiments: stored definitions and the status of their runs. */
import type { EXPERIMENT_ROUTES, ExperimentSummary } from '../../common/api/experiments';
import { tuningOf } from '../../common/tuning/tuning-tags';
import { parseStartingEnvironment } from '../../common/experiment/starting-environment';
import type { Definition } from '../../common/experiment/definition';
import { environmentLabel } from '../../common/experiment/environment';
import { targetsIn } from '../../common/experiment/preload';
import { readDefinitionText } from '../../common/experiment/read';
import { resolveCells } from '../../common/experiment/resolved-cells';
import { checkScheduled } from '../../common/experiment/scheduled';
import { INACTIVE_STATES, type RunDocument } from '../../common/experiment/run';
import type { MissedTimes } from '../../common/experiment/missed';
import { isOver, scheduleWords, timesKey, type ScheduleSetting } from '../../common/experiment/schedule';
import { DynoError, inputError, type Problem } from '../../common/problem';
import { readConfirmation } from '../results/confirmation';
import { NO_RUNS, type ActiveRun } from '../results/experiment-history';
import { briefLast, distinct, pageOf, sizeOf, type Listed } from './experiment-list';
import type { HandlersOf } from './handler';
import { namedExperiment } from './annotations';
import { figureMemory, figuresOf, type RunFigures } from './run-figures';
import type { Services } from './services';
import { parseTime } from '../../common/units/time';

/** Name of the definition in syntax errors. */
const NAME = 'definition.yml';

/**
 * Number of runs whose trials are read with one request, about 100 KB per run. The number is small to keep the load low, because the
 * results cluster may also be the cluster under test.
 */
const RUNS_AT_ONCE = 10;

/** Maximum number of runs that are deleted together with their experiment. */
const MOST_RUNS = 10_000;

export function experimentHandlers(services: Services): HandlersOf<typeof EXPERIMENT_ROUTES> {
  const memory = services.figures ?? figureMemory();

  return {
    async listExperiments({ query }) {
      const [experiments, histories, missed] = await Promise.all([
        services.experiments.list(),
        services.history.read(),
        services.scheduleLog.newest(),
      ]);
      const all = experiments.map((experiment) => ({
        experiment,
        history: histories.get(experiment.id) ?? NO_RUNS,
        missed: missed.get(experiment.id) ?? null,
        nextRun: () => nextOf(experiment.definition.schedule),
      }));
      const { page, total } = pageOf(all, query);
      const figures = query.last === 'brief' ? new Map<string, RunFigures>() : await lastFigures(page);
      return {
        experiments: page.map((listed) => summaryOf(listed, figures)),
        total,
        all: all.length,
        ofTunings: experiments.filter(({ definition }) => tuningOf(definition.tags) !== null).length,
        tags: distinct(experiments.flatMap(({ definition }) => definition.tags)),
        targets: distinct(experiments.map(({ definition }) => definition.target)),
      };
    },

    async createExperiment({ body: { text } }) {
      return services.experiments.create(text, await readChecked(text, undefined));
    },

    getExperiment: ({ params: { id } }) => services.experiments.get(id),

    async saveExperiment({ params: { id }, body: { text, version } }) {
      const { definition } = await services.experiments.get(id);
      return services.experiments.save(id, text, await readChecked(text, definition.schedule), version);
    },

    async deleteExperiment({ params: { id }, query }) {
      await services.experiments.get(id);
      // The queue is asked too, because a run that has just started in this process may not be stored yet.
      const here = services.runs.runOf(id);
      if (here !== null) throw unfinished(here);
      const active = (await services.results.findActiveRuns()).find(({ experiment }) => experiment.id === id);
      if (active) throw unfinished(active.run.id);
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
      await services.scheduleLog.forget(id);
      // If the runs are kept, the notes of their history are kept too.
      if (query.runs === 'delete') await services.annotations.removeAll(id);
      return { deletedRuns };
    },

    async getHistory({ params: { id }, query: { metric, cell, from, to, points } }) {
      const [experiment, annotations] = await Promise.all([
        namedExperiment(services, id),
        services.annotations.of(id),
      ]);
      const filter = { metrics: metric, cells: cell, from, to, points: points === 'all' };
      return services.histories.history(experiment, filter, annotations);
    },

    async getConfirmation({ params: { id }, query }) {
      const { histories, results: reader } = services;
      return readConfirmation(
        { histories, reader },
        await namedExperiment(services, id),
        query,
        services.startsClusters,
      );
    },

    async getMissed({ params: { id }, query: { limit } }) {
      await namedExperiment(services, id);
      return { missed: await services.scheduleLog.missed({ experiment: id, limit }) };
    },

    async runExperiment({ params: { id }, query: { environment } }) {
      const { definition } = await services.experiments.get(id);
      // The target or files may have been removed since the definition was saved.
      await checkPlace(definition);
      const begins = parseStartingEnvironment([environment].flat());
      return services.runs.start({ definition, experimentId: id, asked: 'manually', begins });
    },
  };

  /**
   * Parses and checks a definition. Rejects with all errors of the definition, in the same words as the command line. `before`: the
   * schedule of the stored definition that the new definition replaces.
   */
  async function readChecked(text: string, before: ScheduleSetting | undefined): Promise<Definition> {
    const definition = readDefinitionText(text, NAME);
    await checkPlace(definition);
    checkAhead(definition, before);
    return definition;
  }

  /**
   * Refuses a new one-time schedule in the past, because it would never start a run. A one-time schedule that has not changed is valid,
   * because its run may already have ended.
   */
  function checkAhead({ schedule }: Definition, before: ScheduleSetting | undefined): void {
    if (schedule === undefined || !isOver(schedule, new Date())) return;
    if (before !== undefined && timesKey(before) === timesKey(schedule)) return;
    throw inputError('definition.schedule', 'schedule', 'this time has passed, so no run would start', {
      found: scheduleWords(schedule),
      allowed: 'a later time, or no schedule',
    });
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

  async function checkTarget(definition: Definition): Promise<void> {
    const known = (await services.targets.list()).map(({ id }) => id);
    const found = targetsIn(definition).find((target) => !known.includes(target));
    if (found === undefined) return;
    const path = found === definition.target ? 'target' : 'preload.from-target';
    throw inputError('definition.target', path, 'there is no such target', {
      found,
      allowed: known.join(', '),
    });
  }

  function summaryOf(
    { experiment, history: { runs, active, last }, missed, nextRun }: Listed,
    figures: ReadonlyMap<string, RunFigures>,
  ): ExperimentSummary {
    const { id, version, definition, created, updated } = experiment;
    return {
      id,
      version,
      name: definition.name,
      hypothesis: definition.hypothesis,
      tags: definition.tags,
      target: definition.target,
      preset: definition.preset ?? null,
      tuning: tuningOf(definition.tags),
      ...sizeOf(definition),
      created,
      updated,
      schedule: definition.schedule ?? null,
      nextRun: nextRun(),
      missed:
        missed !== null && definition.schedule !== undefined && isUnmade(missed, created, active ?? last)
          ? missed
          : null,
      runs,
      active: active ? activeOf(active) : null,
      last: last && { ...briefLast(last), ...figures.get(last.run.id) },
    };
  }

  /**
   * Returns the metrics of the last runs of these experiments. The metrics are cached. The trials of a run are only read again after the
   * run has changed.
   */
  async function lastFigures(page: readonly Listed[]): Promise<Map<string, RunFigures>> {
    const ended = page.flatMap(({ history: { last, lastStamp } }) =>
      last === null ? [] : [{ id: last.run.id, stamp: lastStamp }],
    );
    const trials = await services.history.trialStamps(ended.map(({ id }) => id));
    const stamped = ended.map(({ id, stamp }) => ({ id, stamp: `${stamp} ${trials.get(id)}` }));
    return memory.of(stamped, async (ids) => {
      const found = new Map<string, RunFigures>();
      for (let from = 0; from < ids.length; from += RUNS_AT_ONCE) {
        const some = ids.slice(from, from + RUNS_AT_ONCE);
        const [runs, all] = await Promise.all([
          services.results.getRuns(some),
          services.results.getTrials(...some),
        ]);
        for (const run of runs) {
          const own = all.filter((trial) => trial.run.id === run.run.id);
          found.set(run.run.id, figuresOf(run, own));
        }
      }
      return found;
    });
  }

  /** Returns the next time of a stored schedule. Null if there is no schedule, or if this version of Dyno cannot read it. */
  function nextOf(schedule: ScheduleSetting | undefined): string | null {
    try {
      return schedule === undefined ? null : services.nextDue(schedule);
    } catch {
      return null;
    }
  }
}

/** Returns true if a missed time must still be shown: the experiment already existed at that time, and no run has started since. */
const isUnmade = ({ last }: MissedTimes, created: string, newest: Pick<RunDocument, 'run'> | null): boolean =>
  parseTime(created) <= parseTime(last) &&
  (newest === null || parseTime(newest.run.started) < parseTime(last));

const unfinished = (runId: string): DynoError =>
  inputError('run.unfinished', 'id', 'one of its runs has not ended: cancel it first', { found: runId });

const activeOf = ({ run, progress }: ActiveRun): NonNullable<ExperimentSummary['active']> => ({
  id: run.id,
  state: run.state,
  completed: progress.completed,
  trials: progress.trials,
  waitsFor: run.waiting ? environmentLabel(run.waiting.environment) : null,
});

/** Returns the problems of the input that `check` throws. Rethrows all other errors. */
async function problemsOf(check: () => Promise<void> | void): Promise<readonly Problem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof DynoError && error.kind === 'input') return error.problems;
    throw error;
  }
}
