/**
 * Tests creates, updates and deletes by id on a real Elasticsearch, behind a proxy that rejects requests and breaks connections. Dyno's
 * counts must agree with the documents and versions in the indices.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { indexCount, indexMismatch } from '../../common/analysis/index-count';
import { makeRun, REFRESH } from '../../common/analysis/testing/made-run';
import { endedOf } from '../../common/measurement/counts';
import { noWrites, type WriteAccount } from '../../common/measurement/writes';
import { createRandom } from '../../common/random';
import { writeJob } from '../../common/tasks/writes';
import type { TaskOutcome } from '../../server/load/contract';
import { taskSummary } from '../../server/run/trial/summary';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';
import { buildWorker, fire, job } from './support/load';

const url = sharedElasticsearch();
const place = workplace();

afterAll(() => place.remove());

interface Item {
  status: number;
  result?: string;
  _version?: number;
}
interface Answer {
  errors: boolean;
  items: Record<string, Item>[];
}

/** Counts of outcomes in the responses. They are calculated without Dyno's code. */
interface ResponseCounts extends Pick<
  WriteAccount,
  'created' | 'updated' | 'deleted' | 'unchanged' | 'versions'
> {
  accepted: number;
  conflicted: number;
  missing: number;
}

const nothing = (): ResponseCounts => ({
  ...{ created: 0, updated: 0, deleted: 0, unchanged: 0, versions: 0 },
  ...{ accepted: 0, conflicted: 0, missing: 0 },
});

function add(counts: ResponseCounts, { items }: Answer): void {
  for (const item of items) {
    const { status, result, _version: version = 0 } = Object.values(item)[0]!;
    if (status === 409) counts.conflicted += 1;
    if (status === 404) counts.missing += 1;
    if (status >= 300) continue;
    counts.accepted += 1;
    if (result === 'created') counts.created += 1;
    if (result === 'updated') counts.updated += 1;
    if (result === 'deleted') counts.deleted += 1;
    counts.versions +=
      { created: version, updated: 1, deleted: 1 - version }[result as 'created' | 'updated' | 'deleted'] ??
      0;
    if (result === 'noop') counts.unchanged += 1;
  }
}

/** Returns each action of a bulk together with its document. */
function actionsIn(body: string): string[] {
  const lines = body.split('\n').slice(0, -1);
  const actions: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]!.startsWith('{"delete"')) actions.push(`${lines[at]!}\n`);
    else actions.push(`${lines[at]!}\n${lines[(at += 1)]!}\n`);
  }
  return actions;
}

const FULL = { type: 'es_rejected_execution_exception', reason: 'queue full' };

/** Returns the action with an outdated sequence number. It causes a conflict, as if another write had come first. */
const stale = (action: string): string =>
  action.replace('"_id":', '"if_seq_no":999999,"if_primary_term":1,"_id":');

/**
 * A proxy that injects faults into a share of the bulks. Of 15 bulks, on average, one is rejected completely, and two in part. The proxy
 * breaks the connection of one bulk before Elasticsearch executes the bulk, and of another one afterwards. In one more bulk, some documents
 * have a conflict.
 */
class Faults {
  readonly server: Server;
  readonly reported = nothing();
  /** Counts of operations that the target executed although the client got no response. */
  readonly hidden = nothing();
  cut = 0;
  refused = 0;
  private readonly random = createRandom(3);

  constructor(private readonly upstream: string) {
    this.server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        this.pass(incoming.url!, Buffer.concat(chunks).toString())
          .then((answer) => {
            if (answer === null) outgoing.destroy();
            else
              outgoing
                .writeHead(answer.status, { 'content-type': 'application/json' })
                .end(JSON.stringify(answer.body));
          })
          .catch(() => outgoing.destroy());
      });
    });
  }

  private async pass(path: string, body: string): Promise<{ status: number; body: object } | null> {
    const actions = actionsIn(body);
    const dice = this.random.below(15);
    if (dice === 0) {
      this.refused += actions.length;
      return { status: 429, body: { error: FULL, status: 429 } };
    }
    if (dice === 1) {
      this.cut += actions.length;
      return null;
    }
    const isRefused = actions.map((_, at) => (dice === 2 || dice === 3) && at % 3 === 1);
    const sent = await request(`${this.upstream}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: actions
        .map((action, at) =>
          dice === 5 && at % 5 === 2 && /^\{"(index|delete)"/.test(action) ? stale(action) : action,
        )
        .filter((_, at) => !isRefused[at])
        .join(''),
    });
    const answer = (await sent.body.json()) as Answer;
    if (dice === 4) {
      this.cut += actions.length;
      add(this.hidden, answer);
      return null;
    }
    add(this.reported, answer);
    const items = [...answer.items];
    const all = isRefused.map((refused, at) =>
      refused ? { [/"(\w+)"/.exec(actions[at]!)![1]!]: { status: 429, error: FULL } } : items.shift()!,
    );
    this.refused += isRefused.filter(Boolean).length;
    return {
      status: 200,
      body: { ...answer, errors: answer.errors || isRefused.includes(true), items: all },
    };
  }
}

type Work = Parameters<typeof writeJob>[0];

/**
 * Sends a few thousand actions through the proxy that injects faults. Returns how Dyno counted them, and the documents in the indices
 * afterwards.
 */
async function carryOut(work: Work, indices: string[]) {
  const faults = new Faults(url());
  await new Promise<void>((resolve) => {
    faults.server.listen(0, '127.0.0.1', resolve);
  });
  for (const index of indices)
    await ask('PUT', `${url()}/${index}`, {
      settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' },
      mappings: { properties: { n: { type: 'long' } }, dynamic: false },
    });
  try {
    const node = `http://127.0.0.1:${(faults.server.address() as AddressInfo).port}`;
    const { outcome } = await fire(
      job(
        node,
        [
          {
            name: 'ingest',
            operation: {
              kind: 'ingest',
              source: { kind: 'generator', generator: 'systembase' },
              parse: null,
              bulk: { docs: 50 },
              writes: writeJob(work)!,
              retries: { attempts: 2, baseMs: 2, maxMs: 20 },
            },
            executor: { kind: 'constant-clients', clients: 8, thinkTimeMs: 0 },
          },
        ],
        { indices, documents: 3000, measureMs: null, drainMs: 10_000 },
      ),
      2,
    );
    return { faults, task: outcome.tasks[0]!, ...(await stored(indices)) };
  } finally {
    faults.server.closeAllConnections();
    faults.server.close();
  }
}

/** Returns the number of documents in the indices, and the sum of their versions. */
async function stored(indices: string[]): Promise<{ docs: number; versions: number }> {
  const at = `${url()}/${indices.join()}`;
  await ask('POST', `${at}/_refresh`);
  const { body } = await ask<{ count: number }>('GET', `${at}/_count`);
  const found = await ask<{ hits: { hits: { _version: number }[] } }>('POST', `${at}/_search`, {
    size: 10_000,
    version: true,
    _source: false,
  });
  const { hits } = found.body.hits;
  // The search must return all documents, so that the sum is complete.
  expect(hits).toHaveLength(body.count);
  return { docs: body.count, versions: hits.reduce((sum, { _version: version }) => sum + version, 0) };
}

/**
 * Returns the warning that Dyno shows at the end of a trial if the index contains another number of documents than Dyno counted. '' if the
 * numbers agree.
 */
function mismatch(task: TaskOutcome, docs: number): string {
  const trial = structuredClone(makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } })).trials[0]!);
  return indexMismatch(indexCount({ ...trial, tasks: [taskSummary(task, [])] }, docs));
}

jest.setTimeout(60_000);
beforeAll(buildWorker);

describe('the counts of documents equal what the indices contain', () => {
  test.each<[string, Work, string[]]>([
    [
      'random ids',
      { actions: { index: 60, update: 30, delete: 10 }, ids: { by: 'random', conflicts: 0.2, recency: 1 } },
      ['writes-random'],
    ],
    [
      'ascending ids, creates, upserts, and two indices',
      {
        actions: { index: 35, create: 25, update: 30, delete: 10 },
        ids: { by: 'sequential', conflicts: 0.2 },
        update: { doc: ['correlationId'], doc_as_upsert: true, retry_on_conflict: 1 },
      },
      ['writes-a', 'writes-b'],
    ],
  ])('%s', async (_, work, indices) => {
    const { faults, task, docs, versions } = await carryOut(work, indices);
    const { total } = task;
    const writes = task.writes!;
    const { reported, hidden } = faults;

    expect(total.attempted).toBe(endedOf(total));
    expect(total).toMatchObject({
      accepted: reported.accepted,
      conflicted: reported.conflicted,
      missing: reported.missing,
      unknown: faults.cut,
      failed: 0,
    });
    expect(total.rejected + total.retried).toBe(faults.refused);
    const { accepted, conflicted, missing, ...did } = reported;
    expect(writes).toMatchObject(did);

    // Every kind of outcome must have occurred.
    expect(
      Math.min(accepted, conflicted, missing, faults.cut, hidden.created, hidden.deleted),
    ).toBeGreaterThan(0);
    expect(Math.min(total.retried, writes.updated, writes.deleted, writes.created)).toBeGreaterThan(50);

    // Together with the hidden operations, the counts are exact. Without them, the number of documents is within the range that Dyno
    // reports.
    expect(docs).toBe(writes.created - writes.deleted + hidden.created - hidden.deleted);
    expect(versions).toBe(writes.versions + hidden.versions);
    expect(mismatch(task, docs)).toBe('');
    expect(mismatch(task, writes.created + writes.perhapsAdded + 1)).toMatch(/must be there/);
    expect(writes.perhapsAdded).toBeGreaterThanOrEqual(hidden.created);
    expect(writes.perhapsRemoved).toBeGreaterThanOrEqual(hidden.deleted);
    process.stdout.write(
      `${indices.join()}: ${docs} documents of versions ${versions}; ${JSON.stringify({ total, writes, hidden })}\n`,
    );
  });

  test('a run with parsed lines and without faults reports exact counts and completes', async () => {
    const file = place.write('writes.json', {
      version: 1,
      name: 'writes',
      index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
      tasks: [
        {
          name: 'ingest',
          ingest: {
            source: { generator: 'apache-access-lines' },
            parse: { pattern: '%{COMBINEDAPACHELOG}' },
            bulk: { docs: 500 },
            actions: { index: 60, create: 10, update: 20, delete: 10 },
            ids: { by: 'sequential', conflicts: 0.2 },
          },
          executor: { 'constant-clients': { clients: 2 } },
        },
      ],
      measure: { warmup: '0s', documents: 10_000 },
      trials: 1,
    });
    const { code, stdout, stderr } = await place.dyno(
      'run',
      file,
      '--elasticsearch',
      url(),
      '--report',
      'r.json',
    );
    expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
    await ask('POST', `${url()}/dyno-trials-*/_refresh`);
    interface Trial {
      trial: { state: string };
      index: { docs: number };
      tasks: { total: { accepted: number; conflicted: number; attempted: number }; writes: WriteAccount }[];
    }
    const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
      'GET',
      `${url()}/dyno-trials-*/_search`,
    );
    const [{ _source: trial }] = body.hits.hits as [{ _source: Trial }];
    const [{ total, writes }] = trial.tasks as [Trial['tasks'][0]];
    expect(trial.trial.state).toBe('completed');
    expect(trial.index.docs).toBe(writes.created - writes.deleted);
    expect(total.conflicted).toBeGreaterThan(100);
    expect(writes).toEqual({ ...noWrites(), ...writes, perhapsAdded: 0, perhapsRemoved: 0 });
    expect(stdout).toMatch(/conflicted/);
  });
});
