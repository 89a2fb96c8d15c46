/** Tests what users with different privileges may do while security is enabled. */
import type { ErrorBody } from '../../common/api/error';
import type { Experiment } from '../../common/api/experiments';
import type { RunDetail } from '../../common/api/runs';
import { MORE_NEEDS, NEEDS } from '../../common/privileges';
import { until } from '../support/until';
import { ask, describeSecured, makeUser, type Credentials } from './support/kibana';

const API = '/api/dyno';

const text = `version: 1
name: Privileges in Kibana
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 200 } }
    executor: { constant-clients: { clients: 1 } }
measure: { warmup: 1s, duration: 3s }
trials: 1
`;

const searching = (preload: string, more = ''): string => `version: 1
name: Preloaded in Kibana
index: { settings: { number_of_replicas: 0 } }
preload: { documents: 1000, source: { generator: systembase }, ${preload} }
tasks:
  - name: search
    search: { requests: [{ name: all, body: { query: { match_all: {} } } }] }
    executor: { constant-rate: { rate: 20 } }
measure: { warmup: 0s, duration: 2s }
trials: 2
${more}`;

/** Creates an experiment, runs it, and removes the experiment with its runs, all as the same user. Returns the run. */
async function runOf(text: string, as: Credentials): Promise<RunDetail['run']['run']> {
  const made = await ask<Experiment>('POST', `${API}/experiments`, { text }, as);
  expect(made.status).toBe(201);
  const path = `${API}/experiments/${made.body.id}`;
  const { body: begun } = await ask<{ run: string }>('POST', `${path}/run`, undefined, as);
  const ended = await until('the run’s end', async () => {
    const { body } = await ask<RunDetail>('GET', `${API}/runs/${begun.run}`, undefined, as);
    return body.run.run.ended === null ? undefined : body.run.run;
  });
  expect((await ask('DELETE', `${path}?runs=delete`, undefined, as)).status).toBe(200);
  return ended;
}

describeSecured('Users of Dyno in Kibana', () => {
  let [runner, reader]: Credentials[] = [];

  beforeAll(async () => {
    runner = await makeUser('dyno-test-runner', NEEDS.run);
    reader = await makeUser('dyno-test-reader', NEEDS.look);
  });

  test('requests without credentials are refused', async () => {
    const nobody = { username: 'dyno-test-nobody', password: 'x' };
    expect((await ask('GET', `${API}/runs`, undefined, nobody)).status).toBe(401);
  });

  test('users who may read can see the runs of others, but change nothing', async () => {
    const { status, body: experiment } = await ask<Experiment>(
      'POST',
      `${API}/experiments`,
      { text },
      runner,
    );
    expect(status).toBe(201);
    const path = `${API}/experiments/${experiment.id}`;
    const { body: begun } = await ask<{ run: string }>('POST', `${path}/run`, undefined, runner);
    const ended = await until('the run’s end', async () => {
      const { body } = await ask<RunDetail>('GET', `${API}/runs/${begun.run}`, undefined, reader);
      return body.run.run.ended === null ? undefined : body.run.run;
    });
    expect(ended).toMatchObject({ state: 'completed', reason: '' });
    for (const [method, where, body] of [
      ['POST', `${API}/experiments`, { text }],
      ['PUT', path, { text, version: experiment.version }],
      ['POST', `${path}/run`, undefined],
      ['DELETE', path, undefined],
      ['DELETE', `${API}/runs/${begun.run}`, undefined],
      ['GET', path, undefined],
    ] as const) {
      expect((await ask(method, where, body, reader)).status).toBe(method === 'GET' ? 200 : 403);
    }
    expect((await ask('DELETE', `${path}?runs=delete`, undefined, runner)).status).toBe(200);
  });

  test('users with the feature but without privileges on the results are refused, with the missing privileges', async () => {
    const user = await makeUser('dyno-test-feature-only', {
      elasticsearch: { cluster: [], indices: [] },
      feature: 'all',
    });
    const listed = await ask<ErrorBody>('GET', `${API}/runs`, undefined, user);
    expect(listed.status).toBe(403);
    expect(listed.body.attributes.problems).toMatchObject([{ code: 'results.forbidden' }]);
    expect(listed.body.message).toContain('the user dyno-test-feature-only lacks cluster: monitor');
    expect(listed.body.message).toContain('index dyno-*: read');
    expect(listed.body.message).toContain(`which the role ${NEEDS.look.role} grants`);
    const made = await ask<Experiment>('POST', `${API}/experiments`, { text }, user);
    expect(made.status).toBe(201);
    const path = `${API}/experiments/${made.body.id}`;
    const begun = await ask<ErrorBody>('POST', `${path}/run`, undefined, user);
    expect(begun.status).toBe(403);
    // Users who may not read runs cannot know which runs would be deleted too.
    expect((await ask('DELETE', path, undefined, user)).status).toBe(403);
    expect((await ask('DELETE', path)).status).toBe(200);
  });

  test.each([
    ['copied, and reindexed for another kind of index', 'reuse: copy', true],
    ['shared, and their caches cleared', 'reuse: same, force-merge: 1', false],
  ])('users who may run can have indices %s', async (_, preload, kinds) => {
    const factors = kinds ? 'factors: { index.settings.number_of_shards: [1, 2] }\n' : '';
    expect(await runOf(searching(preload, factors), runner!)).toMatchObject({
      state: 'completed',
      reason: '',
    });
  });

  test('privileges that an experiment needs beyond the role are reported before its run begins', async () => {
    const parsed = text.replace(
      'generator: systembase }',
      "generator: apache-access-lines }, parse: { by: pipeline, pattern: '%{COMBINEDAPACHELOG}' }",
    );
    const { state, reason } = await runOf(parsed, runner!);
    expect({ state, reason }).toEqual({
      state: 'failed',
      reason: expect.stringContaining(`lacks privileges: cluster: ${MORE_NEEDS.pipelines}`) as string,
    });
  });
});
