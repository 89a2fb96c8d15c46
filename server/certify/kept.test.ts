import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sayCertification, type Certification } from '../../common/measurement/certification';
import { keepCertification, keptCertification } from './kept';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-kept-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const certification: Certification = {
  answer: 'certified',
  why: 'all is well',
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

test('a certification is read again as it was kept', async () => {
  expect(await keptCertification(folder)).toBeNull();
  await keepCertification(path.join(folder, 'new'), certification);
  expect(await keptCertification(path.join(folder, 'new'))).toEqual(certification);
  expect(
    sayCertification({ ...certification, machine: { ...certification.machine, host: 'bench', cores: 2 } }),
  ).toBe('certified on 2026-11-22 21:50 UTC on bench (2 cores) by Dyno 0.1.0: all is well');
});

test('that of another machine is not quoted, nor is a damaged file', async () => {
  await keepCertification(folder, {
    ...certification,
    machine: { ...certification.machine, host: 'another' },
  });
  expect(await keptCertification(folder)).toBeNull();
  writeFileSync(path.join(folder, 'certification.json'), '{');
  expect(await keptCertification(folder)).toBeNull();
});
