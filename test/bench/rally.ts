/**
 * Tests the definitions that `dyno import` creates from Rally tracks and from workloads of OpenSearch Benchmark. It compares them with
 * Rally and OpenSearch Benchmark themselves: the order of tasks, clients, rates and phases, and the requests that a server on this machine
 * receives.
 */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { convertChallenge, type ConvertedTask } from '../../common/import/rally/definitions';
import { isSameJson } from '../../common/import/rally/same';
import { BENCHMARKS } from '../../common/import/rally/benchmark';
import type { Expansion } from '../../common/import/rally/expansion';
import { pythonOf } from '../../common/import/rally/operations/operation';
import { readTrack, type Task, type Track } from '../../common/import/rally/track';
import { drawn, type Wire } from '../../common/import/rally/wire';
import { parseExact } from '../../common/json/exact';
import { DynoError, inputError } from '../../common/problem';
import { expandTrack } from '../../server/import/rally-python';
import { trackFolder } from '../../server/import/track-folder';

type Name = keyof typeof BENCHMARKS;

/** For each benchmark: its Python package, and the environment variable with the path of a Python interpreter that has this package. */
const PACKAGES: Readonly<Record<Name, { module: string; package: string; variable: string }>> = {
  rally: { module: 'esrally', package: 'esrally', variable: 'DYNO_RALLY_PYTHON' },
  osb: { module: 'osbenchmark', package: 'opensearch-benchmark', variable: 'DYNO_OSB_PYTHON' },
};
const pythonFor = (name: Name): string => process.env[PACKAGES[name].variable] ?? 'python3';

/** Path of the Python script. It is relative to `build/`, from which the bundle of this file runs. */
const LOADER = fileURLToPath(new URL('../test/bench/rally/loader.py', import.meta.url));

const EXPAND_SCRIPT = fileURLToPath(new URL('../server/import/rally-expand.py', import.meta.url));

/**
 * Executes the Python code of a Rally track and returns what it evaluates to. `dyno import` creates the definition from this. Undefined if
 * Rally cannot load the track.
 */
async function expansionOf(folder: string): Promise<Expansion | undefined> {
  try {
    return await expandTrack({
      python: pythonFor('rally'),
      script: EXPAND_SCRIPT,
      folder,
      file: BENCHMARKS.rally.file,
      challenge: null,
      params: {},
      values: 3,
    });
  } catch (error) {
    if (error instanceof DynoError) return undefined;
    throw error;
  }
}

interface RallyRequest {
  method: string;
  path: string;
  params: Record<string, string>;
  body: string | null;
}

interface RallyTask {
  name: string;
  type: string;
  source: string | null;
  clients: number;
  'warmup-iterations': number | null;
  iterations: number | null;
  'warmup-time-period': number | null;
  'time-period': number | null;
  'ramp-up-time-period': number | null;
  rate: [number, string] | null;
  requests?: RallyRequest[];
  bulk?: { size: number; percentage: number; pipeline: string | null; files: [string, number, string][] };
  error?: string;
}

interface RallyTrack {
  track: string;
  error?: string;
  plugins?: string;
  challenges?: { name: string; schedule: RallyTask[][] }[];
}

/**
 * Matches the placeholder of a random value in a request of Dyno. A comparison treats the placeholder as equal to any value that Rally
 * sends.
 */
const MARK = new RegExp(drawn('x').replace('x', String.raw`\w+`));
const ANY = new RegExp(MARK.source, 'g');

function isAlike(ours: unknown, theirs: unknown): boolean {
  if (typeof ours === 'string' && MARK.test(ours)) {
    if (ours.replace(MARK, '') === '') return true;
    const parts = ours.split(ANY).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return typeof theirs === 'string' && new RegExp(`^${parts.join('.*')}$`, 's').test(theirs);
  }
  if (typeof ours !== 'object' || ours === null || typeof theirs !== 'object' || theirs === null)
    return isSameJson(ours, theirs);
  const [one, other] = [Object.entries(ours), Object.keys(theirs)];
  return (
    Array.isArray(ours) === Array.isArray(theirs) &&
    one.length === other.length &&
    one.every(
      ([key, value]) =>
        Object.hasOwn(theirs, key) && isAlike(value, (theirs as Record<string, unknown>)[key]),
    )
  );
}

const parsed = (text: string | null): unknown => {
  // The client of OpenSearch Benchmark sends an empty object where there is no body.
  if (text === null || text === '' || text === '{}') return undefined;
  try {
    // Numbers keep the notation in which they were sent, as in the definitions.
    return parseExact(text, () => undefined);
  } catch {
    return text;
  }
};

/**
 * Returns a path in a uniform notation. Some clients write `/_all` at the beginning of a path for all indices, others write no index. The
 * `/_all` is removed here.
 */
const decoded = (text: string): string => decodeURIComponent(text).replace(/^\/_all(?=\/_)/, '');

/**
 * Returns whether only Rally or OpenSearch Benchmark sends this request. Such requests are not compared. For example, these tools check
 * whether something exists before they delete it, ask for the version or the end of a task, and allow deletion by patterns in the cluster
 * settings.
 */
const isLookUp = ({ method, path: at }: RallyRequest): boolean =>
  method === 'HEAD' ||
  at === '/_cluster/settings' ||
  (method === 'GET' && (at === '/' || at.startsWith('/_tasks/')));

/** Compares the requests that Dyno would send for a task with those that Rally sends. Returns the differences as texts. */
function wireDifferences({ sent }: ConvertedTask, requests: readonly RallyRequest[]): string[] {
  const rest = [...requests];
  const missing = sent.flatMap((wire: Wire): string[] => {
    const found = rest.findIndex(
      ({ method, path: at, body }) =>
        method === wire.method && decoded(at) === decoded(wire.path) && isAlike(wire.body, parsed(body)),
    );
    if (found >= 0) rest.splice(found, 1);
    return found >= 0 ? [] : [`it does not send ${wire.method} ${wire.path}`];
  });
  const others = rest.filter((request) => !isLookUp(request));
  return [...missing, ...others.map(({ method, path: at }) => `only it sends ${method} ${at}`)].slice(0, 3);
}

const same = (one: number | null | undefined, other: number | undefined): boolean =>
  (one ?? undefined) === other;

function phaseDifferences(task: Task, rally: RallyTask): string[] {
  const pairs: [string, boolean][] = [
    ['clients', rally.clients === task.clients],
    ['warmup-iterations', same(rally['warmup-iterations'], task.warmupIterations)],
    ['iterations', same(rally.iterations, task.iterations)],
    ['warmup-time-period', same(rally['warmup-time-period'], task.warmupTime)],
    ['time-period', same(rally['time-period'], task.time)],
    ['ramp-up-time-period', same(rally['ramp-up-time-period'], task.rampUp)],
    ['target rate', same(rally.rate?.[0], task.rate?.value)],
  ];
  return pairs.filter(([, holds]) => !holds).map(([what]) => what);
}

function bulkDifferences({ ingest }: ConvertedTask, { bulk }: RallyTask): string[] {
  if (bulk === undefined || ingest === undefined) return ['it sends no bulk'];
  const files = new Map<string, number>();
  for (const [file, count, target] of bulk.files) {
    const key = `${file} ${target}`;
    files.set(key, (files.get(key) ?? 0) + count);
  }
  const pairs: [string, boolean][] = [
    ['bulk-size', bulk.size === ingest.bulkSize],
    ['ingest-percentage', Math.abs(bulk.percentage - ingest.percentage) < 1e-6],
    ['pipeline', (bulk.pipeline ?? undefined) === ingest.pipeline],
    [
      'files',
      isSameJson(
        [...files],
        ingest.files.map(({ file, target, count }) => [`${file} ${target}`, count]),
      ),
    ],
  ];
  return pairs.filter(([, holds]) => !holds).map(([what]) => what);
}

export interface Table {
  title: string;
  rows: Record<string, string | number>[];
}

/**
 * Compares the definitions for all tracks or workloads below `root` with Rally or OpenSearch Benchmark. Throws a DynoError (input) if that
 * tool is not installed.
 */
export async function benchImport(
  name: Name,
  root: string | undefined,
  only: readonly string[],
): Promise<Table[]> {
  const benchmark = BENCHMARKS[name];
  if (root === undefined)
    throw inputError('bench.import', `npm run bench -- ${name}`, `needs a folder of ${benchmark.track}s`);
  const python = pythonFor(name);
  const { module, package: needed, variable } = PACKAGES[name];
  if (spawnSync(python, ['-c', `import ${module}`]).status !== 0) {
    throw inputError('bench.import', python, `has no ${needed}`, {
      allowed: `pip install ${needed} in a virtual environment, and ${variable}=<its bin/python>`,
    });
  }
  const child = spawn(python, [LOADER, name, root, ...only], { stdio: ['ignore', 'pipe', 'ignore'] });
  const count = {
    tracks: 0,
    operations: 0,
    schedules: 0,
    phases: 0,
    converted: 0,
    same: 0,
    bulks: 0,
    different: 0,
    silent: 0,
  };
  const differences: Table['rows'] = [];
  const differ = (track: string, task: string, what: string): void => {
    differences.push({ track, operation: task, difference: what });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const rally = JSON.parse(line) as RallyTrack;
    const folder = path.join(root, rally.track);
    const files = trackFolder(folder, benchmark.shared);
    count.tracks += 1;
    let track: Track;
    try {
      track = readTrack(rally.track, { files, params: {}, now: Date.now() }, benchmark);
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      differ(rally.track, '', `Dyno does not read it: ${error.message}`);
      continue;
    }
    const found = pythonOf(files, benchmark);
    const python =
      found.hasCode && benchmark.expand !== undefined
        ? { ...found, expansion: await expansionOf(folder) }
        : found;
    if (rally.error !== undefined)
      differ(rally.track, '', `${benchmark.name} does not read it: ${rally.error}`);
    // The order of challenges in separate files depends on the file system.
    const known = new Map(rally.challenges?.map(({ name, schedule }) => [name, schedule.flat()]));
    for (const challenge of track.challenges) {
      const theirs = known.get(challenge.name) ?? [];
      const { tasks } = convertChallenge(track, challenge, python);
      const names = isSameJson(
        tasks.map(({ task }) => task.name),
        theirs.map(({ name }) => name),
      );
      if (!names) {
        differ(rally.track, challenge.name, 'the schedule has other operations');
        continue;
      }
      count.schedules += 1;
      for (const [at, converted] of tasks.entries()) {
        const own = theirs[at]!;
        count.operations += 1;
        const phases = phaseDifferences(converted.task, own);
        if (phases.length === 0) count.phases += 1;
        else differ(rally.track, own.name, phases.join(', '));
        if (converted.standing === 'left') continue;
        count.converted += 1;
        const isBulk = converted.standing === 'ingest';
        // A parameter source that lacks a file or a package on this machine cannot be compared.
        if (
          !isBulk &&
          (own.requests === undefined || (own.requests.length === 0 && own.error !== undefined))
        ) {
          count.silent += 1;
          differ(rally.track, own.name, `${benchmark.name} sends nothing here: ${own.error ?? 'no request'}`);
          continue;
        }
        const wrong = isBulk ? bulkDifferences(converted, own) : wireDifferences(converted, own.requests!);
        if (wrong.length === 0) count[isBulk ? 'bulks' : 'same'] += 1;
        else {
          count.different += 1;
          differ(rally.track, `${own.name} (${own.type})`, wrong.join('; '));
        }
      }
    }
  }
  return [
    {
      title: `Compared with ${benchmark.name} itself`,
      rows: [
        { what: `${benchmark.track}s`, count: count.tracks },
        { what: 'schedules with the same operations in the same order', count: count.schedules },
        { what: 'operations in them', count: count.operations },
        { what: 'with the same clients, rate and phases', count: count.phases },
        { what: 'converted', count: count.converted },
        { what: 'with the same requests', count: count.same },
        { what: 'bulks of the same documents, size and pipeline', count: count.bulks },
        { what: 'with other requests', count: count.different },
        { what: `for which ${benchmark.name} sends nothing here`, count: count.silent },
      ],
    },
    ...(differences.length === 0 ? [] : [{ title: 'Differences', rows: differences }]),
  ];
}
