/** Tests that Kibana's spaces separate experiments and their runs. */
import type { Experiment, ExperimentSummary } from '../../common/api/experiments';
import type { RunDetail, RunSummary } from '../../common/api/runs';
import { until } from '../support/until';
import { ask, describeKibana } from './support/kibana';

const SPACE = 'dyno-test-space';
const HERE = '/api/dyno';
const THERE = `/s/${SPACE}/api/dyno`;

const TEXT = `version: 1
name: In one space
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
measure: { warmup: 1s, duration: 2s }
trials: 1
`;

describeKibana('spaces of Kibana', () => {
  beforeAll(async () => {
    const made = await ask('POST', '/api/spaces/space', { id: SPACE, name: 'Dyno tests' });
    expect([200, 409]).toContain(made.status);
  });
  afterAll(() => ask('DELETE', `/api/spaces/space/${SPACE}`));

  test('an experiment and its run are visible only in their own space', async () => {
    const made = await ask<Experiment>('POST', `${THERE}/experiments`, { text: TEXT });
    expect(made).toMatchObject({ status: 201 });
    const { id } = made.body;
    expect((await ask('GET', `${HERE}/experiments/${id}`)).status).toBe(404);
    const { body: here } = await ask<{ experiments: ExperimentSummary[] }>('GET', `${HERE}/experiments`);
    expect(here.experiments.map((experiment) => experiment.id)).not.toContain(id);

    const started = await ask<{ run: string }>('POST', `${THERE}/experiments/${id}/run`);
    expect(started).toMatchObject({ status: 202 });
    const { run } = started.body;
    await until('its end', async () => {
      const { body } = await ask<RunDetail>('GET', `${THERE}/runs/${run}`);
      return body.run.run.ended === null ? undefined : true;
    });
    const { body: detail } = await ask<RunDetail>('GET', `${THERE}/runs/${run}`);
    expect(detail.run).toMatchObject({ run: { state: 'completed' }, experiment: { id, space: SPACE } });
    for (const path of ['', '/report', '/timeline']) {
      expect((await ask('GET', `${HERE}/runs/${run}${path}`)).status).toBe(404);
    }
    for (const [method, path] of [
      ['POST', '/cancel'],
      ['POST', '/resume'],
      ['DELETE', ''],
    ] as const) {
      expect((await ask(method, `${HERE}/runs/${run}${path}`)).status).toBe(404);
    }
    const runs = async (api: string): Promise<string[]> =>
      (await ask<{ runs: RunSummary[] }>('GET', `${api}/runs`)).body.runs.map((found) => found.id);
    expect(await runs(THERE)).toEqual([run]);
    expect(await runs(HERE)).not.toContain(run);
    expect((await ask('DELETE', `${THERE}/experiments/${id}?runs=delete`)).status).toBe(200);
    expect(await runs(THERE)).toEqual([]);
  });
});
