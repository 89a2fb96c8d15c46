/**
 * Defines the tasks of Kibana's Task Manager that find Kibana nodes to generate load for a run. The node that claims a task checks whether
 * the run needs more load-generating processes (seats). If so, and if the settings of the node allow it, the node joins the run. A task
 * takes seconds, and is repeated until the run is over. Therefore, dead nodes are also replaced.
 */
import { taskCost } from '../versions';
import type { SharedKey } from './shared-key';
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';

export const SEAT_TASK = 'dyno:seat';

/**
 * Number of tasks for each load-generating process that a run needs. One node often claims several tasks, but can join a run only once.
 * Because of the additional tasks, other nodes also find a due task.
 */
export const TASKS_PER_SEAT = 3;

/** Timeout of a check. A check usually takes seconds. If it takes longer than the timeout, Task Manager gives the task to another node. */
const TIMEOUT = '1m';

export interface SeatParams {
  /** Id of the run. */
  run: string;
  /** Name of the index in the results cluster through which the processes of the run communicate. */
  bus: string;
  /** Id of the target within its space. */
  target: string;
  /** Namespace of the target's saved object; null for the default space. */
  namespace: string | null;
  /** Location of the run's API key; null if security is disabled. */
  key: SharedKey | null;
}

/** State of a task that each check passes to the next one. Another node may execute the next check. */
export interface SeatState {
  /** Sequence number of the newest sign of life from the process that executes the run. Null before the first one. */
  beat: number | null;
  /** Time at which a check first saw the number in `beat`, in ms since the epoch. */
  since: number;
  /** Number of consecutive checks in which the run needed another load-generating process, but the checking node could not provide it. */
  tries: number;
}

/**
 * Returns the id of a task. `bus`: index through which the processes of the run communicate. It is part of the id, because a process that
 * resumes the run creates a new index and new tasks. `number`: number of the task.
 */
export const seatTaskId = (bus: string, number: number): string => `${SEAT_TASK}:${bus}:${number}`;

const paramsOf = ({ params }: TaskInstance): SeatParams => params as unknown as SeatParams;

const stateOf = ({ state }: TaskInstance): SeatState => {
  const { beat, since, tries } = state as Partial<SeatState>;
  return { beat: beat ?? null, since: since ?? Date.now(), tries: tries ?? 0 };
};

/** The state after a check, and the time until the next check in ms. Null if the run is over. */
export type SeatLook = { state: SeatState; againMs: number } | null;

export interface SeatWork {
  /** Checks whether a run needs more load-generating processes. If so, this node joins the run if its settings allow it. Never rejects. */
  look(params: SeatParams, state: SeatState): Promise<SeatLook>;
}

/** Time until the next check if Kibana is still starting, in ms. */
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
