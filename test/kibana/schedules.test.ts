/** Tests schedules with the Task Manager of a real Kibana. */
import type { ErrorBody } from '../../common/api/error';
import type { Experiment, ExperimentSummary } from '../../common/api/experiments';
import type { RunDetail, RunSummary } from '../../common/api/runs';
import { until } from '../support/until';
import { ask, describeKibana } from './support/kibana';

const API = '/api/dyno';

const textOf = (schedule: string): string => `version: 1
name: By its schedule in Kibana
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
measure: { warmup: 1s, duration: 3s }
trials: 1
schedule: ${JSON.stringify(schedule)}
`;

/** Maximum time in ms until a schedule has been due twice, including delays of Kibana's Task Manager. */
const TWICE_MS = 180_000;

describeKibana('schedules in Kibana', () => {
  test('an invalid schedule is refused with its path', async () => {
    const refused = await ask<ErrorBody>('POST', `${API}/experiments`, { text: textOf('daily') });
    expect(refused).toMatchObject({
      status: 400,
      body: { attributes: { problems: [{ code: 'definition.schedule', path: 'schedule' }] } },
    });
  });

  test(
    'one run is started for each due time, and none after the experiment is deleted',
    async () => {
      const { status, body } = await ask<Experiment>('POST', `${API}/experiments`, {
        text: textOf('every 1m'),
      });
      expect({ status, body }).toMatchObject({ status: 201 });
      const { id } = body;
      const listed = await ask<{ experiments: ExperimentSummary[] }>('GET', `${API}/experiments`);
      const { nextRun } = listed.body.experiments.find((experiment) => experiment.id === id)!;
      const runsOf = async (): Promise<RunSummary[]> =>
        (await ask<{ runs: RunSummary[] }>('GET', `${API}/runs?experiment=${id}`)).body.runs;
      const runs = await until(
        'two runs',
        async () => {
          const found = await runsOf();
          return found.length >= 2 && found.every(({ ended }) => ended !== null) ? found : undefined;
        },
        TWICE_MS,
      );
      const details = await Promise.all(
        runs.map(async (run) => (await ask<RunDetail>('GET', `${API}/runs/${run.id}`)).body),
      );
      for (const { run } of details) {
        expect(run.run).toMatchObject({ state: 'completed' });
        expect(run.events[0]!.message).toBe('asked for by its schedule');
      }
      const minutes = details.map(({ run }) => run['@timestamp'].slice(0, 16)).sort();
      expect(new Set(minutes).size).toBe(minutes.length);
      expect(minutes[0]).toBe(nextRun!.slice(0, 16));
      expect((await ask('DELETE', `${API}/experiments/${id}?runs=delete`)).status).toBe(200);
      const tasks = await ask<{ schedules?: unknown }>('GET', `${API}/experiments/${id}`);
      expect(tasks.status).toBe(404);
    },
    TWICE_MS + 60_000,
  );
});
