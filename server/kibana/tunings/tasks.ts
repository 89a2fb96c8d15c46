/**
 * Defines the task of Kibana's Task Manager that each tuning has until its end. Any node may execute the task. If the node that executed
 * the tuning is gone, the node that executes the task continues the tuning. At the end of the tuning, the task invalidates the API key.
 * Only this task contains the id of the key.
 */
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';
import type { SharedKey } from '../seats/shared-key';

export const TUNING_TASK = 'dyno:tuning';

/** Timeout of a check. A check takes only seconds, because the task does not execute the tuning itself. */
const TIMEOUT = '2m';

/** Time until the next check if Kibana is still starting, in ms. */
const STARTING_MS = 5000;

export interface TuningParams {
  /** Id of the tuning. */
  tuning: string;
  /** Namespace of the tuning's saved object; null for the default space. */
  namespace: string | null;
  /** Time at which the tuning was requested, in ms since the epoch. */
  asked: number;
  /** Id of the API key of the tuning, and the location of the encrypted key. Null if security is disabled. */
  key: { id: string; at: SharedKey } | null;
}

export const tuningTaskId = (tuning: string): string => `${TUNING_TASK}:${tuning}`;

const paramsOf = ({ params }: TaskInstance): TuningParams => params as unknown as TuningParams;

export interface TuningWork {
  /** Checks a tuning. Resolves to the time until the next check in ms, or to null if the tuning is over. Never rejects. */
  look(params: TuningParams): Promise<number | null>;
}

/** Returns the definition of the task. `work` returns undefined while Kibana is starting. */
export const tuningTaskDefinitions = (
  work: () => TuningWork | undefined,
): Record<string, TaskDefinition> => ({
  [TUNING_TASK]: {
    title: 'Continue a Dyno tuning whose node is gone',
    timeout: TIMEOUT,
    maxAttempts: 3,
    createTaskRunner: ({ taskInstance }) => ({
      async run(): Promise<TaskResult> {
        const tunings = work();
        const again = tunings ? await tunings.look(paramsOf(taskInstance)) : STARTING_MS;
        return { state: {}, ...(again === null ? {} : { runAt: new Date(Date.now() + again) }) };
      },
      cancel: () => Promise.resolve(),
    }),
  },
});
