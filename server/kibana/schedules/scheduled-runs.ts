/** Executes the tasks of schedules. They start due runs, and resume runs whose process has ended. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Definition } from '../../../common/experiment/definition';
import type { MissedTimes } from '../../../common/experiment/missed';
import { DynoError, describeProblem, messageOf, type Problem } from '../../../common/problem';
import { ACTIVE_STATES, type RunDocument } from '../../../common/experiment/run';
import { checkFiles } from '../../host/files/corpora';
import type { ResultsReader } from '../../results/reader';
import { createScheduleLog } from '../../results/schedule-log';
import {
  decide,
  dueWithin,
  missedProblem,
  nextDue,
  startDue,
  type Actor,
  type RunQueue,
} from '../../run/queue/queue';
import { isResumption, wasAsked } from '../../run/active-run/active-run';
import { atTargets, becomeActor, keptGrant } from '../actor';
import { createExperimentStore } from '../experiments';
import { invalidateKey, type Key } from '../keys';
import type { Recovery } from '../recovery';
import { createSecrets } from '../secrets';
import { inNamespace, SAVED_OBJECT_TYPES } from '../saved-objects';
import type { KibanaServices } from '../kibana-services';
import type { TaskInstance } from './sdk';
import type { ServiceParts } from '../services';
import { createTargetStore } from '../targets';
import { ownerOfKey } from './schedule-store';
import { unless } from '../saved-object-errors';
import { paramsOf, retiredKeyTask, SCHEDULE_TASK, type ScheduleParams, type TaskWork } from './tasks';
import { parseTime } from '../../../common/units/time';

/** Maximum number of schedules whose runs one execution of the task checks. */
const MOST_SCHEDULES = 1000;
/** Number of an experiment's newest runs among which a run of the schedule is searched. */
const MOST_RUNS = 5;
/** Maximum number of times that an interrupted run is resumed automatically. After that, only a user can resume it. */
const MOST_RESUMPTIONS = 5;
/** Interrupted runs are resumed automatically only up to this age, in ms. Only a user can resume older runs. */
const OLDEST_MS = 24 * 3_600_000;

/** Delay in ms before the next attempt to start the run of a one-time schedule. */
const TRY_AGAIN_MS = 60_000;
const OVER = Symbol('over');

/** Time in ms between two checks whether a run still uses the API key of a changed or removed schedule. */
const KEY_LOOK_MS = 60_000;
/**
 * Maximum time in ms for which the API key of a changed or removed schedule stays valid. After this time, the key is invalidated even if a
 * run still uses it.
 */
const OLDEST_KEY_MS = 30 * 24 * 3_600_000;

/** Maximum number of missed times that the state of a task can contain. They are in the state until they can be stored in the results. */
const MOST_UNREPORTED = 20;

const once = (at: number): { first: number; last: number; times: number } => ({
  first: at,
  last: at,
  times: 1,
});

const missedTimes = (
  { first, last, times }: ReturnType<typeof once>,
  reason: MissedTimes['reason'],
  why: string,
): MissedTimes => ({
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
  times,
  reason,
  why,
});

/** Returns the API key with which the runs of a schedule act. Null if security is disabled. Rejects if the key cannot be read. */
export async function openScheduleKey(
  kibana: Pick<KibanaServices, 'core' | 'encrypted'>,
  { experiment, namespace, key }: ScheduleParams,
): Promise<Key | null> {
  if (key === null) return null;
  const space = namespace ?? undefined;
  const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
  const secrets = createSecrets(inNamespace(repository, space), kibana.encrypted, space);
  return JSON.parse(await secrets.open(ownerOfKey(experiment), key.secret)) as Key;
}

export interface ScheduledParts extends Pick<ServiceParts, 'kibana' | 'corpora'> {
  queue: Pick<RunQueue, 'start' | 'resume'>;
  recovery: Recovery;
}

export function scheduledWork(parts: ScheduledParts): TaskWork {
  const { kibana, queue, corpora, recovery } = parts;
  const { log } = kibana;

  /**
   * Returns the identity with which the runs of the schedule act, and the experiments of its space. The identity has the rights of the user
   * who saved the schedule.
   */
  async function inPlace(params: ScheduleParams) {
    const { experiment, namespace, key: kept } = params;
    const space = namespace ?? undefined;
    const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const objects = inNamespace(repository, space);
    const secrets = createSecrets(objects, kibana.encrypted, space);
    const at = kept && { secret: kept.secret, owner: ownerOfKey(experiment), goesWithRun: false };
    const key = await openScheduleKey(kibana, params);
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

  /**
   * Calls `work` with access to experiments and results, with the rights of the user who saved the schedule. The access is closed
   * afterwards. If `work` calls `take`, a started run gets the access and closes it instead.
   */
  async function visiting(
    params: ScheduleParams,
    work: (
      place: Pick<Place, 'experiments'> & {
        reader: ResultsReader;
        results: ElasticsearchClient;
        take: () => Actor;
      },
    ) => Promise<void>,
  ): Promise<void> {
    const { actor, experiments } = await inPlace(params);
    let isTaken = false;
    try {
      await recovery.look(actor.results);
      await work({
        experiments,
        reader: actor.reader,
        results: actor.results,
        take: () => {
          isTaken = true;
          return actor;
        },
      });
    } finally {
      if (!isTaken) await actor.close();
    }
  }

  /** Resumes an interrupted run that the schedule has started. Resolves to false if no such run exists. */
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

  /**
   * Starts the run that is due at `from`. Also stores times at which no run started (missed times) in the results. Rejects if the state of
   * earlier runs cannot be read.
   * - `unreported`: missed times that are not stored yet. If the run cannot start now, its time is added. Each time is removed once it is
   *   stored.
   * - `seenTo`: called when the run has started or its time was added to `unreported`. An error after this call only means that missed
   *   times could not be stored.
   */
  const start = (
    params: ScheduleParams,
    from: number,
    unreported: MissedTimes[],
    seenTo: () => void,
  ): Promise<void> =>
    visiting(params, async ({ experiments, reader, results, take }) => {
      const { id, definition } = await experiments.get(params.experiment);
      const { schedule, name } = definition;
      if (schedule === undefined) return;
      const log = createScheduleLog(results, { space: params.namespace ?? 'default' });
      const now = Date.now();
      // If the schedule was saved again in the meantime, the new schedule has another task. This task executes the time `from` in any case.
      const { missed, start: at } = decide(schedule, dueWithin(schedule, from - 1, now) ?? once(from), now);
      if (missed) unreported.push(missedTimes(missed, 'not-running', 'Kibana was not running'));
      const refused = at === null ? null : await startOne({ id, definition }, at);
      if (refused) unreported.push(refused);
      seenTo();
      while (unreported[0]) {
        warn(missedProblem({ id, definition }, unreported[0]));
        await log.miss({ id, name }, unreported[0]);
        unreported.shift();
      }

      async function startOne(experiment: { id: string; definition: Definition }, due: number) {
        // An interrupted run is resumed before the next run starts.
        const interrupted = await interruptedRun(reader, id);
        if (interrupted && (await takeOver(params))) {
          const { id: run } = interrupted.run;
          const why = `its interrupted run ${run} was resumed`;
          return { ...missedTimes(once(due), 'overlap', why), run };
        }
        return startDue(experiment, due, {
          reader,
          startsClusters: () => false,
          start: async (order) => {
            await checkFiles(definition, corpora);
            await queue.start(order, take());
          },
        });
      }
    });

  const warn = (problem: Problem): void => log.warn(describeProblem(problem));

  return {
    async startDue(params, { due, untold: unreported = [] }) {
      const left = [...unreported];
      const at = due === undefined ? NaN : parseTime(due);
      let isSeenTo = Number.isNaN(at);
      try {
        if (!isSeenTo) await start(params, at, left, () => (isSeenTo = true));
      } catch (error) {
        // The error is not thrown, because Task Manager removes a task that fails too often, and this would end the schedule.
        const what = isSeenTo ? 'its result is not stored yet' : 'did not start';
        log.warn(`${params.experiment}, due at ${due ?? 'no time'}, ${what}: ${messageOf(error)}`);
        if (!isSeenTo) left.push(missedTimes(once(at), 'refused', messageOf(error)));
      }
      const kept = left.slice(-MOST_UNREPORTED);
      const unreportedState = kept.length === 0 ? {} : { untold: kept };
      const next = await nextOf(params);
      if (next === null) return null;
      if (next !== OVER)
        return { state: { due: next, ...unreportedState }, runAt: new Date(parseTime(next)) };
      if (due === undefined) {
        await retireKey(params);
        return null;
      }
      // A one-time schedule has no later time, so its task tries this time again. The task remains until a user has resumed or ended an
      // interrupted run.
      const isLate = Date.now() - at > OLDEST_MS;
      return isSeenTo || isLate
        ? { state: {}, runAt: new Date(Date.now() + OLDEST_MS) }
        : { state: { due }, runAt: new Date(Date.now() + TRY_AGAIN_MS) };
    },

    async watch() {
      const { docs } = await kibana.taskManager.fetch({
        query: { term: { 'task.taskType': SCHEDULE_TASK } },
        size: MOST_SCHEDULES,
      });
      for (const task of docs) await takeOver(paramsOf(task)).catch((error: unknown) => report(task, error));
    },

    async endKey(params, since) {
      const { key, namespace } = params;
      if (key === null) return null;
      const later = new Date(Date.now() + KEY_LOOK_MS);
      try {
        const isOld = Date.now() - parseTime(since) > OLDEST_KEY_MS;
        if (!isOld && (await isInUse(params))) return later;
      } catch (error) {
        log.warn(`whether a run needs the API key ${key.id} is not known yet: ${messageOf(error)}`);
        return later;
      }
      if (!(await invalidateKey(kibana, key.id))) return later;
      const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
      const space = namespace ?? undefined;
      await createSecrets(inNamespace(repository, space), kibana.encrypted, space)
        .forget(key.secret)
        .catch((error: unknown) =>
          log.warn(`a secret of ${params.experiment} could not be removed: ${messageOf(error)}`),
        );
      return null;
    },
  };

  /** Returns whether a run that the schedule has started is active, and may therefore still use the key. */
  async function isInUse(params: ScheduleParams): Promise<boolean> {
    let inUse = true;
    await visiting(params, async ({ reader }) => {
      const runs = await reader.listRuns({
        experiment: params.experiment,
        states: ACTIVE_STATES,
        limit: MOST_RUNS,
      });
      inUse = runs.some((run) => wasAsked(run, 'by its schedule'));
    });
    return inUse;
  }

  /** Schedules the task that invalidates the key of an ended schedule once no run needs the key any more. */
  async function retireKey(params: ScheduleParams): Promise<void> {
    const { key } = params;
    // The task already exists if a user saved or deleted the experiment at the same moment.
    if (key) await unless([409], kibana.taskManager.schedule(retiredKeyTask({ ...params, key })));
  }

  /**
   * Returns the next time of the schedule. {@link OVER} if the schedule has no later time. Null if the experiment was deleted or has no
   * schedule any more. Rejects if Kibana's saved objects are unavailable. Task Manager then tries again later.
   */
  async function nextOf({ experiment, namespace }: ScheduleParams): Promise<string | typeof OVER | null> {
    const repository = kibana.core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const store = createExperimentStore(inNamespace(repository, namespace ?? undefined));
    try {
      const { schedule } = (await store.get(experiment)).definition;
      return schedule === undefined ? null : (nextDue(schedule) ?? OVER);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'experiment.not-found') return null;
      throw error;
    }
  }

  /** Logs an error, unless it only means that another node was faster. */
  function report(task: TaskInstance, error: unknown): void {
    if (error instanceof DynoError && ['run.claimed', 'run.not-interrupted'].includes(error.code)) return;
    log.warn(`runs of ${paramsOf(task).experiment} could not be checked: ${messageOf(error)}`);
  }
}

/**
 * Returns the newest run that the schedule has started, if it must be resumed. This is the case if the run was interrupted recently, its
 * definition allows resuming, and it was not resumed too often.
 */
async function interruptedRun(reader: ResultsReader, experiment: string): Promise<RunDocument | undefined> {
  const runs = await reader.listRuns({ experiment, limit: MOST_RUNS });
  const run = runs.find((found) => wasAsked(found, 'by its schedule'));
  if (!run || run.run.state !== 'interrupted' || run.definition['on-interruption'] !== 'continue')
    return undefined;
  if (Date.now() - parseTime(run['@timestamp']) > OLDEST_MS) return undefined;
  const resumptions = run.events.filter(isResumption).length;
  return resumptions < MOST_RESUMPTIONS ? run : undefined;
}
