/** Settings as they are pasted: the body of an index template, and what the sender of the documents sets. */
import { stringifyExact } from '../json/exact';
import { flattenSettings } from '../elasticsearch/settings';
import { mappingOf } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import { parsePath, setShared } from '../experiment/path';
import { plural } from '../units/format';

/** The definition with levels of a cell put in. */
export function withLevels(definition: Definition, levels: Readonly<Record<string, unknown>>): Definition {
  const own = { ...definition } as unknown as Record<string, unknown>;
  for (const [path, level] of Object.entries(levels)) {
    const why = setShared(own, path, level);
    if (why !== undefined) throw new Error(`${path}: ${why}`);
  }
  return own as unknown as Definition;
}

/** What a tuning is of: an index or a data stream of the user. */
export interface TunedIndex {
  name: string;
  dataStream: boolean;
}

/** Where the user's index is not known. Elasticsearch refuses it, so it has to be filled in. */
const YOUR_INDEX = '<your-index>';

/**
 * The user's own name and no wildcard: a template that also took the indices of trials, whose names begin with `index.name`, would
 * change what later trials measure.
 */
const patternsOf = (tuned: TunedIndex | undefined): string[] => [tuned?.name ?? YOUR_INDEX];

const changesIndex = (levels: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(levels).some((path) => parsePath(path)[0] === 'index');

/** What is shown instead of a template that would change nothing. */
export const NO_TEMPLATE =
  'No index setting changed, so there is no index template. Only what sends the documents is set differently.';

/** Body of `PUT _index_template/NAME`; null where no index setting changed. `runs`: ids of those that it was measured in. */
export function indexTemplate(
  definition: Definition,
  levels: Readonly<Record<string, unknown>>,
  runs: readonly string[],
  tuned: TunedIndex | undefined,
): Record<string, unknown> | null {
  if (!changesIndex(levels)) return null;
  const own = withLevels(definition, levels);
  const isStream = tuned?.dataStream ?? own.index.as === 'data-stream';
  const settings = Object.fromEntries(
    Object.entries(flattenSettings(own.index.settings)).map(([setting, value]) => [
      `index.${setting}`,
      value,
    ]),
  );
  return {
    index_patterns: patternsOf(tuned),
    ...(isStream ? { data_stream: {} } : {}),
    template: { settings, mappings: mappingOf(own) },
    _meta: { description: `Measured with Dyno in ${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')}` },
  };
}

/** Of the task that sends documents. */
export function clientSettings(
  definition: Definition,
  levels: Readonly<Record<string, unknown>>,
): { title: string; value: string }[] {
  const task = withLevels(definition, levels).tasks.find(({ ingest }) => ingest);
  if (task?.ingest === undefined) return [];
  const { docs, bytes } = task.ingest.bulk;
  const clients = task.executor['constant-clients']?.clients;
  return [
    { title: 'Each bulk', value: docs === undefined ? String(bytes) : plural(docs, 'document') },
    ...(clients === undefined ? [] : [{ title: 'Bulks at the same time', value: String(clients) }]),
  ];
}

interface Recommended {
  request: { subject?: TunedIndex | undefined };
  outcome: {
    template: Readonly<Record<string, unknown>> | null;
    lines: readonly { candidate: { levels: Readonly<Record<string, unknown>> } }[];
  };
}

/** The template as text that is pasted into Kibana's console; null where no index setting changed. */
export function templateRequest({
  request: { subject },
  outcome: { template, lines },
}: Recommended): string | null {
  // Earlier versions of Dyno stored a template in any case, for all indices of its trials.
  if (template === null || !lines.some(({ candidate }) => changesIndex(candidate.levels))) return null;
  const body = { ...template, index_patterns: patternsOf(subject) };
  return `PUT _index_template/dyno-tuned-${subject?.name ?? 'index'}\n${stringifyExact(body, 2)}\n`;
}
