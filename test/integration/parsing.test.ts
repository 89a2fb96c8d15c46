/**
 * Tests log lines from files and generators, which Dyno's own threads parse into documents. Elasticsearch's processors for parsing are not
 * needed, and the Elasticsearch of this test lacks them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { accountedLines, type ParserFigures } from '../../common/measurement/parse';
import type { TaskSummary } from '../../common/measurement/trial';
import { Connection } from '../../server/target-cluster/connection';
import {
  createIngestPipeline,
  dropIngestPipeline,
  findMarkedPipelines,
} from '../../server/target-cluster/ingest-pipelines';
import { until } from '../support/until';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace, type Ended } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

interface Ran extends Ended {
  run: string;
  tasks: TaskSummary[];
  report: string;
}

/** Runs a definition, and returns the tasks of its first trial. */
async function run(definition: object): Promise<Ran> {
  const report = path.join(place.folder, 'report.md');
  const ended = await place.dyno(
    'run',
    place.write('definition.json', { version: 1, name: 'parsing', trials: 1, ...definition }),
    '--elasticsearch',
    url(),
    '--no-collector',
    '--report',
    report,
  );
  expect(`${ended.stderr}\n${ended.code}`).toMatch(/\n0$/);
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(ended.stderr)![1]!;
  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: { tasks: TaskSummary[] } }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } } },
  );
  const { tasks } = body.hits.hits[0]!._source;
  return { ...ended, run: id, tasks, report: readFileSync(report, 'utf8') };
}

function parsersOf({ parsing }: TaskSummary): ParserFigures {
  if (parsing?.by !== 'workers') throw new Error('no parsers');
  return parsing.parsers;
}

/** Checks that the counts and times of the parsers are consistent: each line and each millisecond is counted exactly once. */
function checkAccount(task: TaskSummary): void {
  const { account, times } = parsersOf(task);
  expect(accountedLines(account)).toBe(account.lines);
  expect(account.documents - account.unsent).toBe(task.total.attempted);
  expect(account.unsent).toBeGreaterThanOrEqual(0);
  expect(times.busyMs + times.blockedMs + times.hungryMs).toBeCloseTo(times.elapsedMs, 3);
}

const LINES = 5000;
/** Lines of an access log. Every hundredth line has another format. */
const log = Array.from({ length: LINES }, (_, n) =>
  n % 100 === 99
    ? `no access log ${n} "\\`
    : `10.0.${n >> 8}.${n & 255} - - [20/Nov/2026:15:40:${String(n % 60).padStart(2, '0')} +0000] "GET /page/${n}?q=a\\"b HTTP/1.1" 200 ${n} "-" "agent \\"${n}\\""`,
);

test('lines of a file are parsed into the fields of the index, and every line is accounted for', async () => {
  const packed = gzipSync(`${log.slice(0, 2500).join('\n')}\n\n\n${log.slice(2500).join('\r\n')}`);
  writeFileSync(path.join(place.folder, 'access.log.gz'), packed);
  const mapping = {
    properties: {
      '@timestamp': { type: 'date' },
      clientip: { type: 'ip' },
      response: { type: 'short' },
      bytes: { type: 'long' },
      request: { type: 'keyword' },
      tags: { type: 'keyword' },
    },
  };
  const definition = (parse: object): object => ({
    index: { name: 'dyno-parsed', mapping, settings: { number_of_shards: 1, number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: {
          source: { file: 'access.log.gz', format: 'lines' },
          bulk: { docs: 300 },
          parse: {
            pattern: '^%{COMBINEDAPACHELOG}$',
            timestamp: { field: 'timestamp', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
            ...parse,
          },
        },
        executor: { 'constant-clients': { clients: 2 } },
      },
    ],
    measure: { warmup: '0s', duration: '60s' },
  });
  const tagged = await run(definition({ workers: 3 }));
  const [task] = tagged.tasks as [TaskSummary];
  checkAccount(task);
  expect(parsersOf(task)).toMatchObject({
    workers: 3,
    account: { lines: LINES, parsed: 4950, unparsed: 50, waiting: 0, documents: LINES, unsent: 0 },
  });
  expect(task.total).toMatchObject({ attempted: LINES, accepted: LINES, failed: 0, rejected: 0 });
  expect(parsersOf(task).account.examples[0]).toMatchObject({ line: 100, reason: 'no-match' });
  expect(tagged.stderr).toMatch(/50 of 5,000 lines of ingest unparsed: line 100 no-match/);
  expect(tagged.report).toContain('The outcomes add up to the lines read.');

  const dropped = await run(definition({ workers: 2, 'on-failure': 'drop' }));
  checkAccount(dropped.tasks[0]!);
  expect(parsersOf(dropped.tasks[0]!).account).toMatchObject({ parsed: 4950, unparsed: 50, documents: 4950 });
  expect(dropped.tasks[0]!.total.accepted).toBe(4950);
});

test('the index contains exactly what the parsers extracted from a line', async () => {
  // Keeps the run going while the document is read, because a trial's index is removed at the end.
  place.write('few.log', log.slice(0, 100).join('\n'));
  const running = place.start(
    'run',
    place.write('kept.json', {
      version: 1,
      name: 'kept',
      index: { name: 'dyno-kept', mapping: {}, settings: { number_of_replicas: 0, refresh_interval: '1s' } },
      tasks: [
        {
          name: 'ingest',
          ingest: {
            source: { file: 'few.log', format: 'lines', repeat: true },
            bulk: { docs: 100 },
            parse: {
              pattern: ['^%{COMBINEDAPACHELOG}$'],
              timestamp: { field: 'timestamp', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
            },
          },
          executor: { 'constant-rate': { rate: 5 } },
        },
      ],
      measure: { warmup: '0s', duration: '300s' },
      trials: 1,
    }),
    '--elasticsearch',
    url(),
    '--no-collector',
  );
  const search = (query: object) =>
    ask<{ hits?: { hits: { _source: Record<string, unknown> }[] } }>(
      'POST',
      `${url()}/dyno-kept-*/_search?ignore_unavailable=true&allow_no_indices=true`,
      { size: 1, query },
    );
  const found = (query: object): Promise<Record<string, unknown>> =>
    until('the document', async () => (await search(query)).body.hits?.hits[0]?._source);
  try {
    expect(await found({ term: { bytes: 42 } })).toEqual({
      '@timestamp': '2026-11-20T15:40:42.000Z',
      message: log[42],
      clientip: '10.0.0.42',
      ident: '-',
      auth: '-',
      timestamp: '20/Nov/2026:15:40:42 +0000',
      verb: 'GET',
      request: '/page/42?q=a\\"b',
      httpversion: '1.1',
      response: 200,
      bytes: 42,
      referrer: '-',
      agent: 'agent \\"42\\"',
    });
    const unparsed = await found({ match: { tags: '_grokparsefailure' } });
    expect(unparsed).toMatchObject({ message: log[99], tags: ['_grokparsefailure'] });
    expect(Object.keys(unparsed).sort()).toEqual(['@timestamp', 'message', 'tags']);
  } finally {
    running.child.kill('SIGINT');
    await running.ended;
  }
});

const ms = (time: number): string => `${Math.round(time)} ms`;

const generated = (parse: object, executor: object, docs: number): object => ({
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-access-lines' }, bulk: { docs }, parse },
      executor: { 'constant-clients': executor },
    },
  ],
  // On a busy machine it takes seconds until all threads have started.
  measure: { warmup: '8s', duration: '4s' },
});

test('one parser with a slow pattern is reported as the limit', async () => {
  // The pattern tries all combinations of three positions in the line: a million steps, which take a few ms.
  const slow = '^(?!.*?.*?.*?NOT_THERE)%{COMBINEDAPACHELOG}$';
  const { tasks, report, stderr } = await run(generated({ pattern: slow, workers: 1 }, { clients: 8 }, 10));
  const [task] = tasks as [TaskSummary];
  checkAccount(task);
  const { times, senders, account } = parsersOf(task);
  process.stdout.write(
    `a slow parser: busy ${ms(times.busyMs)} of ${ms(times.elapsedMs)}, clients waited ${ms(senders.waitedMs)} of ${ms(senders.occupiedMs)}\n`,
  );
  expect(account.unparsed).toBe(0);
  expect(times.busyMs / times.elapsedMs).toBeGreaterThan(0.85);
  expect(senders.waitedMs / senders.occupiedMs).toBeGreaterThan(0.05);
  expect(report).toMatch(/\| parsing +\|/);
  expect(stderr).not.toMatch(/unaccounted/);
});

test('with one client with think time and a fast parser, indexing is the limit', async () => {
  const { tasks, report } = await run(
    generated({ pattern: '%{COMBINEDAPACHELOG}', workers: 1 }, { clients: 1, 'think-time': '100ms' }, 50),
  );
  const [task] = tasks as [TaskSummary];
  checkAccount(task);
  const { times, account } = parsersOf(task);
  process.stdout.write(
    `a slow client: the parser held up ${ms(times.blockedMs)} of ${ms(times.elapsedMs)}\n`,
  );
  expect(account.unparsed).toBe(0);
  expect(times.blockedMs / times.elapsedMs).toBeGreaterThan(0.05);
  expect(report).toMatch(/\| indexing +\|/);
});

test('the number of documents is exact, preloaded documents are parsed too, and more parsers than cores cause a warning', async () => {
  const { tasks, stderr } = await run({
    ...generated({ pattern: '%{COMBINEDAPACHELOG}', workers: 9 }, { clients: 3 }, 300),
    preload: { documents: 1234 },
    measure: { warmup: '0s', documents: 10_007 },
  });
  checkAccount(tasks[0]!);
  expect(tasks[0]!.counts).toMatchObject({ attempted: 10_007, accepted: 10_007 });
  expect(stderr).toMatch(/9 parsers on \d+ cores?/);
});

test('an Elasticsearch without the processors is refused before anything is created', async () => {
  const { code, stderr } = await place.dyno(
    'run',
    place.write('pipeline.json', {
      version: 1,
      name: 'pipeline',
      ...generated(
        {
          by: 'pipeline',
          pattern: '%{COMBINEDAPACHELOG}',
          timestamp: { field: 'timestamp', format: 'ISO8601' },
        },
        { clients: 1 },
        50,
      ),
    }),
    '--elasticsearch',
    url(),
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(/lacks the ingest processors grok, append, date \(module ingest-common\)/);
  expect(stderr).toContain('by: workers');
});

test('only an ingest pipeline with the mark of a trial is found and removed', async () => {
  const client = new Connection({ hosts: [url()] });
  try {
    const mark = { run: 'r', trial: 't', experiment: 'e' };
    const body = { description: 'nothing', processors: [] };
    await ask('PUT', `${url()}/_ingest/pipeline/foreign`, body);
    await createIngestPipeline(client, 'dyno-t-ingest', body, mark);
    await expect(createIngestPipeline(client, 'foreign', body, mark)).rejects.toThrow(/exists already/);
    const found = await findMarkedPipelines(client);
    expect(found).toMatchObject([{ pipeline: 'dyno-t-ingest', mark }]);
    await expect(dropIngestPipeline(client, 'foreign')).rejects.toThrow(/was not created by Dyno/);
    expect(await dropIngestPipeline(client, 'dyno-t-ingest')).toBe(true);
    expect(await dropIngestPipeline(client, 'dyno-t-ingest')).toBe(false);
    expect(await findMarkedPipelines(client)).toEqual([]);
  } finally {
    await ask('DELETE', `${url()}/_ingest/pipeline/foreign`);
    await client.close();
  }
});

test('a file without a matching line, and every error of a pattern, are found before the run', async () => {
  place.write('other.log', 'one\ntwo\n');
  const definition = (parse: object): object => ({
    version: 1,
    name: 'wrong',
    index: { mapping: {} },
    tasks: [{ name: 'ingest', ingest: { source: { file: 'other.log', format: 'lines' }, parse } }],
  });
  const unfit = await place.dyno(
    'run',
    place.write('unfit.json', definition({ pattern: '%{COMBINEDAPACHELOG}' })),
    '--elasticsearch',
    url(),
  );
  expect(unfit.code).toBe(2);
  expect(unfit.stderr).toMatch(/none of the first lines of .*other\.log matches.*no-match: one/s);

  const wrong = await place.dyno(
    'validate',
    place.write(
      'wrong.json',
      definition({
        pattern: '%{NOPE:a} (?<b>(\\w+\\s?)*)',
        patterns: { MINE: '%{MINE}' },
        timestamp: { field: 'when', format: 'clf' },
      }),
    ),
  );
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/tasks\[0\]\.ingest\.parse\.pattern: there is no such pattern \(found NOPE/);
  expect(wrong.stderr).toMatch(/tasks\[0\]\.ingest\.parse\.patterns\.MINE: the pattern contains itself/);
});
