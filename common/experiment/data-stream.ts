/** Checks the data streams and time series that a trial creates. Also marks fields in a mapping as dimensions of time series. */
import { flattenSettings } from '../elasticsearch/settings';
import { GENERATORS, MAPPINGS_BY_NAME, type GeneratorName } from '../generators/registry';
import { plainKey, plainValue } from '../json/exact';
import { showValue, type Problem } from '../problem';
import type { Definition } from './definition';

type Mapping = Readonly<Record<string, unknown>>;

export const isDataStream = ({ as }: Pick<Definition['index'], 'as'>): boolean => as === 'data-stream';

const TIMESTAMP = '@timestamp';

const propertiesOf = (mapping: Mapping): Record<string, Mapping> =>
  (mapping['properties'] ?? {}) as Record<string, Mapping>;

const hasTimestamp = (generator: GeneratorName): boolean =>
  TIMESTAMP in propertiesOf(MAPPINGS_BY_NAME[generator]);

/** Returns the names of the fields in a mapping that can be dimensions of time series. */
const fieldsIn = (mapping: Mapping, prefix = ''): string[] =>
  Object.entries(propertiesOf(mapping)).flatMap(([name, own]) => [
    ...('type' in own ? [`${prefix}${name}`] : []),
    ...fieldsIn(own, `${prefix}${name}.`),
  ]);

/** Returns the mapping with these fields marked as dimensions of time series. */
export function withDimensions(mapping: Mapping, dimensions: readonly string[], prefix = ''): Mapping {
  const properties = Object.entries(propertiesOf(mapping)).map(([name, own]): [string, Mapping] => {
    const path = `${prefix}${plainKey(name)}`;
    if (dimensions.includes(path)) return [name, { ...own, time_series_dimension: true }];
    return [name, 'properties' in own ? withDimensions(own, dimensions, `${path}.`) : own];
  });
  return { ...mapping, properties: Object.fromEntries(properties) };
}

const problem = (path: string, message: string, found: unknown, allowed: string): Problem => ({
  code: 'definition.data-stream',
  path,
  message,
  found: showValue(found),
  allowed,
});

/** Returns the problems of data streams and time series in a definition. `mapping`: the mapping of the indices. */
export function checkDataStream(definition: Definition, mapping: Mapping): Problem[] {
  const { index, preload, tasks } = definition;
  // `checkExisting` reports these keys if the index exists already.
  if (index.existing !== undefined) return [];
  const problems = dimensionProblems(index, mapping);
  if (!isDataStream(index)) {
    for (const key of ['rollover', 'lifecycle'] as const)
      if (index[key] !== undefined)
        problems.push(
          problem(`index.${key}`, 'only a data stream has one', index[key], 'together with as: data-stream'),
        );
    return problems;
  }
  if (preload !== undefined && preload.reuse !== 'never')
    problems.push(
      problem('preload.reuse', 'a data stream cannot be copied or shared', preload.reuse, 'never'),
    );
  const sources = [
    { path: 'preload.source', source: preload?.source },
    ...tasks.map(({ ingest }, at) => ({ path: `tasks[${at}].ingest.source`, source: ingest?.source })),
  ];
  const allowed = GENERATORS.map(({ name }) => name).filter(hasTimestamp);
  for (const { path, source } of sources)
    if (typeof source?.generator === 'string' && !hasTimestamp(source.generator))
      problems.push(
        problem(
          `${path}.generator`,
          'each document of a data stream needs a @timestamp, and these have none',
          source.generator,
          `${allowed.join(', ')}, or a file`,
        ),
      );
  return problems;
}

function dimensionProblems({ dimensions, settings }: Definition['index'], mapping: Mapping): Problem[] {
  if (dimensions === undefined) return [];
  const mode = flattenSettings(settings)['mode'];
  if (mode !== 'time_series')
    return [
      problem(
        'index.dimensions',
        'only time series have dimensions',
        dimensions,
        'together with index.settings.mode: time_series',
      ),
    ];
  const fields = fieldsIn(plainValue(mapping));
  return dimensions.flatMap((name, at) =>
    fields.includes(name)
      ? []
      : [
          problem(
            `index.dimensions[${at}]`,
            'not a field of the mapping',
            name,
            fields.join(', ') || 'fields of index.mapping',
          ),
        ],
  );
}
