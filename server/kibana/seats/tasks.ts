/**
 * Seats of runs as tasks of Kibana's Task Manager. Each task asks the node that claims it to look whether a run has all of its
 * seats, and to take one where it may: it returns within seconds and comes back until the run is over. So it recruits, finds a
 * replacement for a node that is gone, and shows in Task Manager's health what is carried. Whether a seat is held is known by
 * Dyno's own lease alone: Task Manager hears nothing of a task between its runs.
 */
import { taskCost } from '../versions';
import type { SharedKey } from './shared-key';
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';

export const SEAT_TASK = 'dyno:seat';

/**
 * For each seat that is wanted: a node that claims several of them can take one only, and gives the others back, while another
 * node finds one that is due.
 */
export const TASKS_PER_SEAT = 3;

/** A look takes seconds; Task Manager gives what takes longer to another node. */
const TIMEOUT = '1m';

export interface SeatParams {
  /** Id of the run. */
  run: string;
  /** Index over which its seats are led. */
  bus: string;
  /** Id of the target in its space. */
  target: string;
  /** Of the target's saved object; null for the default space. */
  namespace: string | null;
  /** Where the run's API key is kept; null where there is no security. */
  key: SharedKey | null;
}

/** What one look leaves to the next, on whichever node. */
export interface SeatState {
  /** Number of the newest sign of life of the run, and since when it has been the newest, ms since the epoch. */
  beat: number | null;
  since: number;
  /** Looks in a row that found a seat which the node could not take. */
  tries: number;
}

/** Each bus has tasks of its own: another process that goes on with the run makes others. */
export const seatTaskId = (bus: string, number: number): string => `${SEAT_TASK}:${bus}:${number}`;

const paramsOf = ({ params }: TaskInstance): SeatParams => params as unknown as SeatParams;

const stateOf = ({ state }: TaskInstance): SeatState => {
  const { beat, since, tries } = state as Partial<SeatState>;
  return { beat: beat ?? null, since: since ?? Date.now(), tries: tries ?? 0 };
};

/** When the task comes back, with what it then knows; null when its run is over. */
export type SeatLook = { state: SeatState; againMs: number } | null;

export interface SeatWork {
  /** Never rejects. */
  look(params: SeatParams, state: SeatState): Promise<SeatLook>;
}

/** While Kibana is starting, ms. */
const STARTING_MS = 5000;

/** `work`: undefined while Kibana is starting. */
export function seatTaskDefinitions(
  kibanaVersion: string,
  work: () => SeatWork | undefined,
): Record<string, TaskDefinition> {
  return {
    [SEAT_TASK]: {
      title: 'See that a Dyno run has its seats, and take a free one',
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
