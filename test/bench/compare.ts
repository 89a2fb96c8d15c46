/**
 * `npm run bench -- --compare REV`: compares the load generator of this checkout with that of another commit. Both send in turn to the same
 * server, which discards everything. Other programs on the machine therefore affect both equally. For each value, the output contains the
 * geometric mean of the ratios (this checkout / other commit) with its 95% interval.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { generatorNamed } from '../../common/generators/registry';
import { Batch } from '../../server/load/sources/batch';
import { GeneratorSource } from '../../server/load/sources/generator';
import type { Measured } from './figures';
import { geometricInterval } from './interval';
import { figure, type Row } from './table';

/** Matches the names of values in {@link Measured} for which lower is better. */
const LESS_IS_BETTER = /ms$|MB$/;
/**
 * A value got worse if the whole 95% interval of its ratio is below this number. A ratio above 1 always means that this checkout is better,
 * also for latencies and other values for which lower is better.
 */
const WORSE = 0.97;

const NAMES = ['documents', 'corpus', 'corpus.gz', 'searches', 'pace'];

const CORPUS_DOCUMENTS = 200_000;

/** Root folder of this checkout. Its build is in the folder `build`. */
export const ROOT = path.resolve(import.meta.dirname, '..');

export interface CompareOptions {
  pairs: number;
  names: readonly string[];
  /** Length of each measured phase, in s. */
  seconds: number;
}

/** Reads `--pairs N`, `--only a,b` and `--seconds S`. Throws if one is invalid. */
export function compareOptions(values: {
  pairs?: string | undefined;
  only?: string | undefined;
  seconds?: string | undefined;
}): CompareOptions {
  const names = values.only?.split(',') ?? NAMES;
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(`--only: unknown figure ${unknown}; allowed are ${NAMES.join(', ')}`);
  const number = (text: string | undefined, otherwise: number, name: string): number => {
    const value = text === undefined ? otherwise : Number(text);
    if (!(value >= 1)) throw new Error(`--${name}: ${text} is not a number of 1 or more`);
    return value;
  };
  return {
    names,
    pairs: Math.max(2, Math.floor(number(values.pairs, 10, 'pairs'))),
    seconds: number(values.seconds, 3, 'seconds'),
  };
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; input?: Buffer } = {},
): Buffer {
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, maxBuffer: 1024 ** 3 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${String(stderr)}`);
  return stdout;
}

/**
 * Source files that `figures.ts` imports and that have been moved since older commits. Each entry: the present path, and the path in older
 * commits.
 */
const MOVED = [['server/load/instrument/garbage', 'server/load/garbage']] as const;

/** Builds another commit in `folder`. The code of the benchmark itself is that of the present commit. */
function buildRevision(revision: string, folder: string): void {
  mkdirSync(folder);
  run('tar', ['-x', '-C', folder], { input: run('git', ['archive', revision], { cwd: ROOT }) });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  let figures = readFileSync(path.join(ROOT, 'test/bench/figures.ts'), 'utf8');
  for (const [now, before] of MOVED)
    if (!existsSync(path.join(folder, `${now}.ts`))) figures = figures.replaceAll(now, before);
  writeFileSync(path.join(folder, 'test/bench/figures.ts'), figures);
  const script = `const { build, ENTRIES } = await import(${JSON.stringify(pathToFileURL(path.join(folder, 'scripts/build.mjs')).href)});
    await build({ worker: ENTRIES.worker, 'bench-figures': './test/bench/figures.ts' });`;
  run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
}

/** Writes a file of log documents and a gzipped copy next to it. Returns the path of the plain file. */
export function writeCorpus(folder: string): string {
  const batch = new Batch();
  new GeneratorSource(generatorNamed('systembase').document(), { seed: 1, actionLine: '' }).fill(
    batch,
    { docs: CORPUS_DOCUMENTS, bytes: Infinity },
    Date.now(),
  );
  const file = path.join(folder, 'corpus.ndjson');
  writeFileSync(file, batch.body());
  writeFileSync(`${file}.gz`, gzipSync(batch.body()));
  return file;
}

/** Runs one benchmark, such as `searches`, with the build in `folder`. Resolves to the measured values. */
export function measureFigure(
  folder: string,
  name: string,
  { url, corpus, seconds }: { url: string; corpus: string; seconds: number },
): Promise<Measured> {
  const child = spawn(
    process.execPath,
    [path.join(folder, 'build/bench-figures.js'), name, url, corpus, String(seconds)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Measured);
      else reject(new Error(`${name} failed in ${folder}, with code ${code}`));
    });
  });
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function rowsOf(name: string, pairs: readonly { here: Measured; there: Measured }[]): Row[] {
  return Object.keys(pairs[0]!.here).map((key) => {
    const less = LESS_IS_BETTER.test(key);
    const here = pairs.map((pair) => pair.here[key]!);
    const there = pairs.map((pair) => pair.there[key]!);
    const ratios = here.map((value, at) => (less ? there[at]! / value : value / there[at]!));
    const { mean: ratio, low, high } = geometricInterval(ratios);
    return {
      figure: `${name} ${key}`,
      there: figure(mean(there)),
      here: figure(mean(here)),
      'better by': figure(ratio),
      low: figure(low),
      high: figure(high),
      judged: high < WORSE ? 'worse' : low > 1 ? 'better' : '',
    };
  });
}

/** Returns the table of ratios, and the names of the values that are worse in this checkout. */
export async function benchCompare(
  revision: string,
  sink: ChildProcess,
  { pairs, names, seconds }: CompareOptions,
): Promise<{ title: string; rows: Row[]; failures: string[] }> {
  const commit = run('git', ['rev-parse', '--verify', `${revision}^{commit}`], { cwd: ROOT })
    .toString()
    .trim();
  const port = await new Promise<number>((resolve) => {
    sink.once('message', (message) => {
      resolve(Number(message));
    });
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-compare-'));
  try {
    const other = path.join(folder, 'there');
    buildRevision(commit, other);
    const setting = { url: `http://127.0.0.1:${port}`, corpus: writeCorpus(folder), seconds };
    const rows: Row[] = [];
    for (const name of names) {
      const measured: { here: Measured; there: Measured }[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        const both: Measured[] = [];
        // The state of the machine may change between the two measurements of a pair, so their order alternates.
        const order = pair % 2 === 0 ? [other, ROOT] : [ROOT, other];
        for (const build of order) both.push(await measureFigure(build, name, setting));
        const [there, here] = (pair % 2 === 0 ? both : both.reverse()) as [Measured, Measured];
        measured.push({ here, there });
        process.stderr.write(`${name}, pair ${pair + 1}: ${JSON.stringify({ there, here })}\n`);
      }
      rows.push(...rowsOf(name, measured));
    }
    return {
      title: `Ratio to ${commit.slice(0, 10)} with its 95% interval, ${pairs} pairs in turn`,
      rows,
      failures: rows.filter(({ judged }) => judged === 'worse').map((row) => String(row['figure'])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
