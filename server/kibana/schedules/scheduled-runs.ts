/** What the tasks of schedules do: they start runs that fell due, and take over those whose carrier is gone. */
import { DynoError, describeProblem, messageOf } from '../../../common/problem';
import type { RunDocument } from '../../../common/experiment/run';
import { checkFiles } from '../../host/corpora';
import type { ResultsReader } from '../../results/reader';
import { LATEST_MS, nextDue, startDue, type Actor, type RunQueue } from '../../run/queue/queue';
import { GOES_ON, wasAsked } from '../../run/record/record';
import { atTargets, becomeActor, keptGrant } from '../actor';
import { createExperimentStore } from '../experiments';
import type { Key } from '../keys';
import type { Recovery } from '../recovery';
import { createSecrets } from '../secrets';
import { inNamespace, SAVED_OBJECT_TYPES } from '../saved-objects';
import type { TaskInstance } from './sdk';
import type { ServiceParts } from '../services';
import { createTargetStore } from '../targets';
import { ownerOfKey } from './schedule-store';
import { paramsOf, SCHEDULE_TASK, type ScheduleParams, type TaskWork } from './tasks';

/** Schedules that one look takes care of. */
const MOST_SCHEDULES = 1000;
/** The newest interrupted runs of an experiment that are looked at. */
const MOST_RUNS = 5;
/** A run that was interrupted as often, or so long ago, is left to people. */
const MOST_RESUMPTIONS = 5;
const OLDEST_MS = 24 * 3_600_000;

export interface ScheduledParts extends Pick<ServiceParts, 'kibana' | 'corpora'> {
  queue: Pick<RunQueue, 'start' | 'resume'>;
  recovery: Recovery;
}

export function scheduledWork(parts: ScheduledParts): TaskWork {
  const { kibana, queue, corpora, recovery } = parts;
  const { log } = kibana;

  /** In the experiment's space, with the rights of whoever saved the schedule. */
  async function inPlace({ experiment, namespace, key: kept }: ScheduleParams) {
    const space = namespace ?? undefined;
    const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const objects = inNamespace(repository, space);
    const secrets = createSecrets(objects, kibana.encrypted, space);
    const at = kept && { secret: kept.secret, owner: ownerOfKey(experiment), goesWithRun: false };
    const key = kept && (JSON.parse(await secrets.open(ownerOfKey(experiment), kept.secret)) as Key);
    const actor = await becomeActor(kibana, keptGrant(key, at), { space, corpora });
    const targets = createTargetStore({
      objects,
      secrets,
      client: actor.own,
      local: kibana.elasticsearch(),
      allowedHosts: kibana.config.targets.allowedHosts,
    });
    return { actor: atTargets(actor, targets), experiments: createExperimentStore(objects) };
  }

  type Place = Awaited<ReturnType<typeof inPlace>>;

  /** The queue closes an actor that it is given; where `work` does not ask for one to give, it is closed here. */
  async function visiting(
    params: ScheduleParams,
    work: (place: Pick<Place, 'experiments'> & { reader: ResultsReader; take: () => Actor }) => Promise<void>,
  ): Promise<void> {
    const { actor, experiments } = await inPlace(params);
    let isTaken = false;
    try {
      await recovery.look(actor.results);
      await work({
        experiments,
        reader: actor.reader,
        take: () => {
          isTaken = true;
          return actor;
        },
      });
    } finally {
      if (!isTaken) await actor.close();
    }
  }

  /** Goes on with what the experiment's schedule began and nobody carries any more; false where there is no such run. */
  async function takeOver(params: ScheduleParams): Promise<boolean> {
    let taken = false;
    await visiting(params, async ({ reader, take }) => {
      const run = await interruptedRun(reader, params.experiment);
      if (!run) return;
      const { state } = await queue.resume(run.run.id, take());
      taken = true;
      log.info(`run ${run.run.id} (${run.experiment.name}) continues here: ${state}`);
    });
    return taken;
  }

  const start = (params: ScheduleParams, due: number): Promise<void> =>
    visiting(params, async ({ experiments, reader, take }) => {
      const { id, definition } = await experiments.get(params.experiment);
      if (definition.schedule === undefined) return;
      await startDue({ id, definition }, due, {
        reader,
        startsClusters: () => false,
        onProblem: (problem) => log.warn(describeProblem(problem)),
        start: async (order) => {
          await checkFiles(definition, corpora);
          await queue.start(order, take());
        },
      });
    });

  return {
    async startDue(params, due) {
      const at = due === undefined ? NaN : Date.parse(due);
      try {
        // What fell due while no node of Kibana was up is not made up for.
        const inTime = Date.now() - at <= LATEST_MS;
        // A run that is to go on comes before the next one.
        if (inTime && !(await takeOver(params))) await start(params, at);
        if (!inTime)
          log.warn(`${params.experiment}, due at ${due ?? 'no time'}, did not start: no process was running`);
      } catch (error) {
        // A task that fails too often is given up by Task Manager, and the schedule with it.
        log.warn(`${params.experiment}, due at ${due ?? 'no time'}, did not start: ${messageOf(error)}`);
      }
      return nextOf(params);
    },

    async watch() {
      const { docs } = await kibana.taskManager.fetch({
        query: { term: { 'task.taskType': SCHEDULE_TASK } },
        size: MOST_SCHEDULES,
      });
      for (const task of docs) await takeOver(paramsOf(task)).catch((error: unknown) => tell(task, error));
    },
  };

  /** Rejects when Kibana's own saved objects are away: Task Manager, which lives there too, asks again. */
  async function nextOf({ experiment, namespace }: ScheduleParams): Promise<string | null> {
    const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const store = createExperimentStore(inNamespace(repository, namespace ?? undefined));
    try {
      const { schedule } = (await store.get(experiment)).definition;
      return schedule === undefined ? null : nextDue(schedule);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'experiment.not-found') return null;
      throw error;
    }
  }

  /** That another node was faster is as it should be. */
  function tell(task: TaskInstance, error: unknown): void {
    if (error instanceof DynoError && ['run.claimed', 'run.not-interrupted'].includes(error.code)) return;
    log.warn(`runs of ${paramsOf(task).experiment} could not be checked: ${messageOf(error)}`);
  }
}

/** The newest run by the experiment's schedule, if it was interrupted and is to go on. */
async function interruptedRun(reader: ResultsReader, experiment: string): Promise<RunDocument | undefined> {
  const runs = await reader.listRuns({ experiment, limit: MOST_RUNS });
  const run = runs.find((found) => wasAsked(found, 'by its schedule'));
  if (!run || run.run.state !== 'interrupted' || run.definition['on-interruption'] !== 'continue')
    return undefined;
  if (Date.now() - Date.parse(run['@timestamp']) > OLDEST_MS) return undefined;
  const resumptions = run.events.filter(({ message }) => message === GOES_ON).length;
  return resumptions < MOST_RESUMPTIONS ? run : undefined;
}
