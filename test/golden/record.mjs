// Stores the documents of a run as a golden file, without names that identify the machine:
//
//     node test/golden/record.mjs URL RUN NAME
//
// reads run RUN from the cluster with the results and writes `results/NAME.json`. Each file is recorded only once, because the files
// represent results that users have stored.
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, release, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

const [url, run, name] = process.argv.slice(2);
if (name === undefined) throw new Error('usage: node test/golden/record.mjs URL RUN NAME');
const HERE = dirname(fileURLToPath(import.meta.url));

async function read(kind, sort) {
  const answer = await request(`${url}/${kind}-*/_search?ignore_unavailable=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { term: { 'run.id': run } }, sort, size: 5000 }),
  });
  const found = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${kind}: ${answer.statusCode} ${JSON.stringify(found)}`);
  return found.hits.hits.map(({ _source }) => _source);
}

await (await request(`${url}/dyno-*/_refresh`, { method: 'POST' })).body.dump();
const [found] = await read('dyno-runs', ['@timestamp']);
if (found === undefined) throw new Error(`no run ${run} exists`);
const trials = await read('dyno-trials', ['trial.order']);
const samples = await read('dyno-samples', ['@timestamp', 'trial.id', 'task', 'phase']);

const escaped = hostname().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Texts that identify the machine, with their replacements. */
const REPLACED = [
  [new RegExp(`\\b${escaped}\\b`, 'g'), 'host-1'],
  [release(), '6.1.0'],
  [tmpdir(), '/var/tmp'],
];
/** Replaces them only in sentences for people and in names, because histograms are text too. */
const named = (_key, value) =>
  typeof value === 'string' && (value === hostname() || /[ /]/.test(value)) && value.length < 1000
    ? REPLACED.reduce((text, [from, to]) => text.replaceAll(from, to), value)
    : value;
const line = (document) => JSON.stringify(document, named);
const lines = (documents) => documents.map(line).join(',\n');
const text = `{"run":\n${line(found)},\n"trials":[\n${lines(trials)}\n],\n"samples":[\n${lines(samples)}\n]}\n`;
mkdirSync(join(HERE, 'results'), { recursive: true });
writeFileSync(join(HERE, 'results', `${name}.json`), text);
console.log(
  `${name}: ${trials.length} trials, ${samples.length} samples, ${(text.length / 1024).toFixed(0)} KB`,
);
