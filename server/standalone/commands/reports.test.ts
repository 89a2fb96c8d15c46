/** Reports of runs in files: the example run that is part of Dyno, packed like by `dyno results export`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { EXAMPLE } from '../../../common/example';
import { buildReport } from '../../../common/report/model/build';
import { publishedOf } from '../../../common/presets';
import { renderJson } from '../../../common/report/render/json';
import { recordedIn } from '../../results/example-run';
import { isInFile, reportInFile } from './reports';
import { compareRuns, showReport } from './results';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EXAMPLE_FILE = 'common/example/run.dyno-runs.gz';
const text = gunzipSync(readFileSync(EXAMPLE_FILE)).toString('utf8');
const packed = (name: string, content: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, gzipSync(content));
  return file;
};
const example = packed('example.dyno-runs.gz', text);

/** Records the output on standard output and on standard error. */
function recorder() {
  const printed: string[] = [];
  const messages: string[] = [];
  const say = (line: string): void => void messages.push(line);
  const console = {
    print: (line: string) => void printed.push(line),
    say,
    warn: say,
    width: 100,
    colours: false,
  };
  return { printed, messages: messages, console: console as unknown as Parameters<typeof showReport>[2] };
}

test.each([
  ['runs.dyno-runs.gz', true],
  ['there/runs.gz:20261126-1', true],
  ['20261126-074400-ab12', false],
  ['runs.gz/20261126', false],
])('%s is a run in a file: %s', (name, expected) => {
  expect(isInFile(name)).toBe(expected);
});

test('shows the report of a run in a file without a results cluster', async () => {
  const { run, trials, samples } = await recordedIn(EXAMPLE_FILE)();
  const published = publishedOf(run.experiment);
  const expected = renderJson(buildReport(run, [...trials], { published, samples }));
  for (const name of [example, `${example}:${EXAMPLE.run.id}`]) {
    const { console, printed, messages } = recorder();
    const report = path.join(folder, 'report.json');
    // Nothing listens on this port, so a command that used the results cluster would fail.
    const options = { results: 'http://127.0.0.1:9', report: [report], json: true };
    expect(await showReport(name, options, console)).toBe(0);
    expect(printed).toEqual([expected]);
    expect(messages).toEqual([`report: ${report}`]);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual(JSON.parse(expected));
  }
});

test('compares runs in files without a results cluster', async () => {
  const other = packed('other.gz', text);
  const { console, printed } = recorder();
  const never = (): Promise<string> => Promise.reject(new Error('no baseline was asked for'));
  const options = { results: 'http://127.0.0.1:9', report: [] };
  expect(await compareRuns([example, other], options, console, never)).toBe(0);
  expect(printed.join('\n')).toMatch(/A +(\d{8}-\d{6}-\w{4}).*\n +B +\1/);
});

test('refuses a run that is not in the file, and names the runs in it', async () => {
  await expect(reportInFile(`${example}:another`)).rejects.toMatchObject({
    kind: 'input',
    code: 'results.file-run',
    problems: [{ path: example, found: 'another', allowed: EXAMPLE.run.id }],
  });
});

test.each([
  ['is missing', () => path.join(folder, 'nowhere.gz'), 'command.file', 'ENOENT'],
  ['is cut off', () => packed('cut.gz', text.slice(0, -200)), 'results.file', 'not a complete file of runs'],
  ['holds no runs', () => packed('other-text.gz', 'refresh: 1s\n'), 'results.file', 'the line is not JSON'],
  [
    'is not packed',
    () => {
      const file = path.join(folder, 'plain.gz');
      writeFileSync(file, text);
      return file;
    },
    'results.file',
    'incorrect header check',
  ],
])(
  'a file that %s is reported with the problem, without a word about storing it',
  async (_, make, code, why) => {
    const file = make();
    await expect(reportInFile(file)).rejects.toMatchObject({
      kind: 'input',
      code,
      problems: [
        {
          path: expect.stringContaining(file),
          message: expect.stringMatching(new RegExp(`^(?!.*stored).*${why}`)),
        },
      ],
    });
  },
);
