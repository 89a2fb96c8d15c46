/** Tests a task that looks for the highest rate that Elasticsearch can sustain, from the definition to every format of the report. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../common/report/model/report';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { expectToBeConsistent } from './support/highest-rate';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

test('finds a rate, stores its steps, and shows them in every format', async () => {
  const file = place.write('highest.json', {
    version: 1,
    name: 'highest rate',
    expect: ['ingest.sustainable_rate stays with tasks.ingest.ingest.bulk.docs'],
    index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'http-events' }, bulk: { docs: 20 } },
        executor: {
          'highest-rate': {
            start: 5,
            max: 10,
            grow: 2,
            limits: ['latency.p50 < 20s', 'rejection_rate < 0.1%'],
            settle: '500ms',
            step: '2s',
            hold: '1s',
          },
        },
      },
    ],
    factors: { 'tasks.ingest.ingest.bulk.docs': [20, 40] },
    measure: { warmup: '1s', duration: '90s' },
    trials: 1,
    thresholds: ['ingest.sustainable_rate >= 5'],
  });
  const files = ['json', 'html', 'md', 'csv'].map((form) => path.join(place.folder, `report.${form}`));
  const { code, stdout, stderr } = await place.dyno(
    'run',
    file,
    '--elasticsearch',
    url(),
    ...files.flatMap((each) => ['--report', each]),
  );
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  // The progress is shown while the run continues; the result is in the report.
  expect(stderr + stdout).toMatch(/ingest: .* accepted\/s · (grow|hold) at \d/);
  expect(stdout).toContain('Highest sustained rate of ingest, requests/s');
  const texts = files.map((each) => readFileSync(each, 'utf8'));
  for (const text of [...texts, stdout]) expect(text).not.toMatch(/undefined|NaN/);
  for (const text of texts.slice(1, 3)) expect(text).toContain('Steps of the search of ingest');

  const report = JSON.parse(texts[0]!) as Report;
  expect(report.trials).toHaveLength(2);
  for (const { tasks, doubts, limit, cellIndex } of report.trials) {
    const { highestRate, throughput } = tasks[0]!;
    const { steps, answer } = highestRate!;
    expectToBeConsistent(highestRate!);
    expect(answer.confirmed).toBe(true);
    // A busy machine may not reach ten bulks per second.
    expect(answer).toMatchObject(
      answer.broken === null ? { held: 10, end: 'max', stop: null } : { end: 'found' },
    );
    const ended = doubts.some(({ kind }) => kind === 'rate-without-end');
    expect(ended).toBe(answer.broken === null);
    // The long step that confirms a rate lasts three refresh intervals, which are a second each by default.
    expect(steps.at(-1)!.judgedMs).toBe(3000);
    const documents = cellIndex === 0 ? 20 : 40;
    expect(answer.heldAccepted! / answer.held!).toBeGreaterThan(0.9 * documents);
    expect(throughput).toBe(answer.heldAccepted);
    expect(report.cells[cellIndex]!.tasks[0]!.highestRate!.sustained.mean).toBe(answer.held);
    // On a busy machine the load generator may be too slow.
    expect(limit!.why).toMatch(
      limit!.name === 'generator' ? /load thread|requests left/ : /varied the rate on purpose/,
    );
  }

  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { total: { value: number } } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'tasks.highestRate.answer.confirmed': true } } },
  );
  expect(body.hits.total.value).toBe(2);
});
