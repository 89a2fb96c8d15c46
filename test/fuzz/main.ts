/**
 * `npm run fuzz`: tests Dyno with hostile inputs for a set time. The inputs are created from a seed, which is printed. Exits with 1 if an
 * input was handled incorrectly.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRandom, deriveSeed } from '../../common/random';
import {
  answersPart,
  collectorPart,
  corporaPart,
  definitionsPart,
  httpPart,
  logsPart,
  spoolPart,
  type FuzzPart,
} from './parts';
import { hostileServer } from './server';
import { trafficPart } from './traffic';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`${line}\n`);

/** Maximum time for one input, in ms. */
const LONGEST_MS = 2000;
/** Maximum growth of the heap during the test, in bytes. */
const MOST_GROWTH_BYTES = 50 * 1024 ** 2;
/** Share of the total time after which the heap is first measured. By then, code is compiled and caches are full. */
const WARM_SHARE = 0.2;
const MOST_FAILURES = 20;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  warn('--seconds must be a number above 0, --seed a whole number');
  process.exit(2);
}

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
};

const folder = await mkdtemp(path.join(tmpdir(), 'dyno-fuzz-'));
const logged: string[] = [];
await writeFile(path.join(folder, 'index.html'), '<!doctype html>');
const all: Record<string, FuzzPart> = {
  http: httpPart(await hostileServer(folder, (text) => logged.push(text))),
  definitions: definitionsPart(),
  corpora: corporaPart(folder),
  logs: logsPart(),
  answers: answersPart(),
  spool: spoolPart(folder),
  traffic: trafficPart(folder),
  collector: collectorPart(),
};
const names = Object.keys(all).filter((name) => values.only === undefined || name === values.only);
if (names.length === 0) {
  warn(`--only must be one of ${Object.keys(all).join(', ')}`);
  process.exit(2);
}

say(`seed ${seed}, ${seconds} s: ${names.join(', ')}`);
const counts = Object.fromEntries(
  names.map((name) => [name, { accepted: 0, refused: 0, failed: 0, slowestMs: 0 }]),
);
const failures: string[] = [];
const began = performance.now();
const share = (): number => (performance.now() - began) / 1000 / seconds;
let warmBytes: number | undefined;
let number = Number(values.from);
while (share() < 1 && failures.length < MOST_FAILURES) {
  for (const name of names) {
    const count = counts[name]!;
    const started = performance.now();
    const cpu = process.cpuUsage();
    try {
      count[await all[name]!.try(createRandom(deriveSeed(seed, name, number)))] += 1;
      const ms = performance.now() - started;
      const { user, system } = process.cpuUsage(cpu);
      count.slowestMs = Math.max(count.slowestMs, Math.round(ms));
      // On a busy machine only the CPU time of this process counts.
      if (Math.min(ms, (user + system) / 1000) > LONGEST_MS) throw new Error(`took ${Math.round(ms)} ms`);
    } catch (error) {
      count.failed += 1;
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      failures.push(
        `${name} ${number} (--seed ${seed} --only ${name} --from ${number}): ${reason} ${logged.splice(0).join('\n')}`,
      );
    }
    logged.length = 0;
  }
  number += 1;
  if (warmBytes === undefined && share() > WARM_SHARE) warmBytes = heapBytes();
}
const growth = warmBytes === undefined ? 0 : heapBytes() - warmBytes;
for (const part of Object.values(all)) await part.close?.();
await rm(folder, { recursive: true, force: true });
for (const [name, { accepted, refused, failed, slowestMs }] of Object.entries(counts))
  say(`${name}: ${accepted} accepted, ${refused} refused, ${failed} failed, slowest ${slowestMs} ms`);
say(`the heap grew by ${(growth / 1024 ** 2).toFixed(1)} MB`);
for (const failure of failures) warn(failure);
if (growth > MOST_GROWTH_BYTES) warn(`more than ${MOST_GROWTH_BYTES / 1024 ** 2} MB`);
process.exitCode = failures.length > 0 || growth > MOST_GROWTH_BYTES ? 1 : 0;
