/** Tests unusual answers to bulk requests. The settings of the task and the target give no reason to expect them. */
import type { TaskJob } from '../contract';
import { endedOf } from '../../../common/measurement/counts';
import { accepted, answerText, ingest, loopback, runShare, type ShareOptions } from '../testing/loopback';

const DOCS = 10;
const BULKS = 5;
const task: TaskJob = ingest({ kind: 'constant-clients', clients: 1, thinkTimeMs: 0 }, DOCS);
const OWN = { names: ['trial-1'], series: [], hasPipeline: false };

type Item = Record<string, Record<string, unknown>> | null;
const stored: Item = { index: { _index: 'trial-1', _version: 1, result: 'created', status: 201 } };
const ITEMS = Array.from({ length: DOCS }, () => stored);

/**
 * Sends five bulks of ten documents and returns the outcome of the task. `answer`: returns the answer to the bulk with this number.
 * `requests`: number of bulks that the server must have received before the load ends.
 */
async function ingested(answer: (number: number) => string, more: ShareOptions = {}, requests = BULKS) {
  const target = await loopback((socket, number) => {
    socket.write(answerText(answer(number)));
  });
  try {
    const { outcome } = await runShare([target.url], [task], {
      documents: DOCS * BULKS,
      measureMs: null,
      destination: OWN,
      until: () => target.requests >= requests,
      ...more,
    });
    expect(outcome.total.attempted).toBe(endedOf(outcome.total));
    return outcome;
  } finally {
    await target.close();
  }
}
const answerOf = (items: Item[]): string => JSON.stringify({ took: 1, errors: false, items });
const twoAre =
  (item: Item): (() => string) =>
  () =>
    answerOf([...ITEMS.slice(2), item, item]);

test.each<[string, Item, object]>([
  ['dropped', { index: { _index: 'trial-1', _version: -3, result: 'noop', status: 200 } }, { dropped: 10 }],
  [
    'sent to another index',
    { index: { _index: 'other', _version: 1, result: 'created', status: 201 } },
    { redirected: 10 },
  ],
  [
    'sent to a failure store',
    { create: { _index: '.fs-trial-1', result: 'created', status: 201, failure_store: 'used' } },
    { redirected: 10 },
  ],
  [
    'failed though the answer says no errors',
    { index: { status: 400, error: { type: 'x' } } },
    { failed: 10 },
  ],
  ['left without a status', { index: { _index: 'trial-1' } }, { unknown: 10 }],
  ['left without an item', null, { unknown: 10 }],
])('documents that were %s are seen from the first bulk on', async (_, item, counts) => {
  const { total } = await ingested(twoAre(item));
  expect(total).toMatchObject({ attempted: 50, accepted: 40, ...counts });
});

test('items that are missing are unknown, and the others count', async () => {
  const { total, failures } = await ingested(() => answerOf(ITEMS.slice(0, 7)));
  expect(total).toMatchObject({ accepted: 35, unknown: 15 });
  expect(failures['bad-answer']).toMatchObject({
    count: 15,
    example: 'the answer has 7 items for 10 documents',
  });
});

test.each([
  ['no items', '{"took":1,"errors":false}'],
  ['an empty list of items', '{"took":1,"errors":false,"items":[]}'],
  ['more items than documents', accepted(DOCS + 1)],
])('an answer with %s says nothing of its documents', async (_, answer) => {
  const { total } = await ingested(() => answer);
  expect(total).toMatchObject({ accepted: 0, unknown: 50, failedRequests: 5 });
});

test('answers that lose their items later are noticed by their length', async () => {
  const { total, failures } = await ingested((number) => (number < 3 ? accepted(DOCS) : accepted(0)));
  expect(total).toMatchObject({ accepted: 30, unknown: 20 });
  expect(failures['bad-answer']!.example).toMatch(/^an answer of \d+ bytes has no items for 10 documents$/);
});

test('where the target has a pipeline, what it drops later is seen too', async () => {
  const drops = twoAre({ index: { _index: 'trial-1', _version: -3, result: 'noop', status: 200 } });
  const { total, writes } = await ingested((number) => (number < 3 ? answerOf(ITEMS) : drops()), {
    destination: { ...OWN, hasPipeline: true },
  });
  expect(total).toMatchObject({ accepted: 46, dropped: 4 });
  expect(writes).toMatchObject({ created: 46, unchanged: 0 });
});

test('a refusal in an answer that lacks items is not sent again, for nobody knows of which document it is', async () => {
  const full: Item = {
    index: { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } },
  };
  const { total } = await ingested(() => answerOf([...ITEMS.slice(0, 5), full]));
  expect(total).toMatchObject({ accepted: 25, rejected: 5, retried: 0, unknown: 20 });
});

test('the reasons of refusals that a retry cured are kept, apart from those of failures', async () => {
  const full: Item = {
    index: { status: 429, error: { type: 'circuit_breaking_exception', reason: 'too large' } },
  };
  const { total, failures, retries } = await ingested(
    (number) => (number === 0 ? answerOf([...ITEMS.slice(1), full]) : accepted(number === 1 ? 1 : DOCS)),
    {},
    BULKS + 1,
  );
  expect(total).toMatchObject({ accepted: 50, retried: 1, rejected: 0 });
  expect(failures).toEqual({});
  expect(retries).toEqual({ circuit_breaking_exception: { count: 1, example: 'too large' } });
});
