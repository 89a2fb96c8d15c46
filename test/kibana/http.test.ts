/** Tests the HTTP API in a real Kibana: routes, errors, a run with its stream, saved objects, secrets. */
import type { CertificationStatus } from '../../common/api/certification';
import type { ErrorBody } from '../../common/api/error';
import type { Experiment } from '../../common/api/experiments';
import type { Status } from '../../common/api/host';
import { ACTIVE_STATES } from '../../common/experiment/run';
import type { RunDetail, RunStreamEvent, RunSummary } from '../../common/api/runs';
import type { Target } from '../../common/api/targets';
import { until } from '../support/until';
import { ask, describeKibana, events } from './support/kibana';

const API = '/api/dyno';

const textOf = (name: string, duration = '3s'): string => `version: 1
name: ${name}
target: local
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
factors: { index.settings.refresh_interval: [1s, 30s] }
measure: { warmup: 1s, duration: ${duration} }
trials: 1
`;

async function created(name: string, duration?: string): Promise<Experiment> {
  const { status, body } = await ask<Experiment>('POST', `${API}/experiments`, {
    text: textOf(name, duration),
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const stateOf = async (run: string): Promise<RunDetail['run']['run']> =>
  (await ask<RunDetail>('GET', `${API}/runs/${run}`)).body.run.run;

describeKibana('Dyno in Kibana, over HTTP', () => {
  test('Kibana reports the plugin as available, and Dyno reports where its results are', async () => {
    const { body } = await ask<{ status: { plugins: Record<string, { level: string }> } }>(
      'GET',
      '/api/status',
    );
    expect(body.status.plugins['dyno']).toMatchObject({ level: 'available' });
    const status = await ask<Status>('GET', `${API}/status`);
    expect(status).toMatchObject({ status: 200, body: { host: 'kibana', results: { problem: '' } } });
  });

  test('errors in a request are reported with their path, and a request without kbn-xsrf changes nothing', async () => {
    const wrong = await ask<ErrorBody>('GET', `${API}/runs?limit=x`);
    expect(wrong).toMatchObject({
      status: 400,
      body: { attributes: { problems: [{ code: 'request.wrong-type', path: 'query.limit' }] } },
    });
    const text = textOf('Wrong').replace('generator: systembase', 'generator: nonsense');
    const refused = await ask<ErrorBody>('POST', `${API}/experiments`, { text });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.attributes.problems[0]?.path).toContain('tasks[0]');
    expect((await ask('GET', `${API}/experiments/none`)).status).toBe(404);
  });

  test('the second of two changes to the same version of an experiment gets the stored version', async () => {
    const experiment = await created('Contested in Kibana');
    const save = (trials: number, version: string) =>
      ask<ErrorBody & Experiment>('PUT', `${API}/experiments/${experiment.id}`, {
        text: textOf('Contested in Kibana').replace('trials: 1', `trials: ${trials}`),
        version,
      });
    const first = await save(2, experiment.version);
    expect(first.status).toBe(200);
    for (const stale of [experiment.version, 'made up', 'WzEsMF0=']) {
      const second = await save(3, stale);
      expect(second).toMatchObject({
        status: 409,
        body: { attributes: { current: { version: first.body.version } } },
      });
    }
    expect((await ask('DELETE', `${API}/experiments/${experiment.id}`)).status).toBe(200);
    expect((await ask('GET', `${API}/experiments/${experiment.id}`)).status).toBe(404);
  });

  test('a run can be followed live, a second one waits for its turn, and both have results', async () => {
    const { id } = await created('Two runs in Kibana');
    // A run that a schedule in another test file started may still be running. It must end first.
    await until('a free queue', async () => {
      const { body } = await ask<{ runs: RunSummary[] }>('GET', `${API}/runs?limit=100`);
      return !body.runs.some(({ state }) => ACTIVE_STATES.includes(state));
    });
    const start = () => ask<{ run: string; state: string }>('POST', `${API}/experiments/${id}/run`);
    const [first, second] = [await start(), await start()];
    expect(first).toMatchObject({ status: 202, body: { state: 'running' } });
    expect(second).toMatchObject({ status: 202, body: { state: 'queued' } });
    const streamed = (await events(
      `${API}/runs/${first.body.run}/stream`,
      (event) => (event as RunStreamEvent).type === 'end',
    )) as RunStreamEvent[];
    expect(streamed[0]).toMatchObject({ type: 'run' });
    expect(streamed.filter(({ type }) => type === 'progress').length).toBeGreaterThan(3);
    expect(streamed.at(-1)).toEqual({ type: 'end', state: 'completed' });
    await until('the second run’s end', async () => {
      const { state, reason } = await stateOf(second.body.run);
      if (state === 'failed') throw new Error(reason);
      return state === 'completed' ? true : undefined;
    });
    for (const run of [first.body.run, second.body.run]) {
      const { body } = await ask<RunDetail>('GET', `${API}/runs/${run}`);
      expect(body.trials.map(({ state }) => state)).toEqual(['completed', 'completed']);
      expect(body.trials.every(({ tasks }) => tasks[0]!.throughput! > 0)).toBe(true);
    }
    const { body: csv, headers } = await ask<string>(
      'GET',
      `${API}/runs/${first.body.run}/export?format=csv`,
    );
    expect(headers.get('content-disposition')).toContain(`dyno-${first.body.run}.csv`);
    expect(csv).toContain('refresh_interval');
    const removed = await ask('DELETE', `${API}/experiments/${id}?runs=delete`);
    expect(removed).toMatchObject({ status: 200, body: { deletedRuns: 2 } });
  });

  test('a cancelled run ends within seconds and can be removed', async () => {
    const { id } = await created('Cancelled in Kibana', '60s');
    const { body } = await ask<{ run: string }>('POST', `${API}/experiments/${id}/run`);
    await until('its load', async () => {
      const { body: detail } = await ask<RunDetail>('GET', `${API}/runs/${body.run}`);
      return detail.progress?.phase === 'measure' ? true : undefined;
    });
    expect((await ask('DELETE', `${API}/runs/${body.run}`)).status).toBe(409);
    expect((await ask('POST', `${API}/runs/${body.run}/cancel`)).status).toBe(202);
    await until(
      'its end',
      async () => ((await stateOf(body.run)).state === 'cancelled' ? true : undefined),
      10_000,
    );
    await until(
      'its removal',
      async () => ((await ask('DELETE', `${API}/runs/${body.run}`)).status === 200 ? true : undefined),
      10_000,
    );
    await ask('DELETE', `${API}/experiments/${id}`);
  });

  test('a run waits for its next environment without a process, and can be continued or cancelled', async () => {
    const text = textOf('Environments in Kibana').replace(
      'index.settings.refresh_interval: [1s, 30s]',
      'environment.disk: [standard, premium]',
    );
    const { body: experiment } = await ask<Experiment>('POST', `${API}/experiments`, { text });
    const waits = async (): Promise<string> => {
      const { body } = await ask<{ run: string }>('POST', `${API}/experiments/${experiment.id}/run`);
      return until('the end of its first environment', async () => {
        const { state, reason } = await stateOf(body.run);
        if (state === 'failed') throw new Error(reason);
        return state === 'waiting' ? body.run : undefined;
      });
    };
    const [run, given] = [await waits(), await waits()];
    const { body: summaries } = await ask<{ runs: RunSummary[] }>('GET', `${API}/runs?state=waiting`);
    expect(summaries.runs.find(({ id }) => id === run)).toMatchObject({
      completed: 1,
      waitsFor: 'disk: premium',
    });
    expect((await ask('POST', `${API}/runs/${run}/resume?target=none`)).status).toBe(404);
    expect(await ask('POST', `${API}/runs/${run}/resume?target=local`)).toMatchObject({ status: 202 });
    await until('its end', async () => ((await stateOf(run)).state === 'completed' ? true : undefined));
    const { body: whole } = await ask<RunDetail>('GET', `${API}/runs/${run}`);
    expect(whole.trials.map(({ state }) => state)).toEqual(['completed', 'completed']);
    expect(await ask('POST', `${API}/runs/${given}/cancel`)).toMatchObject({ status: 202 });
    expect((await stateOf(given)).state).toBe('cancelled');
    const removed = await ask('DELETE', `${API}/experiments/${experiment.id}?runs=delete`);
    expect(removed).toMatchObject({ status: 200, body: { deletedRuns: 2 } });
  });

  test('the load generator on Kibana’s machine can be certified with the plugin alone, and that can be cancelled', async () => {
    const begun = await ask<CertificationStatus>('POST', `${API}/certification`);
    expect(begun).toMatchObject({ status: 202 });
    await until('a running certification', async () => {
      const { body } = await ask<CertificationStatus>('GET', `${API}/certification`);
      expect(body.problem).toBe('');
      return body.progress?.now;
    });
    expect(await ask<ErrorBody>('POST', `${API}/certification`)).toMatchObject({ status: 409 });
    const cancelled = await ask<CertificationStatus>('POST', `${API}/certification/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { progress: null, problem: '' } });
  });

  test('a target’s secret is never returned', async () => {
    const secret = 'geheimes-Kennwort-9';
    const target = {
      title: 'Elsewhere',
      hosts: ['http://127.0.0.1:9'],
      credentials: { kind: 'basic', username: 'elastic', password: secret },
      ca: null,
      verifyCertificates: true,
    };
    await ask('DELETE', `${API}/targets/elsewhere`);
    const { status, body } = await ask<Target>('POST', `${API}/targets`, { id: 'elsewhere', ...target });
    expect(status).toBe(201);
    expect(body.credentials).toEqual({ kind: 'basic', username: 'elastic' });
    const facts = await ask('GET', `${API}/targets/elsewhere/facts`);
    expect(facts).toMatchObject({ status: 200, body: { reachable: false } });
    const moved = { ...target, hosts: ['http://127.0.0.1:19'], credentials: { kind: 'keep' } };
    const stolen = await ask<ErrorBody>('PUT', `${API}/targets/elsewhere`, {
      ...moved,
      version: body.version,
    });
    expect(stolen).toMatchObject({
      status: 400,
      body: { attributes: { problems: [{ code: 'target.credentials' }] } },
    });
    const all = await ask('GET', `${API}/targets`);
    expect(JSON.stringify([body, facts, stolen, all])).not.toContain(secret);
    expect((await ask('DELETE', `${API}/targets/elsewhere`)).status).toBe(200);
  });
});
