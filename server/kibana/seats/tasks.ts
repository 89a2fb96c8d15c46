/**
 * Defines the tasks of Kibana's Task Manager for the seats of runs. The node that claims a task checks whether the run has all its seats,
 * and takes a seat if it may. The task returns within seconds, and is executed again until the run is over. In this way, the tasks find
 * nodes, replace dead ones, and appear in Task Manager's health. Task Manager does not track a task between its executions, so only Dyno's
 * own lease shows whether a seat is held.
 */
import { taskCost } from '../versions';
import type { SharedKey } from './shared-key';
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';

export const SEAT_TASK = 'dyno:seat';

/**
 * Number of tasks for each wanted seat. A node that claims several tasks can take only one seat, so its other tasks have no effect. There
 * are several tasks per seat, so that another node still finds a task that is due.
 */
export const TASKS_PER_SEAT = 3;

/** Timeout of a check. A check usually takes seconds. If it takes longer than the timeout, Task Manager gives the task to another node. */
const TIMEOUT = '1m';

export interface SeatParams {
  /** Id of the run. */
  run: string;
  /** Name of the index through which the seats communicate. */
  bus: string;
  /** Id of the target in its space. */
  target: string;
  /** Namespace of the target's saved object; null for the default space. */
  namespace: string | null;
  /** Where the run's API key is stored; null without security. */
  key: SharedKey | null;
}

/** State of a task, which is passed from one check to the next. The next check may run on another node. */
export interface SeatState {
  /**
   * Number of the newest sign of life of the run, and (the next key) the time at which a check first saw this number, in ms since the
   * epoch.
   */
  beat: number | null;
  since: number;
  /** Number of consecutive checks that found a free seat which their node could not take. */
  tries: number;
}

/** Returns the id of a task. Each bus has its own tasks, because another process that resumes the run creates a new bus. */
export const seatTaskId = (bus: string, number: number): string => `${SEAT_TASK}:${bus}:${number}`;

const paramsOf = ({ params }: TaskInstance): SeatParams => params as unknown as SeatParams;

const stateOf = ({ state }: TaskInstance): SeatState => {
  const { beat, since, tries } = state as Partial<SeatState>;
  return { beat: beat ?? null, since: since ?? Date.now(), tries: tries ?? 0 };
};

/** The state after a check, and the delay of the next check in ms. Null once the run is over. */
export type SeatLook = { state: SeatState; againMs: number } | null;

export interface SeatWork {
  /** Checks the seats of a run, and takes one if needed. Never rejects. */
  look(params: SeatParams, state: SeatState): Promise<SeatLook>;
}

/** Delay while Kibana is starting, in ms. */
const STARTING_MS = 5000;

/** Returns the definition of the task. `work` returns undefined while Kibana is starting. */
export function seatTaskDefinitions(
  kibanaVersion: string,
  work: () => SeatWork | undefined,
): Record<string, TaskDefinition> {
  return {
    [SEAT_TASK]: {
      title: 'Take a free seat of a Dyno run',
      timeout: TIMEOUT,
      maxAttempts: 3,
      ...taskCost(kibanaVersion, 'extra-large'),
      createTaskRunner: ({ taskInstance }) => ({
        async run(): Promise<TaskResult> {
          const state = stateOf(taskInstance);
          const seats = work();
          const look = seats
            ? await seats.look(paramsOf(taskInstance), state)
            : { state, againMs: STARTING_MS };
          if (look === null) return { state: {} };
          return { state: { ...look.state }, runAt: new Date(Date.now() + look.againMs) };
        },
        cancel: () => Promise.resolve(),
      }),
    },
  };
}
