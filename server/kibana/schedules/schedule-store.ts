/** Keeps the schedules of experiments for the user of one request: each a task, and the key by which its runs act. */
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

/** What the key is bound to: whoever moves it to another experiment cannot have it used there. */
export const ownerOfKey = (experiment: string): string => `the schedule of ${experiment}`;

export interface ScheduleStoreOptions {
  kibana: KibanaServices;
  request: KibanaRequest;
  namespace: string | undefined;
  secrets: Secrets;
}

/**
 * The same store, in which an experiment with a schedule has a task that starts its runs as whoever saved it last. A
 * schedule that cannot be followed is refused before anything is saved: `definition.schedule` (input).
 */
export function withSchedules(store: ExperimentStore, options: ScheduleStoreOptions): ExperimentStore {
  const { kibana, request, namespace = null, secrets } = options;
  const { taskManager } = kibana;

  /** What its runs will act by; null where there is no security, or no schedule. */
  async function grantFor({ name, schedule }: Definition): Promise<Key | null> {
    if (schedule === undefined) return null;
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
   * Removes the schedule's task. Its key stays valid for a run that acts by it: a task of its own invalidates the key when
   * no run needs it. Resolves to the missed times that the results have not stored yet.
   */
  async function forget(experiment: string): Promise<MissedTimes[]> {
    const id = scheduleTaskId(namespace, experiment);
    const task = await unless([404], taskManager.get(id));
    if (!task) return [];
    const params = paramsOf(task);
    const { untold = [] } = stateOf(task);
    if (params.key) await taskManager.schedule(retiredKeyTask({ ...params, key: params.key }));
    await taskManager.removeIfExists(id);
    return untold;
  }

  async function follow({ id, definition }: Experiment, key: Key | null): Promise<void> {
    const untold = await forget(id);
    const due = definition.schedule === undefined ? null : nextDue(definition.schedule);
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
      state: { due, ...(untold.length === 0 ? {} : { untold }) },
      runAt: new Date(parseTime(due)),
    });
  }

  /** Saves, and has what was saved followed. */
  async function saving(definition: Definition, save: () => Promise<Experiment>): Promise<Experiment> {
    const key = await grantFor(definition);
    let saved: Experiment | undefined;
    try {
      saved = await save();
      await follow(saved, key);
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
      saving(definition, () => store.save(id, text, definition, version)),
    async delete(id) {
      await store.delete(id);
      await forget(id);
    },
  };
}
