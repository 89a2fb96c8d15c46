/** Tests catastrophic backtracking, which would block a thread for years. Uses real threads, and checks that they are terminated. */
import path from 'node:path';
import { build } from 'esbuild';
import type { DynoError } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import type { ParseJob } from '../../../common/tasks/parse';
import type { LoadJob } from '../contract';
import { ParserPool } from './parser-pool';
import { tryLines } from './try-lines';

const ROOT = path.resolve(__dirname, '../../..');
const workerFile = path.join(ROOT, 'build/unit-test/worker.js');

beforeAll(() =>
  build({
    absWorkingDir: ROOT,
    entryPoints: ['server/load/worker.ts'],
    outfile: workerFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  }),
);

const parsing = (pattern: string): ParseJob => ({
  workers: 1,
  patterns: [pattern],
  definitions: {},
  timestamp: null,
  onFailure: 'tag',
});
/** A pattern with nested repetitions. If a line does not end as expected, the pattern tries every way to divide the line into words. */
const BACKTRACKS = '^(?<all>(?:\\w+\\s?)*)$';
const LINES = ['a short line', 'another one', `${'word '.repeat(40)}!`, 'never reached'].map((line) =>
  Buffer.from(line),
);
const trying = { path: 'tasks.ingest.ingest.parse', file: 'app.log', workerFile };

test('before a run, the line that a pattern is lost in is named', async () => {
  const stuck = tryLines({ ...trying, parse: parsing(BACKTRACKS), lines: LINES, stuckMs: 500 });
  await expect(stuck).rejects.toMatchObject({
    kind: 'input',
    message: expect.stringMatching(
      /^tasks\.ingest\.ingest\.parse\.pattern: the pattern has been at line 3 of app\.log .* for 0\.5 s: the pattern has too many ways to match it \(found word word .*; allowed: /,
    ) as string,
  });
});

test('before a run, the lines that no pattern matches are counted', async () => {
  await expect(tryLines({ ...trying, parse: parsing('^(?<all>[a-z ]+)$'), lines: LINES })).resolves.toEqual({
    tried: 4,
    unparsed: 1,
    example: expect.stringMatching(/^no-match: word word /) as string,
  });
});

test('during a run, the line that a parser is lost in is named, and the parser can be ended', async () => {
  const ingest: IngestJob & { parse: ParseJob } = {
    source: { kind: 'generator', generator: 'apache-access-lines' },
    parse: parsing('^(?<all>(?:\\S+\\s?)*)NEVER$'),
    bulk: { docs: 10 },
    retries: { attempts: 0, baseMs: 0, maxMs: 0 },
  };
  const job: LoadJob = {
    indices: ['dyno-stuck'],
    route: 'in-turn',
    target: { nodes: [], headers: {}, verifyCertificates: true, requestTimeoutMs: 0 },
    tasks: [
      {
        name: 'ingest',
        operation: { kind: 'ingest', ...ingest },
        executor: { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 },
      },
    ],
    seed: 1,
    warmupMs: 0,
    measureMs: null,
    documents: null,
    drainMs: 0,
  };
  let pool: ParserPool | undefined;
  try {
    const error = await new Promise<DynoError>((resolve) => {
      pool = new ParserPool({
        job,
        task: 'ingest',
        ingest,
        seat: { index: 0, of: 1 },
        shares: 1,
        workerFile,
        onFailed: resolve,
        // A parser gives a sign of life every second.
        silentMs: 3000,
      });
    });
    expect(error.message).toBe(
      'tasks.ingest.ingest.parse: the pattern of ingest has been at line 1 of the source (blank ones not counted) for 3 s: ' +
        'the pattern has too many ways to match it',
    );
  } finally {
    await pool?.terminate();
  }
});
