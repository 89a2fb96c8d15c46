/**
 * Defines the tasks of Kibana's Task Manager for schedules: one for each experiment with a schedule. Only the task refers to the API key of
 * the runs. Any Kibana node may execute it.
 */
import type { MissedTimes } from '../../../common/experiment/missed';
import type { TaskDefinition, TaskInstance, TaskResult } from './sdk';

export const SCHEDULE_TASK = 'dyno:schedule';
export const WATCH_TASK = 'dyno:watch';
export const RETIRED_KEY_TASK = 'dyno:retired-key';

/** Interval between two searches for runs whose carrier is gone. */
export const WATCH_INTERVAL = '1m';

/** Timeout of the tasks. They take seconds, because they only start runs. */
const TIMEOUT = '5m';

export interface ScheduleParams {
  /** Id of the experiment. */
  experiment: string;
  /** Namespace of the experiment's saved object; null for the default space. */
  namespace: string | null;
  /** Id of the API key and of the encrypted object that contains it; null without security. */
  key: { secret: string; id: string } | null;
}

export interface ScheduleState {
  /** Due time, ISO 8601; absent if a one-time schedule has had its run. */
  due?: string;
  /** Missed times that are not yet stored in the results, the oldest first. */
  untold?: MissedTimes[];
}

/**
 * Maximum time, in ms, from the moment at which a run reads the key of its schedule until the run's document exists. A run may read the key
 * just before the key is retired.
 */
const RUN_BEGINS_WITHIN_MS = 60_000;

/** Returns the task that invalidates the key of a former schedule. It is first due when every run that has read the key has a document. */
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

/** Next execution of a schedule's task, and its state. */
export interface NextLook {
  state: ScheduleState;
  runAt: Date;
}

export interface TaskWork {
  /** Starts the run of a due time. Resolves to the next execution of the task; null if the task is no longer needed. */
  startDue(params: ScheduleParams, state: ScheduleState): Promise<NextLook | null>;
  /** Takes over interrupted runs of schedules. Never rejects. */
  watch(): Promise<void>;
  /**
   * Invalidates the key of a changed or removed schedule, unless a run still uses it. Resolves to the time of the next check, or to null
   * when the key is invalidated. `since`: time at which the key was retired, ISO 8601. Never rejects.
   */
  endKey(params: ScheduleParams, since: string): Promise<Date | null>;
}

/** Converts to the form of Task Manager, which removes a task without a next time. */
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
