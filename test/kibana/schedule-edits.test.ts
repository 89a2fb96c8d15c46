/**
 * Tests a schedule that starts a run every minute, while its experiment is edited. No run may be lost. Afterwards, no API keys, tasks,
 * locks or indices may be left. `DYNO_SCHEDULE_MINUTES`: duration of the test in minutes (4).
 */
import type { Experiment } from '../../common/api/experiments';
import type { RunDetail, RunSummary } from '../../common/api/runs';
import type { MissedTimes } from '../../common/experiment/missed';
import { until } from '../support/until';
import { ask, askElasticsearch, describeSecured } from './support/kibana';

const API = '/api/dyno';
const MINUTES = Number(process.env['DYNO_SCHEDULE_MINUTES'] ?? 4);
/** Minutes between two edits. */
const EDIT_MINUTES = MINUTES >= 10 ? 2 : 1;
const MINUTE_MS = 60_000;
/** Maximum time from the due time of a run to its start, in ms: Kibana looks for due tasks every 3 s. */
const STARTED_WITHIN_MS = 20_000;
/**
 * Time in ms within which the API keys of earlier versions of the schedule must be removed. Dyno looks for unused keys every minute, and
 * Kibana's Task Manager may be late.
 */
const KEYS_GONE_MS = 6 * MINUTE_MS;

const NAME = 'Edited while it measures';

/** Returns a definition whose run lasts long enough for an edit during the run, and ends before the next minute. */
const textOf = (edit: number, schedule = "schedule: 'every 1m'"): string => `version: 1
name: ${NAME}
hypothesis: edit ${edit}
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 20 } }
    executor: { constant-rate: { rate: 2 } }
measure: { warmup: 1s, duration: 10s }
trials: 1
${schedule}
`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeSecured('A schedule whose experiment is edited while its runs measure', () => {
  let id: string;
  const runsOf = async (): Promise<RunSummary[]> =>
    (await ask<{ runs: RunSummary[] }>('GET', `${API}/runs?experiment=${id}&limit=100`)).body.runs;
  const running = async (): Promise<RunSummary | undefined> =>
    (await runsOf()).find(({ state }) => state === 'running');

  /** Saves the experiment with this text. It always replaces the stored version. */
  async function save(text: string): Promise<void> {
    const { body } = await ask<Experiment>('GET', `${API}/experiments/${id}`);
    const saved = await ask('PUT', `${API}/experiments/${id}`, { text, version: body.version });
    expect(saved).toMatchObject({ status: 200 });
  }

  /**
   * Returns what the schedule has left: names of API keys and tasks in Kibana, documents by which runs reserve targets, and indices of
   * trials.
   */
  async function left(): Promise<Record<string, unknown>> {
    interface Keys {
      api_keys: { name: string; invalidated: boolean }[];
    }
    interface Found {
      hits?: { hits: { _id: string }[] };
    }
    const { body: keys } = await askElasticsearch<Keys>('GET', '/_security/api_key');
    const tasks = await askElasticsearch<Found>('POST', '/.kibana_task_manager/_search', {
      query: { terms: { 'task.taskType': ['dyno:schedule', 'dyno:retired-key'] } },
      size: 100,
    });
    const { body: known } = await askElasticsearch<Found>(
      'POST',
      '/dyno-claims/_search?ignore_unavailable=true',
      {
        size: 100,
      },
    );
    const runs = (await runsOf()).map((run) => run.id);
    const lease = await askElasticsearch('GET', '/dyno-lease');
    const { body: indices } = await askElasticsearch<{ index: string }[]>('GET', '/_cat/indices?format=json');
    return {
      keys: keys.api_keys
        .filter(({ name, invalidated }) => name.includes(NAME) && !invalidated)
        .map(({ name }) => name),
      tasks: (tasks.body.hits?.hits ?? []).filter(({ _id }) => _id.includes(id)).map(({ _id }) => _id),
      leases: (known.hits?.hits ?? []).map(({ _id }) => _id).filter((run) => runs.includes(run)),
      target: lease.status === 404 ? 'free' : lease.body,
      indices: indices.map(({ index }) => index).filter((index) => runs.some((run) => index.includes(run))),
    };
  }

  test(
    'loses no run, and leaves no lease, index, key or task behind',
    async () => {
      // The schedule of an earlier test that failed would measure on the same target, so it is removed.
      for (const { id: earlier, name } of (
        await ask<{ experiments: { id: string; name: string }[] }>('GET', `${API}/experiments`)
      ).body.experiments)
        if (name === NAME) await ask('DELETE', `${API}/experiments/${earlier}?runs=delete`);
      const made = await ask<Experiment>('POST', `${API}/experiments`, { text: textOf(0) });
      expect(made).toMatchObject({ status: 201 });
      ({ id } = made.body);
      const begun = Date.now();
      for (let edit = 1; edit * EDIT_MINUTES <= MINUTES; edit++) {
        await pause(Math.max(0, begun + edit * EDIT_MINUTES * MINUTE_MS - Date.now()));
        await until('a run that measures', running, 2 * MINUTE_MS);
        await save(textOf(edit));
      }
      const ending = Date.now();
      await save(textOf(-1, ''));
      const ended = Date.now();
      await until('the end of the last run', async () => ((await running()) ? undefined : true), MINUTE_MS);

      const runs = await runsOf();
      expect(runs.map(({ state }) => state)).toEqual(runs.map(() => 'completed'));
      const details = await Promise.all(
        runs.map(async (run) => (await ask<RunDetail>('GET', `${API}/runs/${run.id}`)).body.run),
      );
      expect(details.flatMap(({ run }) => run.reason)).toEqual(runs.map(() => ''));
      // On a slow machine, a run may take longer than a minute. Then the next due time is skipped.
      const { body: skipped } = await ask<{ missed: MissedTimes[] }>(
        'GET',
        `${API}/experiments/${id}/missed?limit=1000`,
      );
      expect(skipped.missed.filter(({ reason }) => reason !== 'overlap')).toEqual([]);
      const minutes = [
        ...details.map((run) => run['@timestamp']),
        ...skipped.missed.map(({ last }) => last),
      ].map((at) => at.slice(0, 16));
      minutes.sort();
      const dueUntil = (end: number): string[] => {
        const due: string[] = [];
        for (let at = Math.ceil(begun / MINUTE_MS) * MINUTE_MS; at <= end; at += MINUTE_MS)
          due.push(new Date(at).toISOString().slice(0, 16));
        return due;
      };
      // A run that was due just before the schedule was removed may not have been started.
      expect([dueUntil(ending - STARTED_WITHIN_MS), dueUntil(ended)]).toContainEqual(minutes);
      const nothing = { keys: [], tasks: [], leases: [], target: 'free', indices: [] };
      await until(
        'the removal of everything',
        async () => (JSON.stringify(await left()) === JSON.stringify(nothing) ? true : undefined),
        KEYS_GONE_MS,
      ).catch(() => undefined);
      expect(await left()).toEqual(nothing);
      expect((await ask('DELETE', `${API}/experiments/${id}?runs=delete`)).status).toBe(200);
    },
    MINUTES * MINUTE_MS + KEYS_GONE_MS + 5 * MINUTE_MS,
  );
});
