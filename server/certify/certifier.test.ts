import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { statusOf } from '../../common/api/error';
import { certificationStatusSchema } from '../../common/api/certification';
import { inputError, runError } from '../../common/problem';
import { until } from '../../test/support/until';
import { Certifier, type CertifierOptions } from './certifier';
import type { certify } from './certify';
import { quotedCertification } from './kept';
import type { Measurement } from './measure';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-certifier-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const certification = {
  answer: 'certified' as const,
  why: 'all values are right',
  at: '2026-11-22T21:50:10.000Z',
  dyno: '0.1.0',
  machine: {
    host: os.hostname(),
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    node: process.version,
    os: 'Linux',
  },
};
const measurement = {
  behaviour: 'constant',
  perSecond: 200,
  said: { requests: 9, accepted: 9, rejected: 0 },
  truth: { requests: 9, accepted: 9, rejected: 0 },
  figures: [{ of: 'latency', key: 'p50', said: 5, truth: 5, ownMs: Infinity, doubted: false }],
} as unknown as Measurement;

/** Returns a replacement for `certify`, and a function that ends it: with a result, or with the given error. */
function scripted() {
  let letGo!: (error?: Error) => void;
  const fake: typeof certify = ({ onMeasuring, signal }) =>
    new Promise((resolve, reject) => {
      onMeasuring?.({ behaviour: 'constant', text: '5 ms', perSecond: 200 }, 0, 14);
      letGo = (error) => (error ? reject(error) : resolve({ certification, measurements: [measurement] }));
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { fake, letGo: (error?: Error) => letGo(error) };
}

/** A certifier that counts how often runs were held back and released. */
function certifying(more: Partial<CertifierOptions> = {}) {
  const { fake, letGo } = scripted();
  const held: string[] = [];
  const certifier = new Certifier({
    folder,
    version: '0.1.0',
    workerFile: '',
    targetFile: '',
    holdRuns: (why) => {
      held.push(why);
      return () => held.push('let go');
    },
    certify: fake,
    ...more,
  });
  const ended = (): Promise<unknown> =>
    until('it has ended', async () => (await certifier.status()).progress === null);
  return { certifier, letGo, held, ended };
}

test('shows its progress while runs are held back, and then its result, which is stored', async () => {
  const { certifier, letGo, held, ended } = certifying();
  expect(await certifier.status()).toMatchObject({ progress: null, problem: '', last: null });
  const { progress } = await certifier.start();
  expect(progress).toMatchObject({ done: 0, of: 14, now: { behaviour: 'constant', perSecond: 200 } });
  expect(held).toEqual([expect.stringContaining('being certified')]);
  letGo();
  await ended();
  expect(held).toHaveLength(2);
  const status = await certifier.status();
  expect(certificationStatusSchema.parse(JSON.parse(JSON.stringify(status)))).toEqual(status);
  expect(status.last).toMatchObject({
    certification,
    measured: [{ behaviour: 'constant', countsAreExact: true, figures: [{ ownMs: null, verdict: 'right' }] }],
  });
  // Another process with this folder shows and quotes the result.
  expect((await certifying().certifier.status()).last).toEqual(status.last);
  expect(await quotedCertification(folder)).toEqual(certification);
});

test('runs only once at a time', async () => {
  const { certifier, letGo, held, ended } = certifying();
  await certifier.start();
  const second: unknown = await certifier.start().catch((error: unknown) => error);
  expect(second).toMatchObject({ code: 'certification.going' });
  expect(statusOf(second)).toBe(409);
  letGo();
  await ended();
  expect(held).toHaveLength(2);
  await certifier.start();
  letGo();
  await ended();
});

test('does not begin while a run is running', async () => {
  const { certifier } = certifying({
    holdRuns: () => {
      throw inputError('run.going', '', 'a run is running here');
    },
  });
  const refusal: unknown = await certifier.start().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'run.going' });
  expect(statusOf(refusal)).toBe(409);
  expect((await certifier.status()).progress).toBeNull();
});

test('keeps the previous result if it is cancelled, and lets runs begin', async () => {
  const { certifier, letGo, held, ended } = certifying();
  await expect(certifier.cancel()).rejects.toMatchObject({ code: 'certification.none' });
  await certifier.start();
  letGo();
  await ended();
  const { last } = await certifier.status();
  await certifier.start();
  expect(await certifier.cancel()).toMatchObject({ progress: null, problem: '', last });
  expect(held.filter((one) => one === 'let go')).toHaveLength(2);
});

test('shows why it failed, until the next one begins', async () => {
  const { certifier, letGo, held, ended } = certifying();
  await certifier.start();
  letGo(runError('certify.target', '', 'the process of the target ended'));
  await ended();
  expect(await certifier.status()).toMatchObject({
    problem: 'the certification has no result: the process of the target ended',
    last: null,
  });
  expect(held).toHaveLength(2);
  expect((await certifier.start()).problem).toBe('');
  await certifier.close();
});

test('shows a result that cannot be stored, with a note that reports will not quote it', async () => {
  const file = path.join(folder, 'no-folder');
  writeFileSync(file, '');
  const { certifier, letGo, ended } = certifying({ folder: file });
  await certifier.start();
  letGo();
  await ended();
  const { last, problem } = await certifier.status();
  expect(last).toMatchObject({ certification });
  expect(problem).toMatch(/could not be stored, so reports will not quote it/);
});
