/** Tests notes and baselines on a real Elasticsearch: the store, the HTTP API and the command agree about them. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { aRun } from '../../server/results/testing/made-documents';
import type { ErrorBody } from '../../common/api/error';
import type { RunDocument } from '../../common/experiment/run';
import type { HistoryNote, ResolvedBaseline } from '../../common/history/annotations';
import type { History } from '../../common/history/history';
import { madeHistoryRuns } from '../../common/history/testing/made-history';
import { ANNOTATIONS, createAnnotationStore } from '../../server/host/stores/annotation-store';
import { createHistories } from '../../server/results/histories';
import { createResultsReader } from '../../server/results/reader';
import { packHistoryRun } from '../../server/results/stored-history-run';
import { SCHEDULES } from '../../server/results/schedule-log';
import { RUNS } from '../../server/results/stored';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { Conflict } from '../../server/routes/services';
import { removeRun } from '../../server/results/removal';
import { Connection } from '../../server/target-cluster/connection';
import { hostileServer } from '../fuzz/server';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-annotations-'));
let client: Connection;
let writer: ResultsWriter;
let app: FastifyInstance;
let base: string;

const EXPERIMENT = 'searches';
const HISTORY_RUNS = 30;
/** Number of the first run with a change: the p95 of one combination of factor levels is 20% slower, and Elasticsearch is newer. */
const SLOW_FROM = 20;

const runs = madeHistoryRuns({
  runs: HISTORY_RUNS,
  factor: (run, cell) => (run >= SLOW_FROM && cell === 1 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= SLOW_FROM ? '9.5.3' : '9.5.2' }),
});

beforeAll(async () => {
  client = new Connection({ hosts: [url()] });
  writer = createResultsWriter({ client, spoolDir: path.join(folder, 'spool'), onProblem: () => undefined });
  for (const entry of runs) {
    const made = aRun(entry.run, { state: 'completed', started: entry.at });
    const run: RunDocument = {
      ...made,
      experiment: { ...made.experiment, id: EXPERIMENT, name: 'Searches' },
      night: packHistoryRun(entry),
    };
    await writer.saveRun(run);
  }
  expect(await writer.flush(20_000)).toBe(true);
  app = await hostileServer(folder, () => undefined, {
    histories: createHistories(client),
    annotations: createAnnotationStore(client),
    results: createResultsReader(client),
    runs: {
      delete: async (id: string) => ({ deleted: await removeRun(client, id) }),
      runOf: () => null,
    } as never,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/dyno`;
});

afterAll(async () => {
  await app.close();
  await writer.close();
  await client.close();
  place.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  where: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  const answer = await fetch(base + where, {
    method,
    headers: {
      'x-dyno-request': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}

/** Returns the expected body of an error answer with one problem. */
const problem = (code: string): object => ({ attributes: { problems: [{ code }] } });

const dyno = (...args: string[]): ReturnType<typeof place.dyno> => place.dyno(...args, '--results', url());

const history = async (query = ''): Promise<History> =>
  (await call<History>('GET', `/experiments/${EXPERIMENT}/history${query}`)).body;

describe('notes', () => {
  const notes = `/experiments/${EXPERIMENT}/notes`;

  test('are added, returned with the history, changed with the right version, and removed', async () => {
    const added = await call<HistoryNote>('POST', notes, {
      text: 'the new disk',
      about: { run: 'run-3' },
      author: 'anna',
    });
    expect(added).toMatchObject({ status: 201, body: { run: 'run-3', at: runs[3]!.at, author: 'anna' } });
    const { id, version } = added.body;
    expect((await history()).notes).toEqual([added.body]);
    const changed = await call<HistoryNote>('PUT', `${notes}/${id}`, {
      text: 'the old disk again',
      about: { at: '2026-11-05T12:00:00Z' },
      version,
    });
    expect(changed.body).toMatchObject({ run: null, at: '2026-11-05T12:00:00.000Z', author: 'anna' });
    const late = await call<ErrorBody>('PUT', `${notes}/${id}`, {
      text: 'too late',
      version,
    });
    expect(late).toMatchObject({
      status: 409,
      body: { attributes: { problems: [{ code: 'note.conflict' }], current: changed.body } },
    });
    expect((await history('?from=2026-11-10T00:00:00Z')).notes).toEqual([]);
    expect((await call('DELETE', `${notes}/${id}`)).status).toBe(200);
    expect(await call('DELETE', `${notes}/${id}`)).toMatchObject({ status: 404 });
    expect((await history()).notes).toEqual([]);
  });

  test('must refer to a run of the experiment, and belong to one experiment in one space', async () => {
    const about = { run: 'run-of-another' };
    expect(await call('POST', notes, { text: 'x', about })).toMatchObject({
      status: 400,
      body: problem('note.run'),
    });
    const own = createAnnotationStore(client);
    const space = createAnnotationStore(client, { space: 'team', user: () => Promise.resolve('berta') });
    const note = { run: null, at: '2026-11-05T12:00:00.000Z', text: 'theirs', author: 'anna' };
    const theirs = await space.addNote(EXPERIMENT, note);
    expect(theirs.author).toBe('berta');
    expect((await own.of(EXPERIMENT)).notes).toEqual([]);
    expect((await space.of('another')).notes).toEqual([]);
    await expect(own.deleteNote(EXPERIMENT, theirs.id)).rejects.toMatchObject({ code: 'note.not-found' });
    await expect(
      space.saveNote(EXPERIMENT, theirs.id, { about: undefined, text: 'x' }, '9-1'),
    ).rejects.toBeInstanceOf(Conflict);
    expect(await space.removeAll(EXPERIMENT)).toBe(1);
  });

  test('are refused above the maximum number for an experiment', async () => {
    const few = createAnnotationStore(client, { space: 'few', most: 1 });
    const note = { run: null, at: '2026-11-05T12:00:00.000Z', text: 'the first', author: 'anna' };
    await few.addNote(EXPERIMENT, note);
    await expect(few.addNote(EXPERIMENT, note)).rejects.toMatchObject({
      code: 'note.too-many',
      problems: [{ message: expect.stringContaining('delete one first') }],
    });
    expect(await few.removeAll(EXPERIMENT)).toBe(1);
  });

  test('can be written and shown with the command', async () => {
    expect(await dyno('history', EXPERIMENT, '--note', 'a release', '--at', '2026-11-21')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('noted in the history of Searches, 2026-11-21'),
    });
    expect(await dyno('history', EXPERIMENT, '--note', 'the newest')).toMatchObject({ code: 0 });
    const { stdout } = await dyno('history', EXPERIMENT);
    expect(stdout).toMatch(/Notes, the newest first:\n {2}- 2026-11-30 \(run run-29\)/);
    expect(stdout).toMatch(/- 2026-11-21(, \S+)?: a release/);
    const json = JSON.parse((await dyno('history', EXPERIMENT, '--json')).stdout) as History;
    expect(json.notes.map(({ text }) => text)).toEqual(['a release', 'the newest']);
    expect((await dyno('history', EXPERIMENT, '--csv')).stdout).toContain(',the newest\n');
    const wrong = await dyno('history', EXPERIMENT, '--note', 'x', '--at', 'yesterday');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is neither a run of the experiment nor a time'),
    });
  });
});

describe('the baseline', () => {
  const where = `/experiments/${EXPERIMENT}/baseline`;

  test('can be a version, with which the newest level of each series is compared', async () => {
    expect(await dyno('watch', EXPERIMENT, '--against-baseline')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no baseline'),
    });
    expect(await dyno('baseline', EXPERIMENT, '--version', '9.5.2')).toMatchObject({
      code: 0,
      stdout: 'Searches: baseline Elasticsearch 9.5.2, 20 runs\n',
    });
    const { series, baseline } = await history('?metric=search.latency.p95');
    expect(baseline).toMatchObject({ label: 'Elasticsearch 9.5.2', run: 'run-19' });
    expect(series.map(({ against }) => against!.answer)).toEqual(['same', 'worse']);
    const shown = await dyno('history', EXPERIMENT);
    expect(shown.stdout).toContain('Baseline: Elasticsearch 9.5.2, 20 runs');
    // The change itself is accepted, so only the baseline fails.
    const watched = await dyno('watch', EXPERIMENT, '--since', '2027-01-01', '--against-baseline');
    expect(watched.code).toBe(1);
    expect(watched.stdout).toContain(
      'worse than the baseline (Elasticsearch 9.5.2) by more than the margin in 2',
    );
    expect((await dyno('watch', EXPERIMENT, '--since', '2027-01-01')).code).toBe(0);
    const unknown = await dyno('baseline', EXPERIMENT, '--version', '8.0.0');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Elasticsearch 9.5.3') });
    const late = await dyno('baseline', EXPERIMENT, '--version', '9.5.2', '--since', '2027-01-01');
    expect(late).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^--since: no run since then has Elasticsearch 9\.5\.2 \(found 2027-01-01/m,
      ),
    });
    const missing = await dyno('baseline', EXPERIMENT, 'nothing');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/^run: .* \(found nothing\)/m) });
  });

  test('can be a run, which comparisons show first', async () => {
    const set = await call<ResolvedBaseline>('PUT', where, { of: { run: 'run-5' } });
    expect(set.body).toMatchObject({ label: 'run run-5', nights: [5], run: 'run-5' });
    expect(await call('PUT', where, { of: { run: 'nothing' } })).toMatchObject({
      status: 400,
      body: problem('baseline.none'),
    });
    const read = await call<{ baseline: ResolvedBaseline; traits: object[] }>('GET', where);
    expect(read.body.baseline).toEqual(set.body);
    expect(read.body.traits).toContainEqual({ trait: 'Elasticsearch', value: '9.5.3' });
    const compared = await dyno('compare', 'run-25', '--baseline');
    expect(compared.code).toBe(0);
    expect(compared.stdout.indexOf('run-5')).toBeLessThan(compared.stdout.indexOf('run-25'));
    expect((await dyno('watch', EXPERIMENT, '--since', '2027-01-01', '--against-baseline')).code).toBe(1);
  });

  test('is deleted with its run only on request', async () => {
    const kept = await call('DELETE', '/runs/run-5');
    expect(kept).toMatchObject({ status: 409, body: problem('run.baseline') });
    expect((await call('DELETE', '/runs/run-5?baseline=remove')).status).toBe(200);
    expect((await history()).baseline).toBeNull();
    expect((await history()).nights).toHaveLength(HISTORY_RUNS - 1);
  });

  test('can be removed', async () => {
    await call('PUT', where, { of: { trait: 'Elasticsearch', value: '9.5.3' } });
    expect((await dyno('baseline', EXPERIMENT, '--remove')).stdout).toBe(
      'Searches: the baseline was removed\n',
    );
    expect((await dyno('baseline', EXPERIMENT)).stdout).toBe('Searches: no baseline\n');
  });
});

test('a history is analysed once and then returned from memory until its runs change', async () => {
  const searched: string[] = [];
  const counted = {
    request: (...given: Parameters<typeof client.request>) => {
      if (given[0].path.endsWith('_search')) searched.push(given[0].path);
      return client.request(...given);
    },
  } as Pick<Connection, 'request'>;
  const own = createHistories(counted);
  const experiment = { id: EXPERIMENT, name: 'Searches' };
  const whole = await own.history(experiment);
  expect(searched.length).toBeGreaterThan(2);
  searched.length = 0;
  const part = await own.history(experiment, { metrics: ['search.latency.p95'] });
  // One search finds changed runs, and one finds the gaps between them, which are always read again.
  expect(searched.sort()).toEqual([`/${RUNS}-*/_search`, `/${SCHEDULES}/_search`].sort());
  expect(part.series).toEqual(whole.series.filter(({ metric }) => metric === 'search.latency.p95'));
  await removeRun(client, 'run-0');
  expect((await own.history(experiment)).nights).toHaveLength(whole.nights.length - 1);
});

test('the mapping of its index is strict', async () => {
  const { body } = await ask<Record<string, { mappings: { dynamic: string } }>>(
    'GET',
    `${url()}/${ANNOTATIONS}/_mapping`,
  );
  expect(body[ANNOTATIONS]!.mappings.dynamic).toBe('strict');
});
