/** Settings as they are pasted: the body of an index template, and what the sender of the documents sets. */
import { stringifyExact } from '../json/exact';
import { flattenSettings } from '../elasticsearch/settings';
import { mappingOf } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import { setShared } from '../experiment/path';
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

/** Body of `PUT _index_template/NAME`. `runs`: ids of those that it was measured in. */
export function indexTemplate(
  definition: Definition,
  levels: Readonly<Record<string, unknown>>,
  runs: readonly string[],
): Record<string, unknown> {
  const own = withLevels(definition, levels);
  const { name, as } = own.index;
  const settings = Object.fromEntries(
    Object.entries(flattenSettings(own.index.settings)).map(([setting, value]) => [
      `index.${setting}`,
      value,
    ]),
  );
  return {
    index_patterns: [`${name}*`],
    ...(as === 'data-stream' ? { data_stream: {} } : {}),
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

/** As text that is pasted into Kibana's console. */
export const templateRequest = (name: string, template: Readonly<Record<string, unknown>>): string =>
  `PUT _index_template/${name}\n${stringifyExact(template, 2)}\n`;
