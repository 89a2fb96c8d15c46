/**
 * Checks that nightly jobs run all tests of the plugin in a real Kibana, for each minor series of Kibana (such as 9.2) that `check:plugin`
 * simulates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { DOUBLED_VERSIONS } from './kibana-double.mjs';

interface Job {
  strategy: { matrix: { version: string[] } };
  env: Record<string, string>;
  steps: { run?: string }[];
}

const root = path.resolve(__dirname, '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { jobs } = parse(textOf('.github/workflows/versions.yml')) as { jobs: { kibana: Job } };
const { strategy, env, steps } = jobs.kibana;

test('the job has an image of each supported minor version of Kibana', () => {
  const lines = strategy.matrix.version.map((version) => version.split('.').slice(0, 2).join('.'));
  expect(lines).toEqual([...DOUBLED_VERSIONS]);
});

test('the job runs every file of test/kibana, with the settings without which it would be skipped', () => {
  expect(steps.map(({ run }) => run)).toContain('npm run test:kibana');
  expect(env['DYNO_TEST_NO_SKIPS']).toBe('1');
  const files = readdirSync(path.join(root, 'test/kibana'), { recursive: true, encoding: 'utf8' });
  const wanted = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...textOf(`test/kibana/${file}`).matchAll(/process\.env\['(\w+)'\]/g)])
    .map(([, name]) => name!);
  expect(wanted.length).toBeGreaterThan(2);
  // DYNO_SCHEDULE_MINUTES, which sets how long schedules are watched, has a default and is optional.
  const needed = wanted.filter((name) => name !== 'DYNO_SCHEDULE_MINUTES');
  expect(needed.filter((name) => env[name] === undefined)).toEqual([]);
});
