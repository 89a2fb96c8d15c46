import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseText } from '../../../common/experiment/document';
import { readDefinition } from '../../../common/experiment/read';
import { fakeRally } from '../../import/testing/fake-esrally';
import type { Console } from '../terminal/console';
import { BENCHMARKS, importBenchmark, type ImportOptions } from './import';

const SCRIPT = path.resolve('server/import/rally-expand.py');

let folder: string;
let printed: string[];

const TRACK = `{% set n = clients | default(2) %}{
  "indices": [{ "name": "shop" }],
  "challenges": [
    { "name": "first", "default": true, "schedule": [
      { "operation": { "name": "find", "operation-type": "search", "body": {} }, "clients": {{ n }}, "time-period": 10 },
      { "operation": { "operation-type": "sleep", "duration": 1 } } ] },
    { "name": "second", "schedule": [{ "operation": "refresh" }] }
  ]
}`;

const console = (): Console =>
  ({
    print: (text: string) => printed.push(text),
    warn: (text: string) => printed.push(text),
  }) as unknown as Console;

const run = (
  options: Partial<ImportOptions>,
  place = path.join(folder, 'shop'),
  benchmark = BENCHMARKS.rally,
): Promise<number> =>
  importBenchmark(place, { set: [], to: path.join(folder, 'out'), ...options }, benchmark, SCRIPT, console());

beforeEach(() => {
  printed = [];
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-import-'));
  mkdirSync(path.join(folder, 'shop'));
  writeFileSync(path.join(folder, 'shop', 'track.json'), TRACK);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('converts the default challenge and writes a README about it', async () => {
  expect(await run({ set: ['clients=5'] })).toBe(0);
  const out = path.join(folder, 'out');
  expect(readdirSync(out).sort()).toEqual(['01-find.yml', 'README.md']);
  const definition = readDefinition(parseText(readFileSync(path.join(out, '01-find.yml'), 'utf8'), 'x'));
  expect(definition.tasks[0]!.executor).toEqual({ 'constant-clients': { clients: 5, 'think-time': '0ms' } });
  expect(printed.join('\n')).toContain('1 operation of 2');
});

test('accepts the name of a challenge and the file of a track', async () => {
  expect(await run({ challenge: 'second' }, path.join(folder, 'shop', 'track.json'))).toBe(0);
  expect(readdirSync(path.join(folder, 'out'))).toContain('01-refresh.yml');
});

test('reads a workload of OpenSearch Benchmark with its own key names', async () => {
  const text = TRACK.replace('"challenges"', '"test_procedures"');
  mkdirSync(path.join(folder, 'common_operations'));
  writeFileSync(path.join(folder, 'common_operations', 'refresh.json'), '{ "operation": "refresh" }');
  const collected = '{{ benchmark.collect(parts="../common_operations/*.json") }}';
  writeFileSync(
    path.join(folder, 'shop', 'workload.json'),
    `{% import "benchmark.helpers" as benchmark %}${text.replace('{ "operation": "refresh" }', collected)}`,
  );
  expect(await run({}, path.join(folder, 'shop'), BENCHMARKS.osb)).toBe(0);
  expect(readdirSync(path.join(folder, 'out'))).toContain('01-find.yml');
});

test('--check counts every track below a folder, writes nothing and lists those that cannot be read', async () => {
  expect(await run({ check: true }, folder)).toBe(0);
  expect(printed.join('\n')).toMatch(/shop +3 +1 +0 +1 +1 +66.7%/);
  mkdirSync(path.join(folder, 'bad'));
  writeFileSync(path.join(folder, 'bad', 'track.json'), '{% include "../shop/track.json" %}');
  expect(await run({ check: true }, folder)).toBe(1);
  expect(printed.at(-1)).toContain('is outside the folder of the track');
  expect(readdirSync(folder).sort()).toEqual(['bad', 'shop']);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

const withPython = hasPython ? describe : describe.skip;

withPython('--python (needs python3 on the PATH)', () => {
  test('writes the values of a parameter source into a file next to the definitions', async () => {
    const shop = path.join(folder, 'shop');
    const operation = { name: 'find', 'operation-type': 'search', 'param-source': 'mine' };
    writeFileSync(
      path.join(shop, 'track.json'),
      JSON.stringify({ indices: [{ name: 'shop' }], schedule: [{ operation, 'time-period': 10 }] }),
    );
    writeFileSync(
      path.join(shop, 'track.py'),
      `from itertools import count
numbers = count(9007199254740993)

def mine(track, params):
    return {"index": "shop", "body": {"size": 1.0, "from": next(numbers)}}

def register(registry):
    registry.register_param_source("mine", mine)
`,
    );
    expect(await run({})).toBe(0);
    expect(printed.join('\n')).toContain(
      'find (search) takes its parameters from mine, which is written in Python; `dyno import rally TRACK --python PYTHON` converts it',
    );
    const to = path.join(folder, 'with');
    const python = fakeRally(path.join(folder, 'rally'));
    expect(await run({ python, to })).toBe(0);
    expect(readdirSync(to).sort()).toEqual(['01-find.yml', 'README.md', 'find.ndjson']);
    const lines = readFileSync(path.join(to, 'find.ndjson'), 'utf8').trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['{"from":9007199254740993}', '{"from":9007199254740994}']);
    expect(readFileSync(path.join(to, '01-find.yml'), 'utf8')).toContain('size: 1.0');
    expect(printed.join('\n')).toContain(
      '`find.ndjson`: 1,000 values that Python code of the track gave for find',
    );
    expect(await run({ python, check: true }, folder)).toBe(0);
    expect(printed.join('\n')).toMatch(/shop +1 +1 +0 +0 +0 +100%/);
    writeFileSync(path.join(shop, 'track.py'), 'import no_such_module');
    expect(await run({ python, check: true }, folder)).toBe(1);
    expect(printed.at(-1)).toContain('Rally does not load this track: its Python code does not load');
  });
});

test.each<[string, Partial<ImportOptions>, string]>([
  ['a challenge that is not there', { challenge: 'third' }, 'the track has no challenge of this name'],
  ['a parameter that is not there', { set: ['missing=1'] }, 'names no parameter of the track'],
  ['a parameter with a name of the templates', { set: ['now=1'] }, 'is a reserved name in templates'],
  ['what is no parameter', { set: ['none'] }, 'needs name=value'],
])('%s is refused', async (_, options, message) => {
  await expect(run(options)).rejects.toThrow(message);
});

test('does not write to a folder that contains files', async () => {
  await run({});
  await expect(run({})).rejects.toThrow('already exists and is not empty');
});

test('refuses a folder without a track', async () => {
  await expect(run({}, path.join(folder, 'none'))).rejects.toThrow('there is no such file or folder');
  await expect(run({}, folder)).rejects.toThrow('holds no track.json');
  await expect(run({ check: true }, path.join(folder, 'none'))).rejects.toThrow('is not a folder');
});

test('refuses a device and names its path', async () => {
  await expect(run({}, '/dev/null')).rejects.toThrow('/dev/null: is neither a file nor a folder');
});

test('refuses a parameter without a name, without showing its value', async () => {
  await expect(run({ set: ['password:Hunter2'] })).rejects.toThrow('found password:[removed]');
});
