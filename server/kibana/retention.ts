/**
 * Removes old samples (`dyno.retention.samples`) once a day, in a task that any Kibana node may execute. If security is enabled, Kibana
 * itself has no access to the results. The task then uses the API key of a user's schedule.
 */
import { parseRetention } from '../../common/experiment/retention';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError, messageOf } from '../../common/problem';
import { plural } from '../../common/units/format';
import { baselineRuns } from '../host/stores/annotation-store';
import { retainSamples, type RetentionPass } from '../run/queue/queue';
import { clientOf } from './actor';
import type { KibanaServices } from './kibana-services';
import { authorizationOfKey } from './keys';
import { openScheduleKey } from './schedules/scheduled-runs';
import { paramsOf, SCHEDULE_TASK } from './schedules/tasks';
import type { TaskDefinition } from './schedules/sdk';

export const RETENTION_TASK = 'dyno:retention';
const INTERVAL = '24h';
const TIMEOUT = '5m';
/**
 * Maximum duration in ms of one execution of the task (a pass). It is shorter than the timeout of the task. The next pass continues where
 * this one ended.
 */
const PASS_MS = 4 * 60_000;
/**
 * Time in ms until the task is executed again if it could not finish. Possible reasons: Kibana was starting, a run was measuring, the
 * maximum duration was reached, or an error occurred.
 */
const AGAIN_MS = 10 * 60_000;
/** Maximum number of schedules whose API keys are tried, until one has the necessary privileges. */
const MOST_KEYS = 100;

/** Schedules the task, or removes it if the settings keep samples forever. Never rejects. */
export async function scheduleRetention({ taskManager, config, log }: KibanaServices): Promise<void> {
  try {
    if (config.retention.samples === undefined) return await taskManager.removeIfExists(RETENTION_TASK);
    await taskManager.ensureScheduled({
      id: RETENTION_TASK,
      taskType: RETENTION_TASK,
      schedule: { interval: INTERVAL },
      params: {},
      state: {},
    });
  } catch (error) {
    log.warn(`old samples cannot be removed: ${messageOf(error)}`);
  }
}

/** Returns the definition of the task. `kibana` returns undefined while Kibana is starting. */
export const retentionTaskDefinitions = (
  kibana: () => KibanaServices | undefined,
): Record<string, TaskDefinition> => ({
  [RETENTION_TASK]: {
    title: 'Remove old samples of Dyno runs',
    timeout: TIMEOUT,
    maxAttempts: 3,
    createTaskRunner: () => {
      const stopping = new AbortController();
      return {
        async run() {
          const services = kibana();
          const isDone = services !== undefined && (await retain(services, stopping.signal));
          return { state: {}, ...(isDone ? {} : { runAt: new Date(Date.now() + AGAIN_MS) }) };
        },
        cancel: () => {
          stopping.abort();
          return Promise.resolve();
        },
      };
    },
  },
});

/**
 * Removes old samples. Returns false if the task should be executed again soon, because samples are left or an error occurred. Returns true
 * if no samples are left, or if no key has the necessary privileges. Never rejects.
 */
async function retain(kibana: KibanaServices, signal: AbortSignal): Promise<boolean> {
  const { config, log } = kibana;
  const keep = parseRetention(config.retention.samples ?? '');
  if (!keep) return true;
  const until = Date.now() + PASS_MS;
  let refused = '';
  for await (const results of clients(kibana)) {
    try {
      const kept = (): Promise<Set<string>> => baselineRuns(results);
      const pass = await retainSamples({ results, keep, kept, until, signal });
      report(pass, log);
      return pass.why === '';
    } catch (error) {
      if (!isRefused(error)) {
        log.warn(`old samples could not be removed: ${messageOf(error)}`);
        return false;
      }
      refused ||= messageOf(error);
    }
  }
  log.warn(
    `old samples were not removed: ${refused}; Dyno needs the key of a user who has saved an experiment with a schedule, or the credentials of dyno.results`,
  );
  return true;
}

function report({ runs, documents, left, why }: RetentionPass, log: KibanaServices['log']): void {
  if (runs > 0) log.info(`samples of ${plural(runs, 'run')} were removed (${plural(documents, 'document')})`);
  if (left > 0) log.info(`samples of ${plural(left, 'run')} still have to be removed: ${why}`);
}

const isRefused = (error: unknown): boolean =>
  error instanceof DynoError && ['results.forbidden', 'results.unauthorised'].includes(error.code);

/**
 * Yields clients that may have the privileges to remove samples. The first is the client of the results cluster with the credentials of the
 * settings or of Kibana. The others use the API keys of schedules.
 */
async function* clients(kibana: KibanaServices): AsyncGenerator<ElasticsearchClient> {
  yield kibana.resultsOf(clientOf(kibana, undefined));
  if (kibana.resultsConnection) return;
  const { docs } = await kibana.taskManager.fetch({
    query: { term: { 'task.taskType': SCHEDULE_TASK } },
    size: MOST_KEYS,
  });
  for (const task of docs) {
    // Keys that can no longer be read are skipped.
    const key = await openScheduleKey(kibana, paramsOf(task)).catch(() => null);
    if (key) yield kibana.resultsOf(clientOf(kibana, authorizationOfKey(key)));
  }
}
