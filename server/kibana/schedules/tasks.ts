/**
 * Defines the tasks of schedules for Kibana's Task Manager. Each experiment with a schedule has one task. Only this task refers to the API
 * key with which the scheduled runs act. Any Kibana node may execute the task.
 */
import type { MissedTimes } from '../../../common/experiment/missed';
import type { TaskDefinition, TaskInstance, TaskResult } from './sdk';

export const SCHEDULE_TASK = 'dyno:schedule';
export const WATCH_TASK = 'dyno:watch';
export const RETIRED_KEY_TASK = 'dyno:retired-key';

/** Interval between two searches for interrupted runs of schedules. */
export const WATCH_INTERVAL = '1m';

/** Timeout of the tasks. A task usually takes seconds, because it starts a run without waiting for the end of the run. */
const TIMEOUT = '5m';

export interface ScheduleParams {
  /** Id of the experiment. */
  experiment: string;
  /** Namespace of the experiment's saved object; null for the default space. */
  namespace: string | null;
  /** `id`: id of the API key. `secret`: id of the saved object that contains the encrypted key. Null if security is disabled. */
  key: { secret: string; id: string } | null;
}

export interface ScheduleState {
  /** Time at which the next run is due, in ISO 8601. Absent after a one-time schedule has started its run. */
  due?: string;
  /** Times at which no run started, and which are not stored in the results yet. The oldest is first. */
  untold?: MissedTimes[];
}

/**
 * Maximum time in ms after which the results contain a document of a run that has read the API key of its schedule. Until then, other
 * processes cannot see that the run uses the key.
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

/** Returns the parameters of a schedule's task. The cast is needed because Task Manager has no type for them. */
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
  /**
   * Resumes interrupted runs of schedules on this node. Errors of single runs are logged. Rejects if Task Manager cannot list its tasks.
   */
  watch(): Promise<void>;
  /**
   * Invalidates the key of a changed or removed schedule, unless a run still uses the key. Resolves to the time of the next check; null if
   * the key was invalidated. `since`: time at which the schedule was changed or removed, in ISO 8601. Never rejects.
   */
  endKey(params: ScheduleParams, since: string): Promise<Date | null>;
}

/** Converts the result to the form that Task Manager expects. Task Manager removes a task whose result has no `runAt`. */
const again = (next: NextLook | null): TaskResult =>
  next === null ? { state: {} } : { state: { ...next.state }, runAt: next.runAt };

/** Returns the definitions of the tasks. While Kibana is starting, `work` rejects. Task Manager then executes the task again later. */
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
