/**
 * Stores the schedules of experiments for the user of one request. A schedule consists of a task of Kibana, and of the API key with which
 * its runs act.
 */
import type { Experiment } from '../../../common/api/experiments';
import type { Definition } from '../../../common/experiment/definition';
import type { MissedTimes } from '../../../common/experiment/missed';
import { inputError, messageOf, runError } from '../../../common/problem';
import type { ExperimentStore } from '../../routes/services';
import { nextDue } from '../../run/queue/queue';
import { grantKey, invalidateKey, type Key } from '../keys';
import type { KibanaServices } from '../kibana-services';
import { unless } from '../saved-object-errors';
import type { KibanaRequest } from '../sdk';
import { SECRETS_REFUSED, type Secrets } from '../secrets';
import { parseTime } from '../../../common/units/time';
import {
  paramsOf,
  retiredKeyTask,
  stateOf,
  SCHEDULE_TASK,
  scheduleTaskId,
  type ScheduleParams,
} from './tasks';
import type { TaskInstance } from './sdk';

/**
 * Returns the owner that is encrypted together with the API key of a schedule. Decrypting the key requires the same owner. Therefore, a key
 * that somebody copies to the schedule of another experiment does not work there.
 */
export const ownerOfKey = (experiment: string): string => `the schedule of ${experiment}`;

export interface ScheduleStoreOptions {
  kibana: KibanaServices;
  request: KibanaRequest;
  namespace: string | undefined;
  secrets: Secrets;
}

/**
 * Returns an experiment store that also keeps the schedules of experiments up to date. A task of Kibana starts scheduled runs with the
 * rights of the user who saved the experiment last. An invalid schedule is refused with an input error `definition.schedule` before
 * anything is saved.
 */
export function withSchedules(store: ExperimentStore, options: ScheduleStoreOptions): ExperimentStore {
  const { kibana, request, namespace = null, secrets } = options;
  const { taskManager } = kibana;

  const taskOf = (experiment: string): Promise<TaskInstance | undefined> =>
    unless([404], taskManager.get(scheduleTaskId(namespace, experiment)));

  /**
   * Returns the next time at which the schedule starts a run; null if no such time exists.
   * `experiment`: id of an existing experiment that is being saved again. The run of a past time may not have started yet. If the schedule
   * has no later time but still contains that time, returns that time.
   */
  async function dueOf({ schedule }: Definition, experiment?: string): Promise<string | null> {
    const next = schedule === undefined ? null : nextDue(schedule);
    if (schedule === undefined || next !== null || experiment === undefined) return next;
    const task = await taskOf(experiment);
    const open = task && stateOf(task).due;
    if (open === undefined) return null;
    return nextDue(schedule, new Date(parseTime(open) - 1)) === open ? open : null;
  }

  /** Creates the API key with which scheduled runs act. Null if security is disabled, or if `due` is null. */
  async function grantFor({ name }: Definition, due: string | null): Promise<Key | null> {
    if (due === null) return null;
    const key = await grantKey(kibana, request, `schedule of ${name}`);
    if (key === null || secrets.refused === null) return key;
    await invalidateKey(kibana, key.id);
    throw inputError(
      'definition.schedule',
      'schedule',
      `scheduled runs need an API key of yours, which must be stored: ${SECRETS_REFUSED}`,
    );
  }

  async function keepKey(experiment: string, key: Key): Promise<ScheduleParams['key']> {
    return { id: key.id, secret: await secrets.keep(ownerOfKey(experiment), JSON.stringify(key)) };
  }

  /**
   * Removes the task of the schedule, and returns the missed times that it had not stored in the results yet. The key of the schedule stays
   * valid, because a run may still use the key. A separate task invalidates the key when no run needs it any more.
   */
  async function forget(experiment: string): Promise<MissedTimes[]> {
    const task = await taskOf(experiment);
    if (!task) return [];
    const params = paramsOf(task);
    const { untold: unreported = [] } = stateOf(task);
    // The task of an ended schedule may already have scheduled the invalidation of the key.
    if (params.key) await unless([409], taskManager.schedule(retiredKeyTask({ ...params, key: params.key })));
    await taskManager.removeIfExists(task.id);
    return unreported;
  }

  async function follow({ id }: Experiment, due: string | null, key: Key | null): Promise<void> {
    const unreported = await forget(id);
    if (due === null) return;
    const params: ScheduleParams = {
      experiment: id,
      namespace,
      key: key && (await keepKey(id, key)),
    };
    await taskManager.schedule({
      id: scheduleTaskId(namespace, id),
      taskType: SCHEDULE_TASK,
      params: { ...params },
      state: { due, ...(unreported.length === 0 ? {} : { untold: unreported }) },
      runAt: new Date(parseTime(due)),
    });
  }

  /** Saves an experiment and schedules the task of its schedule. `experiment`: id of an existing experiment that is being saved again. */
  async function saving(
    definition: Definition,
    save: () => Promise<Experiment>,
    experiment?: string,
  ): Promise<Experiment> {
    const due = await dueOf(definition, experiment);
    const key = await grantFor(definition, due);
    let saved: Experiment | undefined;
    try {
      saved = await save();
      await follow(saved, due, key);
      return saved;
    } catch (error) {
      if (key) await invalidateKey(kibana, key.id);
      if (!saved) throw error;
      throw runError(
        'schedule.unkept',
        'schedule',
        `the experiment is saved, but its schedule does not run: ${messageOf(error)}`,
        error,
      );
    }
  }

  return {
    list: () => store.list(),
    get: (id) => store.get(id),
    create: (text, definition) => saving(definition, () => store.create(text, definition)),
    save: (id, text, definition, version) =>
      saving(definition, () => store.save(id, text, definition, version), id),
    async delete(id) {
      await store.delete(id);
      await forget(id);
    },
  };
}
