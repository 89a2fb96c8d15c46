import { contentLimit, checkBulkSizes } from './bulk-size';
import type { Plan } from '../../../common/experiment/plan';

const MB = 1024 ** 2;
const plan = (bulk: object, source: object = { generator: 'apache-logs' }) =>
  ({ cells: [{ definition: { tasks: [{ name: 'load', ingest: { source, bulk } }] } }] }) as unknown as Plan;

test('the smallest limit of all nodes counts, and nodes that report none are skipped', () => {
  const nodes = (...limits: (number | null)[]) => limits.map((maxContentBytes) => ({ maxContentBytes }));
  expect(contentLimit(nodes(100 * MB, 50 * MB, null))).toBe(50 * MB);
  expect(contentLimit(nodes(null))).toBeUndefined();
  expect(contentLimit([])).toBeUndefined();
});

test('a bulk by bytes above the limit is refused, and the error names the setting and the allowed size', () => {
  expect(() => checkBulkSizes(plan({ bytes: '110mb' }), 100 * MB)).toThrow(
    /tasks\.load\.ingest\.bulk\.bytes.*http\.max_content_length \(100mb here\).*413.*110mb.*at most 100mb/s,
  );
  expect(checkBulkSizes(plan({ bytes: '100mb' }), 100 * MB)).toEqual([]);
  expect(checkBulkSizes(plan({ bytes: '110mb' }), undefined)).toEqual([]);
});

test('a bulk by documents is refused if its estimate is far above the limit, and causes a warning near the limit', () => {
  expect(() => checkBulkSizes(plan({ docs: 500_000 }), 100 * MB)).toThrow(/bulk\.docs.*about 295\.6mb/s);
  expect(checkBulkSizes(plan({ docs: 170_000 }), 100 * MB)).toEqual([
    expect.stringMatching(
      /^bulks of 170,000 documents .* have about 100\.5mb: the target refuses those above/,
    ),
  ]);
  expect(checkBulkSizes(plan({ docs: 1000 }), 100 * MB)).toEqual([]);
  expect(checkBulkSizes(plan({ docs: 1_000_000 }, { file: 'corpus.ndjson' }), 100 * MB)).toEqual([]);
});
