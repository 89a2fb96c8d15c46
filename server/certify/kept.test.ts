import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  sayCertification,
  type Certification,
  type CertifiedBehaviour,
} from '../../common/measurement/certification';
import { keepCertification, keptCertification, quotedCertification } from './kept';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-kept-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const certification: Certification = {
  answer: 'certified',
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

const measured: CertifiedBehaviour[] = [
  {
    behaviour: 'constant',
    text: '5 ms',
    perSecond: 200,
    countsAreExact: true,
    said: { requests: 9, accepted: 9, rejected: 0 },
    truth: { requests: 9, accepted: 9, rejected: 0 },
    figures: [
      { of: 'latency', key: 'p50', said: 5, truth: 5, ownMs: null, doubted: false, verdict: 'right' },
    ],
  },
];

test('a certification is read as it was stored', async () => {
  expect(await keptCertification(folder)).toBeNull();
  const last = { certification, measured };
  await keepCertification(path.join(folder, 'new'), last);
  expect(await keptCertification(path.join(folder, 'new'))).toEqual(last);
  expect(await quotedCertification(path.join(folder, 'new'))).toEqual(certification);
  expect(
    sayCertification({ ...certification, machine: { ...certification.machine, host: 'bench', cores: 2 } }),
  ).toBe('certified on 2026-11-22 21:50 UTC on bench (2 cores) by Dyno 0.1.0: all values are right');
});

test('a certification of another machine, or a damaged file, is not quoted', async () => {
  const machine = { ...certification.machine, host: 'another' };
  await keepCertification(folder, { certification: { ...certification, machine }, measured });
  expect(await keptCertification(folder)).toBeNull();
  writeFileSync(path.join(folder, 'certification.json'), '{');
  expect(await keptCertification(folder)).toBeNull();
});

test('the result stays valid if its values cannot be read, or an earlier version did not store them', async () => {
  for (const text of [certification, { ...certification, measured: [{ behaviour: 1 }] }].map((one) =>
    JSON.stringify(one),
  )) {
    writeFileSync(path.join(folder, 'certification.json'), text);
    expect(await keptCertification(folder)).toEqual({ certification, measured: [] });
  }
});
