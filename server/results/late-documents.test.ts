/** What waited in one process's spool, and what other processes did to its run meanwhile. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import type { Problem } from '../../common/problem';
import { readResultsFile } from './results-file';
import { storedRun, storedTrial } from './stored';
import { fakeCluster, type FakeCluster } from './testing/fake-cluster';
import { aRun, aSample, aTrial } from './testing/made-documents';
import { createResultsWriter, type ResultsWriter } from './writer';
import { thisProcess } from '../process-life';

const OTHER = { host: 'elsewhere', pid: 7, instance: '7-7' };
const TRIAL = 'r-t01';

let folder: string;
let cluster: FakeCluster;
let problems: Problem[];

const aWriter = (name = 'spool'): ResultsWriter =>
  createResultsWriter({
    client: cluster.client,
    spoolDir: path.join(folder, name),
    onProblem: (problem) => problems.push(problem),
    templates: 'assumed',
  });

const carried = (state: RunDocument['run']['state'], more: Partial<RunDocument['run']> = {}): RunDocument => {
  const run = aRun('r', { state });
  return {
    ...run,
    run: { ...run.run, carrier: thisProcess(), heartbeat: new Date().toISOString(), ...more },
  };
};

const trialIn = (state: 'running' | 'completed' | 'interrupted', started?: string) => {
  const trial = aTrial('r', TRIAL);
  started ??= new Date(Date.parse(aSample('r', TRIAL, 0)['@timestamp']) - 1000).toISOString();
  return { ...trial, trial: { ...trial.trial, state }, times: { ...trial.times, started } };
};

const standing = <T>(kind: string): T =>
  [...cluster.documents].find(([key]) => key.startsWith(kind))?.[1].source as T;
const storedState = (): string | undefined => standing<RunDocument | undefined>('dyno-runs')?.run.state;
const trialState = (): string | undefined =>
  standing<ReturnType<typeof trialIn> | undefined>('dyno-trials')?.trial.state;

/** A run whose end could not be stored: its process has ended, and its spool holds run, trial and sample. */
async function endedWhileAway(): Promise<void> {
  const writer = aWriter();
  await writer.saveRun(carried('running'));
  await writer.saveTrial(trialIn('running'));
  cluster.state = 'away';
  await writer.saveTrial(trialIn('completed'));
  writer.addSample(aSample('r', TRIAL, 0));
  await writer.saveRun(carried('completed'));
  await writer.close();
  cluster.state = 'answers';
}

async function startAgain(): Promise<ResultsWriter> {
  const writer = aWriter();
  expect(await writer.drainLeftovers()).toBeGreaterThan(0);
  expect(await writer.flush(5000)).toBe(true);
  await writer.close();
  return writer;
}

/** What of the run is in files, as it was told. */
function keptDocuments(): { kinds: string[]; why: string }[] {
  const kept = path.join(folder, 'spool', 'kept');
  return readdirSync(kept).map((name) => {
    const { documents, why } = readResultsFile(readFileSync(path.join(kept, name), 'utf8'));
    return { kinds: documents.map(({ index }) => index.replace(/-[\d.]+$/, '')), why };
  });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-late-'));
  cluster = fakeCluster();
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what the carrier spooled goes before the mark of another process that found no carrier', async () => {
  await endedWhileAway();
  const finder = aWriter('other');
  const found = standing<RunDocument>('dyno-runs');
  expect(await finder.markTrial(trialIn('interrupted'))).toBe(true);
  const marked = { by: OTHER, at: new Date().toISOString() };
  expect(await finder.markRun({ ...found, run: { ...found.run, state: 'interrupted', marked } })).toBe(true);
  expect([storedState(), trialState()]).toEqual(['interrupted', 'interrupted']);
  await finder.close();

  const { withheld } = (await startAgain()).stats();
  expect([storedState(), trialState(), withheld]).toEqual(['completed', 'completed', 0]);
  expect(standing('dyno-samples')).toBeDefined();
});

test('a mark that an earlier version made with a newer version gives way all the same', async () => {
  await endedWhileAway();
  const found = standing<RunDocument>('dyno-runs');
  const later = Date.now() + 60_000;
  const mark = storedRun({ ...found, run: { ...found.run, state: 'interrupted', reason: 'gone' } }, later);
  cluster.documents.set(`${mark.index}/${mark.id}`, { version: later, source: mark.source as RunDocument });
  const trial = storedTrial(trialIn('interrupted'), later);
  cluster.documents.set(`${trial.index}/${trial.id}`, { version: later, source: trial.source as never });

  await startAgain();
  expect([storedState(), trialState()]).toEqual(['completed', 'completed']);
});

test('a mark gives way to what its carrier has stored since the run was read', async () => {
  const writer = aWriter();
  await writer.saveRun(carried('running'));
  const before = cluster.client.request;
  cluster.client.request = async <T>(request: Parameters<typeof before>[0]) => {
    const said = await before<T>(request);
    if (request.method === 'GET') await writer.saveRun(carried('running'));
    return said;
  };
  const finder = aWriter('other');
  expect(await finder.markRun(carried('interrupted'))).toBe(false);
  expect(storedState()).toBe('running');
  await Promise.all([writer.close(), finder.close()]);
});

test('a mark that cannot be stored does not wait on the disk', async () => {
  cluster.state = 'away';
  const finder = aWriter('other');
  await expect(finder.markRun(carried('interrupted'))).rejects.toMatchObject({
    code: 'elasticsearch.unreachable',
  });
  expect(finder.stats().spooled).toBe(0);
  await finder.close();
});

describe('where another process has gone on with the run', () => {
  const goneOn = async (state: RunDocument['run']['state'], trial?: ReturnType<typeof trialIn>) => {
    await endedWhileAway();
    // Its clock is behind: its versions are lower.
    const index = [...cluster.documents.keys()].find((key) => key.startsWith('dyno-runs'))!;
    cluster.documents.set(index, { version: 5, source: carried(state, { carrier: OTHER }) });
    const at = [...cluster.documents.keys()].find((key) => key.startsWith('dyno-trials'))!;
    if (trial) cluster.documents.set(at, { version: 5, source: trial });
    else cluster.documents.delete(at);
    await startAgain();
  };

  test('its run stays as it is, trials that it lacks are added, and what is not stored is kept and told', async () => {
    await goneOn('completed');
    expect(standing<RunDocument>('dyno-runs').run.carrier).toEqual(OTHER);
    expect(trialState()).toBe('completed');
    expect(standing('dyno-samples')).toBeDefined();
    const why = 'run r: process 7 on elsewhere has gone on with the run meanwhile';
    expect(keptDocuments()).toEqual([{ kinds: ['dyno-runs'], why }]);
    const told = problems.filter(({ code }) => code === 'results.withheld');
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
  });

  test('a trial that it measured again stays, and the seconds of the other attempt are not put between', async () => {
    await goneOn('completed', trialIn('completed', '2026-11-21T10:00:00.000Z'));
    expect(standing<ReturnType<typeof trialIn>>('dyno-trials').times.started).toBe(
      '2026-11-21T10:00:00.000Z',
    );
    expect(standing('dyno-samples')).toBeUndefined();
    expect(keptDocuments().flatMap(({ kinds }) => kinds)).toEqual(
      expect.arrayContaining(['dyno-runs', 'dyno-trials', 'dyno-samples']),
    );
  });

  test('a trial that it may measure again while it goes on is stored and kept', async () => {
    await goneOn('running');
    expect(trialState()).toBe('completed');
    expect(keptDocuments().flatMap(({ kinds }) => kinds)).toEqual(
      expect.arrayContaining(['dyno-runs', 'dyno-trials']),
    );
  });
});

test('a run that was deleted meanwhile does not come back, and what was to be stored is kept and told', async () => {
  await endedWhileAway();
  cluster.documents.clear();
  const { spooled, withheld } = (await startAgain()).stats();
  expect([cluster.documents.size, spooled, withheld]).toEqual([0, 0, 3]);
  expect(keptDocuments().flatMap(({ kinds }) => kinds)).toHaveLength(3);
  expect(problems.some(({ message }) => message.includes('was deleted meanwhile'))).toBe(true);
});

test('a run that the results never had is stored from the spool', async () => {
  cluster.state = 'away';
  const writer = aWriter();
  await writer.saveRun(carried('completed'));
  await writer.saveTrial(trialIn('completed'));
  await writer.close();
  cluster.state = 'answers';
  await startAgain();
  expect([storedState(), trialState()]).toEqual(['completed', 'completed']);
});
