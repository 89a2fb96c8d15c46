/**
 * Each tuning has a task of Kibana's Task Manager until it is over: whichever node runs it takes the tuning up where nobody carries it
 * any more, and gives its API key back at the end. The task is the only place that knows by whose key the tuning goes on.
 */
import type { TaskDefinition, TaskInstance, TaskResult } from '../schedules/sdk';
import type { SharedKey } from '../seats/shared-key';

export const TUNING_TASK = 'dyno:tuning';

/** A look takes seconds: the tuning itself goes on beside it. */
const TIMEOUT = '2m';

/** While Kibana is starting, ms. */
const STARTING_MS = 5000;

export interface TuningParams {
  /** Id of the tuning. */
  tuning: string;
  /** Of its saved object; null for the default space. */
  namespace: string | null;
  /** When it was asked for, ms since the epoch. */
  asked: number;
  /** The id of the API key, and where it is kept; null where there is no security. */
  key: { id: string; at: SharedKey } | null;
}

export const tuningTaskId = (tuning: string): string => `${TUNING_TASK}:${tuning}`;

const paramsOf = ({ params }: TaskInstance): TuningParams => params as unknown as TuningParams;

export interface TuningWork {
  /** Resolves to when it is to be looked at again, ms from now; null where it is over. Never rejects. */
  look(params: TuningParams): Promise<number | null>;
}

/** `work`: undefined while Kibana is starting. */
export const tuningTaskDefinitions = (
  work: () => TuningWork | undefined,
): Record<string, TaskDefinition> => ({
  [TUNING_TASK]: {
    title: 'See that a Dyno tuning goes on',
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
