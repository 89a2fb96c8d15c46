/**
 * Schedules as tasks of Kibana's Task Manager: one for each experiment that has one. The task is the only place that
 * knows by whose key its runs act; any node of Kibana may find it due.
 */
import type { MissedTimes } from '../../../common/experiment/missed';
import type { TaskDefinition, TaskInstance, TaskResult } from './sdk';

export const SCHEDULE_TASK = 'dyno:schedule';
export const WATCH_TASK = 'dyno:watch';
export const RETIRED_KEY_TASK = 'dyno:retired-key';

/** How often runs whose carrier is gone are looked for. */
export const WATCH_INTERVAL = '1m';

/** What the tasks do takes seconds: runs are begun and left to themselves. */
const TIMEOUT = '5m';

export interface ScheduleParams {
  /** Of the experiment. */
  experiment: string;
  /** Of the experiment's saved object; null for the default space. */
  namespace: string | null;
  /** Where the API key is kept encrypted, and its id; null where there is no security. */
  key: { secret: string; id: string } | null;
}

export interface ScheduleState {
  /** When it falls due, ISO 8601; absent if a schedule of one time has had its run. */
  due?: string;
  /** What the results did not take yet, the oldest first. */
  untold?: MissedTimes[];
}

/** A run may have read the key of its schedule just before that was retired; its document exists within this time. */
const RUN_BEGINS_WITHIN_MS = 60_000;

/** The task that ends a schedule's key, first due when each run that has read the key has a document. */
export const retiredKeyTask = (params: ScheduleParams & { key: object }): TaskInstance & { runAt: Date } => ({
  id: `${RETIRED_KEY_TASK}:${params.key.id}`,
  taskType: RETIRED_KEY_TASK,
  params: { ...params },
  state: { since: new Date().toISOString() },
  runAt: new Date(Date.now() + RUN_BEGINS_WITHIN_MS),
});

export const scheduleTaskId = (namespace: string | null, experiment: string): string =>
  `${SCHEDULE_TASK}:${namespace ?? 'default'}:${experiment}`;

/** Task Manager keeps params and state as plain objects of any shape. */
export const paramsOf = ({ params }: TaskInstance): ScheduleParams => params as unknown as ScheduleParams;
export const stateOf = ({ state }: TaskInstance): ScheduleState => state;

/** When the task of a schedule runs next, and with which state. */
export interface NextLook {
  state: ScheduleState;
  runAt: Date;
}

export interface TaskWork {
  /** Starts the run of a due time. Resolves to when the task runs next; null if it is not needed any more. */
  startDue(params: ScheduleParams, state: ScheduleState): Promise<NextLook | null>;
  /** Never rejects. */
  watch(): Promise<void>;
  /**
   * Invalidates the key of a schedule that was changed or removed, unless a run still acts by it. Resolves to when to
   * look again, null when the key is gone. `since`: when the key was retired, ISO 8601. Never rejects.
   */
  endKey(params: ScheduleParams, since: string): Promise<Date | null>;
}

/** Task Manager removes a task whose result names no time. */
const again = (next: NextLook | null): TaskResult =>
  next === null ? { state: {} } : { state: { ...next.state }, runAt: next.runAt };

/** `work` rejects while Kibana is starting: Task Manager tries again. */
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
