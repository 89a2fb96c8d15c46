/**
 * Defines the tasks of Kibana's Task Manager for schedules. Each experiment with a schedule has one task. Only this task refers to the API
 * key of the schedule's runs. Any Kibana node may execute the task.
 */
import type { MissedTimes } from '../../../common/experiment/missed';
import type { TaskDefinition, TaskInstance, TaskResult } from './sdk';

export const SCHEDULE_TASK = 'dyno:schedule';
export const WATCH_TASK = 'dyno:watch';
export const RETIRED_KEY_TASK = 'dyno:retired-key';

/** Interval between two searches for runs whose process has ended. */
export const WATCH_INTERVAL = '1m';

/** Timeout of the tasks. Each takes only seconds, because it starts a run without waiting for its end. */
const TIMEOUT = '5m';

export interface ScheduleParams {
  /** Id of the experiment. */
  experiment: string;
  /** Namespace of the experiment's saved object; null for the default space. */
  namespace: string | null;
  /** Id of the API key, and id of the encrypted object that contains the key. Null if security is disabled. */
  key: { secret: string; id: string } | null;
}

export interface ScheduleState {
  /** Due time, ISO 8601. Absent once a one-time schedule has started its run. */
  due?: string;
  /** Missed times that are not yet stored in the results, the oldest first. */
  untold?: MissedTimes[];
}

/**
 * Maximum time in ms from the moment at which a run reads the API key of its schedule until the results contain a document of the run.
 * Before, other processes cannot see that the run uses the key.
 */
const RUN_BEGINS_WITHIN_MS = 60_000;

/**
 * Returns the task that invalidates the API key of a changed or removed schedule. The task first waits until all runs that may have read
 * the key are visible in the results.
 */
export const retiredKeyTask = (params: ScheduleParams & { key: object }): TaskInstance & { runAt: Date } => ({
  id: `${RETIRED_KEY_TASK}:${params.key.id}`,
  taskType: RETIRED_KEY_TASK,
  params: { ...params },
  state: { since: new Date().toISOString() },
  runAt: new Date(Date.now() + RUN_BEGINS_WITHIN_MS),
});

export const scheduleTaskId = (namespace: string | null, experiment: string): string =>
  `${SCHEDULE_TASK}:${namespace ?? 'default'}:${experiment}`;

/** Task Manager stores params and state as plain objects of any shape. */
export const paramsOf = ({ params }: TaskInstance): ScheduleParams => params as unknown as ScheduleParams;
export const stateOf = ({ state }: TaskInstance): ScheduleState => state;

/** Time of the next execution of a schedule's task, and the state for it. */
export interface NextLook {
  state: ScheduleState;
  runAt: Date;
}

export interface TaskWork {
  /**
   * Starts the run of a due time, or records why it did not start. Resolves to the time and the state of the next execution of the task;
   * null if the task is no longer needed.
   */
  startDue(params: ScheduleParams, state: ScheduleState): Promise<NextLook | null>;
  /** Resumes interrupted runs of schedules on this node. Never rejects. */
  watch(): Promise<void>;
  /**
   * Invalidates the key of a changed or removed schedule, unless a run still uses it. Resolves to the time of the next check, or to null
   * once the key was invalidated. `since`: time at which the schedule was changed or removed, ISO 8601. Never rejects.
   */
  endKey(params: ScheduleParams, since: string): Promise<Date | null>;
}

/** Converts the result to the form of Task Manager, which removes a task that has no next time. */
const again = (next: NextLook | null): TaskResult =>
  next === null ? { state: {} } : { state: { ...next.state }, runAt: next.runAt };

/** Returns the definitions of the tasks. `work` rejects while Kibana is starting; Task Manager then tries again. */
export const taskDefinitions = (work: () => Promise<TaskWork>): Record<string, TaskDefinition> => ({
  [SCHEDULE_TASK]: {
    title: 'Start the run of a Dyno experiment by its schedule',
    timeout: TIMEOUT,
    maxAttempts: 3,
    createTaskRunner: ({ taskInstance }) => ({
      async run() {
        const { startDue } = await work();
        return again(await startDue(paramsOf(taskInstance), stateOf(taskInstance)));
      },
      cancel: () => Promise.resolve(),
    }),
  },
  [RETIRED_KEY_TASK]: {
    title: 'Invalidate the API key of a former Dyno schedule when no run needs it',
    timeout: TIMEOUT,
    maxAttempts: 3,
    createTaskRunner: ({ taskInstance }) => ({
      async run() {
        const { state } = taskInstance;
        const runAt = await (await work()).endKey(paramsOf(taskInstance), String(state['since']));
        return { state, ...(runAt && { runAt }) };
      },
      cancel: () => Promise.resolve(),
    }),
  },
  [WATCH_TASK]: {
    title: 'Find Dyno runs whose process is gone',
    timeout: TIMEOUT,
    maxAttempts: 3,
    createTaskRunner: () => ({
      async run() {
        await (await work()).watch();
        return { state: {} };
      },
      cancel: () => Promise.resolve(),
    }),
  },
});
