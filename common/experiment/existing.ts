/** Experiments on data that is there already: what they cannot ask for, and when they may write to it. */
import type { Problem } from '../problem';
import { writes } from '../tasks/registry';
import { definitionSchema, durationMs, type Definition } from './definition';
import { isSeveral, namesIn } from '../elasticsearch/existing-names';

type Parts = Pick<Definition, 'index' | 'preload' | 'tasks' | 'measure'>;

const OWN_NAME = definitionSchema.shape.index.parse({}).name;

/** What says how indices are made, or what is put into them. */
const OF_MADE_INDICES: readonly { path: string; isGiven: (parts: Parts) => boolean; message: string }[] = [
  {
    path: 'index.name',
    isGiven: ({ index }) => index.name !== OWN_NAME,
    message: 'existing data has its name, and nothing is created that would need another',
  },
  {
    path: 'index.count',
    isGiven: ({ index }) => index.count > 1,
    message: 'no indices are created beside existing data: name several with commas or *',
  },
  {
    path: 'index.route',
    isGiven: ({ index }) => index.route !== 'in-turn',
    message: 'documents go to the existing index that is named, whatever their fields hold',
  },
  ...(['as', 'rollover', 'lifecycle', 'dimensions', 'templates'] as const).map((key) => ({
    path: `index.${key}`,
    isGiven: ({ index }: Parts) => index[key] !== undefined,
    message: 'nothing is made beside existing data',
  })),
  {
    path: 'index.settings',
    isGiven: ({ index }) => Object.keys(index.settings).length > 0,
    message: 'the settings of an existing index stay as they are',
  },
  {
    path: 'index.mapping',
    isGiven: ({ index }) => index.mapping !== undefined,
    message: 'the mapping of an existing index stays as it is',
  },
  {
    path: 'index.allocation',
    isGiven: ({ index }) => typeof index.allocation === 'object',
    message: 'the shards of an existing index stay where they are',
  },
  {
    path: 'preload',
    isGiven: ({ preload }) => preload !== undefined,
    message: 'nothing is loaded into existing data before a trial',
  },
  {
    path: 'measure.force-merge',
    isGiven: ({ measure }) => measure['force-merge'] !== undefined,
    message: 'the segments of existing data stay as they are',
  },
  {
    path: 'measure.recipe',
    isGiven: ({ measure }) => measure.recipe !== undefined,
    message: 'settings and segments of existing data stay as they are',
  },
  {
    path: 'measure.disk-usage',
    isGiven: ({ measure }) => measure['disk-usage'] === true,
    message: 'reading the bytes by field flushes an index, and nothing is done to existing data',
  },
];

/** What does not fit to existing data, and writes to it that nobody allowed. */
export function checkExisting(definition: Parts): Problem[] {
  const { index, tasks } = definition;
  const { existing, 'allow-writes': isAllowed = false } = index;
  if (existing === undefined)
    return isAllowed
      ? [
          {
            code: 'definition.allow-writes',
            path: 'index.allow-writes',
            message: 'a trial may always write to the indices that it creates',
            found: 'true',
            allowed: 'nothing, or index.existing beside it',
          },
        ]
      : [];
  const problems = OF_MADE_INDICES.filter(({ isGiven }) => isGiven(definition)).map(
    ({ path, message }): Problem => ({
      code: 'definition.existing',
      path,
      message,
      allowed: 'nothing beside index.existing',
    }),
  );
  const writer = tasks.findIndex(writes);
  const ingest = tasks.findIndex((task) => task.ingest);
  if (writer < 0) return problems;
  if (!isAllowed)
    problems.push({
      code: 'definition.allow-writes',
      path: 'index.allow-writes',
      message: `tasks[${writer}] would change data that was there before, and what it does there would stay`,
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
        'names that begin with a dot are those of Elasticsearch itself and its parts: nothing is written there',
      found: existing,
      allowed: 'another name',
    });
  return problems;
}

/** Whether the caches can be as they are asked for. */
export function checkCaches({ measure }: Pick<Definition, 'measure'>): Problem[] {
  const { caches, warmup, documents } = measure;
  const isWarmedUp = warmup === undefined ? documents === undefined : durationMs(warmup) > 0;
  if (caches !== 'warm' || isWarmedUp) return [];
  return [
    {
      code: 'definition.caches',
      path: 'measure.caches',
      message: 'caches are warm by what a warm-up sends, and there is none',
      found: 'warm',
      allowed: 'measure.warmup: longer than 0s, or caches: cold',
    },
  ];
}
