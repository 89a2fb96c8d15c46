/** Follows "How to add an executor" in CONTRIBUTING.md literally in a copy of the source, and tests the new executor. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { executorSchema } from '../../common/executors/registry';
import type { FormRow } from '../../common/fields/form';
import { applyBlock, codeBlocks, type CodeBlock } from './walk-through';

const ROOT = path.resolve(__dirname, '../..');
const COPIED = ['common', 'server', 'scripts', 'docs', 'test/contributing', 'tsconfig.json', 'package.json'];

const run = promisify(execFile);

const BURSTS = { size: 10, every: '1s' };
const DEFINITION = {
  version: 1,
  name: 'bursts',
  index: { mapping: {} },
  tasks: [{ name: 'ask', search: { requests: [{ name: 'all', body: {} }] }, executor: { bursts: BURSTS } }],
  measure: { warmup: '0s', duration: '3s' },
};

interface Probed {
  form: { name: string; label: { text: string }; form: readonly FormRow[] }[];
  loads: { task: string; sentence: string; cells: number[] }[];
  arrivals: number[];
  task: { offered: number; sent: number; accepted: number };
}

let tree: string;
let blocks: CodeBlock[];

/** Runs a tool of the project in the copy. Resolves to its output, or rejects with it. */
async function tool(...command: string[]): Promise<string> {
  try {
    return (await run(process.execPath, command, { cwd: tree })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'dyno-contributing-'));
  for (const name of COPIED) await cp(path.join(ROOT, name), path.join(tree, name), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));
  // The copy uses the packages of the project, so commands in it must not install anything.
  await writeFile(path.join(tree, 'package-lock.json'), '{}');
  blocks = codeBlocks(await readFile(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8'), 'How to add an executor');
  for (const block of blocks) {
    const file = path.join(tree, block.file);
    const before = block.language === 'diff' ? await readFile(file, 'utf8') : '';
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, applyBlock(before, block));
  }
});

afterAll(() => rm(tree, { recursive: true, force: true }));

test('it needs three files, and the executor does not exist yet', () => {
  expect([...new Set(blocks.map(({ file }) => file))]).toEqual([
    'common/executors/bursts.ts',
    'common/executors/registry.ts',
    'common/executors/bursts.test.ts',
  ]);
  expect(executorSchema.safeParse({ bursts: BURSTS }).success).toBe(false);
});

test('the new files compile together with everything that uses the list of executors', async () => {
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: [],
    files: ['common/executors/bursts.test.ts', 'test/contributing/probe.ts', 'server/load/worker.ts'],
  };
  await writeFile(path.join(tree, 'tsconfig.added.json'), JSON.stringify(config));
  await expect(tool('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.added.json')).resolves.toBe('');
});

test('its test and the test of all executors pass', async () => {
  const config = { rootDir: tree, transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] } };
  await writeFile(path.join(tree, 'jest.added.json'), JSON.stringify(config));
  const results = path.join(tree, 'results.json');
  await tool(
    'node_modules/jest/bin/jest.js',
    ...[
      '--config',
      'jest.added.json',
      '--json',
      '--outputFile',
      results,
      'common/executors/(bursts|registry)',
    ],
  );
  const { numPassedTests, testResults } = JSON.parse(await readFile(results, 'utf8')) as {
    numPassedTests: number;
    testResults: { name: string }[];
  };
  expect(testResults.map(({ name }) => path.basename(name)).sort()).toEqual([
    'bursts.test.ts',
    'registry.test.ts',
  ]);
  expect(numPassedTests).toBeGreaterThan(20);
});

test('the reference of definitions explains it', async () => {
  await tool('scripts/docs.mjs');
  const reference = await readFile(path.join(tree, 'docs/definition.md'), 'utf8');
  expect(reference).toContain('## `tasks[].executor.bursts`');
  expect(reference).toContain('Requests in a burst.');
});

test('definitions, the form and the plan support it, and the load generator sends in bursts', async () => {
  const bundle = (entry: string, name: string) =>
    build({
      absWorkingDir: tree,
      entryPoints: { [name]: entry },
      outdir: 'build',
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      logLevel: 'warning',
    });
  await Promise.all([
    bundle('test/contributing/probe.ts', 'probe'),
    bundle('server/load/worker.ts', 'worker'),
  ]);
  const worker = path.join(tree, 'build/worker.mjs');
  const probed = JSON.parse(await tool('build/probe.mjs', worker, JSON.stringify(DEFINITION))) as Probed;

  const { label, form } = probed.form.find(({ name }) => name === 'bursts')!;
  expect(label.text).toBe('Bursts');
  expect(JSON.stringify(form)).toContain('Requests in a burst');
  expect(probed.loads).toEqual([
    {
      task: 'ask',
      sentence: 'searches drawn from 1 request; bursts of 10 requests every 1s, at most 1,000 in flight',
      cells: [0],
    },
  ]);

  // Three seconds have three bursts, at 0, 1 and 2 s. Nothing arrives in the half second before the next one.
  const found = [0, 1, 2].map(
    (second) => probed.arrivals.filter((ms) => ms >= second * 1000 - 250 && ms < second * 1000 + 500).length,
  );
  expect(found).toEqual([10, 10, 10]);
  expect(probed.arrivals).toHaveLength(30);
  expect(probed.task).toEqual({ offered: 30, sent: 30, accepted: 30 });
});
