/** Converts recommended settings to the body of an index template and a list of client settings. Users can apply them outside of Dyno. */
import { stringifyExact } from '../json/exact';
import { flattenSettings } from '../elasticsearch/settings';
import { mappingOf } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import { parsePath, setShared } from '../experiment/path';
import { plural } from '../units/format';

/** Returns the definition with the factor levels of a combination of settings. `levels`: the key is a path in the definition. */
export function withLevels(definition: Definition, levels: Readonly<Record<string, unknown>>): Definition {
  const own = { ...definition } as unknown as Record<string, unknown>;
  for (const [path, level] of Object.entries(levels)) {
    const why = setShared(own, path, level);
    if (why !== undefined) throw new Error(`${path}: ${why}`);
  }
  return own as unknown as Definition;
}

/** The user's index or data stream that is tuned. */
export interface TunedIndex {
  name: string;
  dataStream: boolean;
}

/** Placeholder for the name of the user's index if it is unknown. Elasticsearch rejects it as a name, so the user has to replace it. */
const YOUR_INDEX = '<your-index>';

/**
 * Returns the index patterns of the template: only the name of the user's index, without a wildcard. A pattern with a wildcard could also
 * match the indices of trials, because their names begin with `index.name`. The template would then change later trials.
 */
const patternsOf = (tuned: TunedIndex | undefined): string[] => [tuned?.name ?? YOUR_INDEX];

const changesIndex = (levels: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(levels).some((path) => parsePath(path)[0] === 'index');

/** Text shown instead of a template that would change nothing. */
export const NO_TEMPLATE =
  'No index setting changed, so there is no index template. Only settings of the clients changed.';

/**
 * Returns the body of `PUT _index_template/NAME`; null if no index setting changed. `runs`: ids of the runs that measured the recommended
 * settings.
 */
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

/** Returns the settings that clients must use to send documents, such as the size of bulk requests. */
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

/** Returns the template as a request that the user can paste into Kibana's console; null if no index setting changed. */
export function templateRequest({
  request: { subject },
  outcome: { template, lines },
}: Recommended): string | null {
  // Earlier versions always stored a template, with a pattern for the indices of trials.
  if (template === null || !lines.some(({ candidate }) => changesIndex(candidate.levels))) return null;
  const body = { ...template, index_patterns: patternsOf(subject) };
  return `PUT _index_template/dyno-tuned-${subject?.name ?? 'index'}\n${stringifyExact(body, 2)}\n`;
}
