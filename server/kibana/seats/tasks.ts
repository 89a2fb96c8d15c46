/**
 * Defines the tasks of Kibana's Task Manager that find Kibana nodes to generate load for a run. The node that claims a task checks whether
 * the run needs more load-generating processes (seats), and joins the run if it may. A task takes seconds, and is repeated until the run is
 * over. In this way, tasks also replace dead nodes.
 */
import { taskCost } from '../versions';
import type { SharedKey } from './shared-key';
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';

export const SEAT_TASK = 'dyno:seat';

/**
 * Number of tasks for each load-generating process that a run needs. One node often claims several tasks, but can join the run only once.
 * With more tasks than needed, other nodes find a due task too.
 */
export const TASKS_PER_SEAT = 3;

/** Timeout of a check. A check usually takes seconds. If it takes longer than the timeout, Task Manager gives the task to another node. */
const TIMEOUT = '1m';

export interface SeatParams {
  /** Id of the run. */
  run: string;
  /** Name of the index in the results cluster through which the processes of the run communicate. */
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
  /** Number of the newest sign of life of the run's process. Null before the first. */
  beat: number | null;
  /** Time at which a check first saw the number in `beat`, in ms since the epoch. */
  since: number;
  /** Number of consecutive checks in which the run needed another load-generating process, but the checking node could not provide it. */
  tries: number;
}

/**
 * Returns the id of a task. The index in `bus` is part of the id, because another process that resumes the run creates a new index and new
 * tasks.
 */
export const seatTaskId = (bus: string, number: number): string => `${SEAT_TASK}:${bus}:${number}`;

const paramsOf = ({ params }: TaskInstance): SeatParams => params as unknown as SeatParams;

const stateOf = ({ state }: TaskInstance): SeatState => {
  const { beat, since, tries } = state as Partial<SeatState>;
  return { beat: beat ?? null, since: since ?? Date.now(), tries: tries ?? 0 };
};

/** The state after a check, and the delay of the next check in ms. Null once the run is over. */
export type SeatLook = { state: SeatState; againMs: number } | null;

export interface SeatWork {
  /** Checks whether a run needs more nodes to generate load, and lets this node join if it may. Never rejects. */
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
