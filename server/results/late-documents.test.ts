/** Tests documents that waited on disk in one process while other processes changed their run. */
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

const stored = <T>(kind: string): T =>
  [...cluster.documents].find(([key]) => key.startsWith(kind))?.[1].source as T;
const storedState = (): string | undefined => stored<RunDocument | undefined>('dyno-runs')?.run.state;
const trialState = (): string | undefined =>
  stored<ReturnType<typeof trialIn> | undefined>('dyno-trials')?.trial.state;

/**
 * Creates a run whose end could not be stored. Its process has ended, and its folder on disk contains the run, its trial and its sample.
 */
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

/** Reads the files with documents that were not sent. Returns for each file the kinds of its documents, and the reason. */
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

test('spooled documents of the carrier replace the mark of a process that found no carrier', async () => {
  await endedWhileAway();
  const finder = aWriter('other');
  const found = stored<RunDocument>('dyno-runs');
  expect(await finder.markTrial(trialIn('interrupted'))).toBe(true);
  const marked = { by: OTHER, at: new Date().toISOString() };
  expect(await finder.markRun({ ...found, run: { ...found.run, state: 'interrupted', marked } })).toBe(true);
  expect([storedState(), trialState()]).toEqual(['interrupted', 'interrupted']);
  await finder.close();

  const { withheld } = (await startAgain()).stats();
  expect([storedState(), trialState(), withheld]).toEqual(['completed', 'completed', 0]);
  expect(stored('dyno-samples')).toBeDefined();
});

test('a mark is replaced even if an earlier release of Dyno gave it a higher version', async () => {
  await endedWhileAway();
  const found = stored<RunDocument>('dyno-runs');
  const later = Date.now() + 60_000;
  const mark = storedRun({ ...found, run: { ...found.run, state: 'interrupted', reason: 'gone' } }, later);
  cluster.documents.set(`${mark.index}/${mark.id}`, { version: later, source: mark.source as RunDocument });
  const trial = storedTrial(trialIn('interrupted'), later);
  cluster.documents.set(`${trial.index}/${trial.id}`, { version: later, source: trial.source as never });

  await startAgain();
  expect([storedState(), trialState()]).toEqual(['completed', 'completed']);
});

test('a mark does not replace a state that the carrier has stored since the run was read', async () => {
  const writer = aWriter();
  await writer.saveRun(carried('running'));
  const before = cluster.client.request;
  cluster.client.request = async <T>(request: Parameters<typeof before>[0]) => {
    const answer = await before<T>(request);
    if (request.method === 'GET') await writer.saveRun(carried('running'));
    return answer;
  };
  const finder = aWriter('other');
  expect(await finder.markRun(carried('interrupted'))).toBe(false);
  expect(storedState()).toBe('running');
  await Promise.all([writer.close(), finder.close()]);
});

test('a mark that cannot be stored does not wait on disk', async () => {
  cluster.state = 'away';
  const finder = aWriter('other');
  await expect(finder.markRun(carried('interrupted'))).rejects.toMatchObject({
    code: 'elasticsearch.unreachable',
  });
  expect(finder.stats().spooled).toBe(0);
  await finder.close();
});

describe('if another process has continued the run', () => {
  const continued = async (state: RunDocument['run']['state'], trial?: ReturnType<typeof trialIn>) => {
    await endedWhileAway();
    // The clock of that process is behind, so its versions are lower.
    const index = [...cluster.documents.keys()].find((key) => key.startsWith('dyno-runs'))!;
    cluster.documents.set(index, { version: 5, source: carried(state, { carrier: OTHER }) });
    const at = [...cluster.documents.keys()].find((key) => key.startsWith('dyno-trials'))!;
    if (trial) cluster.documents.set(at, { version: 5, source: trial });
    else cluster.documents.delete(at);
    await startAgain();
  };

  test('the run is unchanged, missing trials are added, and other documents are kept in a file and reported', async () => {
    await continued('completed');
    expect(stored<RunDocument>('dyno-runs').run.carrier).toEqual(OTHER);
    expect(trialState()).toBe('completed');
    expect(stored('dyno-samples')).toBeDefined();
    const why = 'run r: process 7 on elsewhere has continued the run in the meantime';
    expect(keptDocuments()).toEqual([{ kinds: ['dyno-runs'], why }]);
    const reported = problems.filter(({ code }) => code === 'results.withheld');
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
  });

  test('a trial that it measured again is kept, without seconds of the earlier attempt', async () => {
    await continued('completed', trialIn('completed', '2026-11-21T10:00:00.000Z'));
    expect(stored<ReturnType<typeof trialIn>>('dyno-trials').times.started).toBe('2026-11-21T10:00:00.000Z');
    expect(stored('dyno-samples')).toBeUndefined();
    expect(keptDocuments().flatMap(({ kinds }) => kinds)).toEqual(
      expect.arrayContaining(['dyno-runs', 'dyno-trials', 'dyno-samples']),
    );
  });

  test('a trial that it may measure again is stored, and also kept in a file', async () => {
    await continued('running');
    expect(trialState()).toBe('completed');
    expect(keptDocuments().flatMap(({ kinds }) => kinds)).toEqual(
      expect.arrayContaining(['dyno-runs', 'dyno-trials']),
    );
  });
});

test('a run that was deleted does not reappear, and its documents are kept in a file and reported', async () => {
  await endedWhileAway();
  cluster.documents.clear();
  const { spooled, withheld } = (await startAgain()).stats();
  expect([cluster.documents.size, spooled, withheld]).toEqual([0, 0, 3]);
  expect(keptDocuments().flatMap(({ kinds }) => kinds)).toHaveLength(3);
  expect(problems.some(({ message }) => message.includes('has been deleted in the meantime'))).toBe(true);
});

test('a run that was never stored is stored from the spool', async () => {
  cluster.state = 'away';
  const writer = aWriter();
  await writer.saveRun(carried('completed'));
  await writer.saveTrial(trialIn('completed'));
  await writer.close();
  cluster.state = 'answers';
  await startAgain();
  expect([storedState(), trialState()]).toEqual(['completed', 'completed']);
});
