/**
 * Checks definitions whose tasks use indices that existed before the run (`index.existing`). Reports keys that are not possible with such
 * indices, and writes that the definition does not permit.
 */
import type { Problem } from '../problem';
import { writes } from '../tasks/registry';
import { definitionSchema, durationMs, type Definition } from './definition';
import { isSeveral, namesIn } from '../elasticsearch/existing-names';

type Parts = Pick<Definition, 'index' | 'preload' | 'tasks' | 'measure'>;

const OWN_NAME = definitionSchema.shape.index.parse({}).name;

/** Keys that only make sense for indices that Dyno creates. */
const OF_MADE_INDICES: readonly { path: string; isGiven: (parts: Parts) => boolean; message: string }[] = [
  {
    path: 'index.name',
    isGiven: ({ index }) => index.name !== OWN_NAME,
    message: 'existing data has its own name, and Dyno creates no index that would need one',
  },
  {
    path: 'index.count',
    isGiven: ({ index }) => index.count > 1,
    message:
      'Dyno creates no indices next to existing data: list several names, separated by commas, or use *',
  },
  {
    path: 'index.route',
    isGiven: ({ index }) => index.route !== 'in-turn',
    message: 'documents go to the existing index, whatever the values of their fields',
  },
  ...(['as', 'rollover', 'lifecycle', 'dimensions', 'templates'] as const).map((key) => ({
    path: `index.${key}`,
    isGiven: ({ index }: Parts) => index[key] !== undefined,
    message: 'Dyno creates nothing next to existing data',
  })),
  {
    path: 'index.settings',
    isGiven: ({ index }) => Object.keys(index.settings).length > 0,
    message: 'Dyno does not change the settings of an existing index',
  },
  {
    path: 'index.mapping',
    isGiven: ({ index }) => index.mapping !== undefined,
    message: 'Dyno does not change the mapping of an existing index',
  },
  {
    path: 'index.allocation',
    isGiven: ({ index }) => typeof index.allocation === 'object',
    message: 'Dyno does not move the shards of an existing index',
  },
  {
    path: 'preload',
    isGiven: ({ preload }) => preload !== undefined,
    message: 'Dyno does not load documents into existing data before a trial',
  },
  {
    path: 'measure.force-merge',
    isGiven: ({ measure }) => measure['force-merge'] !== undefined,
    message: 'Dyno does not merge the segments of existing data',
  },
  {
    path: 'measure.recipe',
    isGiven: ({ measure }) => measure.recipe !== undefined,
    message: 'Dyno does not change settings or segments of existing data',
  },
  {
    path: 'measure.disk-usage',
    isGiven: ({ measure }) => measure['disk-usage'] === true,
    message: 'reading the bytes by field flushes an index, and Dyno does not change existing data',
  },
];

/**
 * Returns a problem for each key that is not possible with indices that existed before the run. Also returns a problem for each write to
 * these indices that the definition does not permit.
 */
export function checkExisting(definition: Parts): Problem[] {
  const { index, tasks } = definition;
  const { existing, 'allow-writes': isAllowed = false } = index;
  if (existing === undefined)
    return isAllowed
      ? [
          {
            code: 'definition.allow-writes',
            path: 'index.allow-writes',
            message: 'trials can always write to the indices that they create',
            found: 'true',
            allowed: 'without this key, or with index.existing',
          },
        ]
      : [];
  const problems = OF_MADE_INDICES.filter(({ isGiven }) => isGiven(definition)).map(
    ({ path, message }): Problem => ({
      code: 'definition.existing',
      path,
      message,
      allowed: 'no such key with index.existing',
    }),
  );
  const writer = tasks.findIndex(writes);
  const ingest = tasks.findIndex((task) => task.ingest);
  if (writer < 0) return problems;
  if (!isAllowed)
    problems.push({
      code: 'definition.allow-writes',
      path: 'index.allow-writes',
      message: `tasks[${writer}] would change existing data permanently`,
      found: 'false',
      allowed: 'true, or tasks that only search',
    });
  else if (ingest >= 0 && isSeveral(existing))
    problems.push({
      code: 'definition.existing',
      path: 'index.existing',
      message: `tasks[${ingest}] sends documents, which go to one index`,
      found: existing,
      allowed: 'the name of one index, alias or data stream',
    });
  else if (namesIn(existing).some((name) => name.startsWith('.')))
    problems.push({
      code: 'definition.existing',
      path: 'index.existing',
      message:
        'names that begin with a dot belong to Elasticsearch and its features, and Dyno does not write to them',
      found: existing,
      allowed: 'another name',
    });
  return problems;
}

/** Returns a problem if `measure.caches` contradicts other keys of the definition. */
export function checkCaches({ measure }: Pick<Definition, 'measure'>): Problem[] {
  const { caches, warmup, documents } = measure;
  const isWarmedUp = warmup === undefined ? documents === undefined : durationMs(warmup) > 0;
  if (caches !== 'warm' || isWarmedUp) return [];
  return [
    {
      code: 'definition.caches',
      path: 'measure.caches',
      message: 'the warm-up fills the caches, and this trial has no warm-up',
      found: 'warm',
      allowed: 'measure.warmup: longer than 0s, or caches: cold',
    },
  ];
}
