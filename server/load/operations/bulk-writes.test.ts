/** Tests one load thread that writes documents by ids, against small servers whose answers the test defines. */
import { writeJob } from '../../../common/tasks/writes';
import type { TaskJob } from '../contract';
import { answerText, ingest, loopback, runShare, type Reply } from '../testing/loopback';

/** Returns the actions of a body, each with the line after it. */
function actionsIn(body: string): { action: string; id: string; text: string }[] {
  const lines = body.split('\n').slice(0, -1);
  const found: { action: string; id: string; text: string }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [[action, { _id: id }]] = Object.entries(JSON.parse(line) as object) as [[string, { _id: string }]];
    const text = action === 'delete' ? `${line}\n` : `${line}\n${lines[(at += 1)]!}\n`;
    found.push({ action, id, text });
  }
  return found;
}

const RESULTS: Record<string, object> = {
  index: { result: 'created', _version: 1, status: 201 },
  update: { result: 'updated', _version: 2, status: 200 },
  delete: { result: 'deleted', _version: 3, status: 200 },
};
const REFUSED = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } };

const answer = (items: object[]): string => answerText(JSON.stringify({ errors: false, took: 1, items }));

const mixed = (docs = 30): TaskJob => {
  const task = ingest({ kind: 'constant-clients', clients: 1, thinkTimeMs: 0 }, docs);
  const writes = writeJob({ actions: { index: 5, update: 3, delete: 2 }, ids: { by: 'sequential' } })!;
  return { ...task, operation: { ...task.operation, writes } as TaskJob['operation'] };
};

/** Sends 300 documents in bulks of 30, until the server has received `requests` bulks. Returns the outcome of the task. */
async function carriedOut(reply: Reply, requests = 10) {
  const target = await loopback(reply);
  try {
    const until = (): boolean => target.requests === requests;
    return (await runShare([target.url], [mixed()], { documents: 300, measureMs: null, until })).outcome;
  } finally {
    await target.close();
  }
}

test('what is refused is sent again as it was, deletes without a document, and everything adds up', async () => {
  const first = new Map<string, string[]>();
  const again: string[] = [];
  const done: Record<string, number> = { index: 0, update: 0, delete: 0 };
  let waiting: string[] = [];
  const { total, writes } = await carriedOut((socket, _, body) => {
    const actions = actionsIn(body);
    const texts = actions.map(({ text }) => text);
    if (waiting.length > 0) again.push(...texts);
    expect(waiting.length === 0 || waiting.join('') === body).toBe(true);
    const isRefused = (at: number): boolean => waiting.length === 0 && at % 3 === 1;
    const items = actions.map(({ action }, at) => ({ [action]: isRefused(at) ? REFUSED : RESULTS[action] }));
    actions.forEach(({ action }, at) => (done[action]! += isRefused(at) ? 0 : 1));
    waiting = texts.filter((__, at) => isRefused(at));
    first.set(body, texts);
    socket.write(answer(items));
  }, 20);
  expect(total).toMatchObject({ attempted: 300, accepted: 300, retried: 100, rejected: 0, unknown: 0 });
  expect(again).toHaveLength(100);
  expect(again.filter((text) => text.startsWith('{"delete"')).length).toBeGreaterThan(5);
  expect(done['delete']).toBeGreaterThan(20);
  expect(writes).toMatchObject({
    created: done['index'],
    updated: done['update'],
    deleted: done['delete'],
    versions: done['index']! + done['update']! - 2 * done['delete']!,
    perhapsAdded: 0,
    perhapsRemoved: 0,
  });
});

test('bulks without an answer may have added their documents, and taken away what they deleted', async () => {
  const lost: string[] = [];
  const { total, writes } = await carriedOut((socket, number, body) => {
    const actions = actionsIn(body).map(({ action }) => action);
    if (number % 4 !== 2) socket.write(answer(actions.map((action) => ({ [action]: RESULTS[action] }))));
    else {
      lost.push(...actions);
      socket.destroy();
    }
  });
  const count = (name: string): number => lost.filter((action) => action === name).length;
  expect(total.unknown).toBe(lost.length);
  expect(writes).toMatchObject({ perhapsAdded: count('index'), perhapsRemoved: count('delete') });
  expect(count('index') * count('delete') * count('update')).toBeGreaterThan(0);
});

test('a bulk that is answered with a conflict or nothing to delete has those outcomes, and no failures', async () => {
  const { total, failures } = await carriedOut((socket, _, body) => {
    const items = actionsIn(body).map(({ action }) => ({
      [action]:
        action === 'delete'
          ? { result: 'not_found', status: 404, _version: 1 }
          : { status: 409, error: { type: 'version_conflict_engine_exception', reason: 'there is one' } },
    }));
    socket.write(answer(items));
  });
  expect(total).toMatchObject({ attempted: 300, accepted: 0, failed: 0 });
  expect(total.conflicted + total.missing).toBe(300);
  expect(total.missing).toBeGreaterThan(20);
  expect(failures).toEqual({});
});

describe('where bulks count as a whole', () => {
  /**
   * Sends bulks of 10 documents without ids, and returns the outcome and the number of stored documents. In every second bulk, two
   * documents are not stored. If `asAWhole` is true, the load generator counts all documents of such a bulk as failed.
   */
  async function counted(asAWhole: boolean) {
    const task = ingest({ kind: 'constant-clients', clients: 1, thinkTimeMs: 0 }, 10);
    const retries = { attempts: 0, baseMs: 1, maxMs: 1 };
    const operation = { ...task.operation, retries, ...(asAWhole ? { asAWhole: true } : {}) };
    let stored = 0;
    const target = await loopback((socket, number) => {
      const items = Array.from({ length: 10 }, (_, at) => ({
        index: number % 2 === 0 || (at !== 3 && at !== 7) ? RESULTS['index']! : at === 3 ? REFUSED : BROKEN,
      }));
      stored += items.filter(({ index }) => index === RESULTS['index']).length;
      socket.write(answerText(JSON.stringify({ errors: number % 2 === 1, took: 1, items })));
    });
    try {
      const options = { documents: 100, measureMs: null, until: () => target.requests === 10 };
      const share = await runShare([target.url], [{ ...task, operation } as TaskJob], options);
      return { ...share.outcome, stored };
    } finally {
      await target.close();
    }
  }
  const BROKEN = { status: 400, error: { type: 'document_parsing_exception', reason: 'no number' } };

  it('counts what was stored beside a refused document as disregarded, and the refused one alone as rejected', async () => {
    const { total, failures, stored } = await counted(true);
    expect(total).toMatchObject({ attempted: 100, accepted: 50, rejected: 5, failed: 5, disregarded: 40 });
    expect(total.accepted + total.disregarded).toBe(stored);
    expect(Object.values(failures).reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });

  it('counts each document by its own answer otherwise', async () => {
    const { total, stored } = await counted(false);
    expect(total).toMatchObject({ attempted: 100, accepted: 90, rejected: 5, failed: 5, disregarded: 0 });
    expect(total.accepted).toBe(stored);
  });
});

test('the same seed sends the same bulks', async () => {
  const bodies: string[][] = [[], []];
  for (const own of bodies)
    await carriedOut((socket, _, body) => {
      // Leaves out what depends on the clock.
      own.push(
        actionsIn(body)
          .map(({ action, id }) => `${action} ${id}`)
          .join(),
      );
      socket.write(answer(actionsIn(body).map(({ action }) => ({ [action]: RESULTS[action] }))));
    });
  expect(bodies[0]).toEqual(bodies[1]);
  expect(bodies[0]).toHaveLength(10);
});
