import { createRandom } from '../../../common/random';
import { writeJob } from '../../../common/tasks/writes';
import { Batch } from './batch';
import type { BatchLimit, DocumentSource, Filled } from './source';
import { WriteSource, type WriteSetting } from './writes';

/**
 * A source of the documents `{"n":0,"id":"a0","t":{"x":1}}`, `{"n":1,...}` and so on. After `atOnce` documents, clients must wait for more.
 */
class Numbered implements DocumentSource {
  made = 0;
  constructor(
    private readonly most = Infinity,
    private readonly atOnce = Infinity,
    private readonly line = (n: number) => `{"n":${n},"id":"a${n}","t":{"x":[${n},"}"]}}`,
  ) {}

  fill(batch: Batch, limit: BatchLimit): Filled {
    let rendered = 0;
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      if (this.made === this.most) return 'ended';
      if (rendered === this.atOnce) return 'waiting';
      const bytes = Buffer.from(`${this.line(this.made)}\n`);
      batch.reserve(bytes.length);
      batch.begin();
      batch.append(bytes);
      this.made += 1;
      rendered += 1;
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    this.made = this.most;
  }
}

type Work = Parameters<typeof writeJob>[0];

function sourceOf(work: Work, inner: DocumentSource = new Numbered(), more: Partial<WriteSetting> = {}) {
  const broken: unknown[] = [];
  const source = new WriteSource(inner, writeJob(work)!, {
    indices: ['trial-1'],
    ids: { task: 0, share: 3, seed: 7 },
    random: createRandom(11),
    onBroken: (error) => broken.push(error),
    ...more,
  });
  return { source, broken };
}

function text(source: DocumentSource, limit: Partial<BatchLimit> = {}): string {
  const batch = new Batch();
  source.fill(batch, { docs: Infinity, bytes: Infinity, ...limit }, 0);
  return batch.body().toString();
}

/** Returns the action lines of a batch with their documents. */
const places = (batch: Batch): string[] =>
  Array.from({ length: batch.count }, (_, i) =>
    batch.bytes.toString('utf8', batch.starts[i], i + 1 < batch.count ? batch.starts[i + 1] : batch.length),
  );

/** Returns each action with its id, such as `index 0-3-000000000000`. */
const actionsOf = (body: string): { action: string; id: string | undefined }[] =>
  body
    .split('\n')
    .filter((line) => /^\{"(index|create|update|delete)":/.test(line))
    .map((line) => {
      const [[action, { _id: id }]] = Object.entries(JSON.parse(line) as object) as [
        [string, { _id?: string }],
      ];
      return { action, id };
    });

describe('lines', () => {
  test('an ascending id for each document', () => {
    const { source } = sourceOf({ ids: { by: 'sequential' } });
    expect(text(source, { docs: 2 })).toBe(
      '{"index":{"_id":"0-3-000000000000"}}\n{"n":0,"id":"a0","t":{"x":[0,"}"]}}\n' +
        '{"index":{"_id":"0-3-000000000001"}}\n{"n":1,"id":"a1","t":{"x":[1,"}"]}}\n',
    );
  });

  test('creations without ids, routed by a field', () => {
    const { source } = sourceOf({ actions: { create: 1 }, routing: { field: 'n' } });
    expect(text(source, { docs: 1 })).toBe(
      '{"create":{"routing":"0"}}\n{"n":0,"id":"a0","t":{"x":[0,"}"]}}\n',
    );
  });

  test('ids and routing from fields, and an update by some fields of the document', () => {
    const { source } = sourceOf({
      actions: { update: 1 },
      ids: { by: 'field', field: 'id' },
      routing: { field: 'n' },
      update: { doc: ['t', 'nowhere', 'n'], doc_as_upsert: true, retry_on_conflict: 2 },
    });
    expect(text(source, { docs: 1 })).toBe(
      '{"update":{"_id":"a0","routing":"0","retry_on_conflict":2}}\n' +
        '{"doc":{"t":{"x":[0,"}"]},"n":0},"doc_as_upsert":true}\n',
    );
  });

  test.each<[string, Work['update'], string]>([
    ['the whole document', undefined, '{"doc":{"n":0,"id":"a0","t":{"x":[0,"}"]}}}'],
    ['a part that stays the same', { doc: { seen: true }, detect_noop: false }, '{"doc":{"seen":true},"detect_noop":false}'],
    ['a script', { script: { source: 'ctx._source.n++', params: { by: 2 } } }, '{"script":{"source":"ctx._source.n++","params":{"by":2}}}'],
    ['a script with what it stores', { script: { source: 'x', lang: 'painless' }, upsert: { n: 0 } }, '{"script":{"source":"x","lang":"painless"},"upsert":{"n":0}}'],
    ['a script that stores the document', { script: { source: 'x' }, upsert: 'whole', scripted_upsert: true }, '{"script":{"source":"x"},"scripted_upsert":true,"upsert":{"n":0,"id":"a0","t":{"x":[0,"}"]}}}'],
  ]) // oxfmt-ignore
  ('an update by %s', (_, update, expected) => {
    const { source } = sourceOf({ actions: { update: 1 }, ids: { by: 'field', field: 'n' }, update });
    expect(text(source, { docs: 1 })).toBe(`{"update":{"_id":"0"}}\n${expected}\n`);
  });

  test('a delete is a line alone, and takes no document where the id is drawn', () => {
    const inner = new Numbered();
    const { source } = sourceOf({ actions: { index: 1, delete: 1 }, ids: { by: 'sequential' } }, inner);
    const batch = new Batch();
    source.fill(batch, { docs: 200, bytes: Infinity }, 0);
    const deletes = places(batch).filter((place) => place.startsWith('{"delete"'));
    expect(deletes.length).toBeGreaterThan(60);
    for (const place of deletes) expect(place).toMatch(/^\{"delete":\{"_id":"0-3-\d{12}"\}\}\n$/);
    // At most the documents that were rendered ahead.
    expect(inner.made - (200 - deletes.length)).toBeLessThan(32);
  });

  test('with several indices a document and its updates go to the same one', () => {
    const indices = ['t-1', 't-2', 't-3'];
    const { source } = sourceOf({ actions: { index: 1, update: 1 }, ids: { by: 'random' } }, new Numbered(), {
      indices,
    });
    const seen = new Map<string, string>();
    for (const line of text(source, { docs: 500 })
      .split('\n')
      .filter((one) => one.includes('"_id"'))) {
      const [{ _id: id, _index: index }] = Object.values(JSON.parse(line) as object) as [
        { _id: string; _index: string },
      ];
      expect(seen.get(id) ?? index).toBe(index);
      seen.set(id, index);
    }
    expect(new Set(seen.values())).toEqual(new Set(indices));
  });
});

describe('what is drawn', () => {
  const mixed: Work = {
    actions: { index: 60, update: 30, delete: 10 },
    ids: { by: 'random', conflicts: 0.2 },
  };

  test('is the same in every run, however the documents arrive', () => {
    const whole = text(sourceOf(mixed, new Numbered(2000)).source, { docs: 2000 });
    const { source } = sourceOf(mixed, new Numbered(2000, 7));
    let pieces = '';
    let left = 2000;
    while (left > 0) {
      const batch = new Batch();
      source.fill(batch, { docs: Math.min(left, 30), bytes: Infinity }, 0);
      pieces += batch.body().toString();
      left -= batch.count;
    }
    expect(pieces).toBe(whole);
    expect(
      text(sourceOf(mixed, new Numbered(), { random: createRandom(12) }).source, { docs: 2000 }),
    ).not.toBe(whole);
  });

  test('follows the shares and the rate of conflicts, and changes only what was given out and not deleted', () => {
    const drawn = actionsOf(text(sourceOf(mixed).source, { docs: 20_000 }));
    const count = (action: string): number =>
      drawn.filter((own) => own.action === action).length / drawn.length;
    expect(count('index')).toBeCloseTo(0.6, 1.5);
    expect(count('update')).toBeCloseTo(0.3, 1.5);
    expect(count('delete')).toBeCloseTo(0.1, 1.5);
    const live = new Set<string>();
    let again = 0;
    let astray = 0;
    for (const { action, id } of drawn) {
      if (action === 'index') {
        if (live.has(id!)) again += 1;
        live.add(id!);
      } else if (!live.has(id!)) astray += 1;
      if (action === 'delete') live.delete(id!);
    }
    expect(astray).toBe(0);
    expect(again / (count('index') * drawn.length)).toBeCloseTo(0.2, 1.5);
    expect(live.size).toBe(count('index') * drawn.length - again - count('delete') * drawn.length);
  });

  test('an update that stores what is not there takes new ids', () => {
    const work: Work = {
      actions: { update: 1 },
      ids: { by: 'sequential', conflicts: 0.5 },
      update: { doc_as_upsert: true },
    };
    const ids = actionsOf(text(sourceOf(work).source, { docs: 10_000 })).map(({ id }) => id);
    expect(new Set(ids).size / ids.length).toBeCloseTo(0.5, 1.5);
  });
});

describe('bulks', () => {
  test('are filled up to their bytes, and what did not fit opens the next one', () => {
    const { source } = sourceOf({ ids: { by: 'sequential' } });
    const whole = text(sourceOf({ ids: { by: 'sequential' } }).source, { docs: 9 });
    let pieces = '';
    for (let i = 0; i < 3; i += 1) {
      const body = text(source, { bytes: 250 });
      expect(body.length).toBeLessThanOrEqual(250);
      pieces += body;
    }
    expect(pieces).toBe(whole);
  });

  test('end with the source', () => {
    const { source } = sourceOf({ ids: { by: 'sequential' } }, new Numbered(5));
    const batch = new Batch();
    expect(source.fill(batch, { docs: 9, bytes: Infinity }, 0)).toBe('ended');
    expect(batch.count).toBe(5);
  });

  test('a document without the id, or whose id is no value, breaks the source with its path', () => {
    for (const line of ['{"n":1}', '{"id":null}', '{"id":{"x":1}}']) {
      const { source, broken } = sourceOf(
        { ids: { by: 'field', field: 'id' } },
        new Numbered(9, 9, () => line),
      );
      expect(source.fill(new Batch(), { docs: 1, bytes: Infinity }, 0)).toBe('ended');
      expect(broken).toEqual([expect.objectContaining({ code: 'source.no-id' })]);
    }
  });

  test('a rejected action is kept, with its document if it has one', () => {
    const { source } = sourceOf({ actions: { index: 1, update: 1, delete: 1 }, ids: { by: 'random' } });
    const batch = new Batch();
    source.fill(batch, { docs: 60, bytes: Infinity }, 0);
    const all = places(batch);
    const kept = [0, 3, 4, 17, 18, 19, 20, 41, 59];
    batch.keep(kept, kept.length);
    expect(batch.body().toString()).toBe(kept.map((place) => all[place]).join(''));
    expect(places(batch)).toEqual(kept.map((place) => all[place]));
  });
});
