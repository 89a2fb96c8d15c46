import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildReport } from '../../common/report/model/build';
import { aRun } from '../results/testing/made-documents';
import { writeWhole } from '../whole-file';
import { sayReports, writeReports } from './report-file';

jest.mock('../whole-file', () => {
  const real = jest.requireActual<{ writeWhole: typeof writeWhole }>('../whole-file');
  return { writeWhole: jest.fn(real.writeWhole) };
});

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-report-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = buildReport(aRun('run-1'), []);
const recorder = (): { lines: string[]; say: (line: string) => void; warn: (line: string) => void } => {
  const lines: string[] = [];
  return {
    lines,
    say: (line) => void lines.push(line),
    warn: (line) => void lines.push(`warning: ${line}`),
  };
};

test('reports a file that cannot be written, and still writes the others', async () => {
  const taken = path.join(folder, 'taken.md');
  mkdirSync(path.join(taken, 'inside'), { recursive: true });
  const file = path.join(folder, 'new', 'report.json');
  const console = recorder();
  expect(sayReports(await writeReports([taken, file], report), 'run-1', console)).toBe(false);
  expect(console.lines).toEqual([
    `report: ${file}`,
    expect.stringMatching(
      /^warning: .*taken\.md: is a folder, where a file is needed\. The results of run run-1 are stored; to write the report again: npm run dyno -- report run-1 --report FILE$/,
    ),
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ run: { id: 'run-1' } });
});

test('keeps the previous report on a full disk', async () => {
  const file = path.join(folder, 'report.md');
  writeFileSync(file, 'of before');
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  jest.mocked(writeWhole).mockRejectedValueOnce(full);
  const { written, failures } = await writeReports([file], report);
  expect(written).toEqual([]);
  expect(failures.map(({ code, message }) => [code, message])).toEqual([
    ['disk.full', `${file}: the disk is full`],
  ]);
  expect(readdirSync(folder)).toEqual(['report.md']);
  expect(readFileSync(file, 'utf8')).toBe('of before');
});
