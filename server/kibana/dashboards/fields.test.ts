/** Checks that every field that a panel reads exists in its index. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { DASHBOARD_KINDS } from '../../../common/api/dashboards';
import { fieldsOfCourse } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { HOST_FIELDS, NODE_FIELDS } from '../../results/collected-values';
import { runs } from '../../results/mappings/runs';
import { samples } from '../../results/mappings/samples';
import { trials } from '../../results/mappings/trials';
import { RUNTIME_FIELDS } from './data-views';
import { queriesOf } from './expression';
import type { DataViewName } from './ids';
import { definitionOf } from './index';
import { fieldsOfLayer } from './layer';
import type { LensPanel } from './panel';

interface Mapping {
  properties?: Record<string, Mapping>;
  type?: string;
  enabled?: boolean;
  doc_values?: boolean;
}

/** Returns the types of the fields that can be aggregated, by full name. `above`: prefix of the names, such as `dyno.node.`. */
function typesOf(properties: Readonly<Record<string, Mapping>>, above = ''): Map<string, string> {
  return new Map(
    Object.entries(properties).flatMap(([name, field]): [string, string][] => {
      if (field.properties) return [...typesOf(field.properties, `${above}${name}.`)];
      const readable = field.enabled !== false && field.doc_values !== false && field.type !== 'text';
      return readable && field.type !== undefined ? [[above + name, field.type]] : [];
    }),
  );
}

/** Returns the mappings that the build creates from the collector's fields.yml. */
function metricsMappings(): { properties: Record<string, Mapping>; dynamic_templates: object[] } {
  const script = path.resolve(__dirname, '../../../scripts/build-metrics-template.mjs');
  const print = `import(${JSON.stringify(script)}).then(async ({ metricsTemplate }) =>
    console.log(JSON.stringify((await metricsTemplate()).template.mappings)))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' })) as ReturnType<
    typeof metricsMappings
  >;
}
const METRICS_MAPPINGS = metricsMappings();

const TYPES: Readonly<Record<DataViewName, Map<string, string>>> = {
  runs: typesOf(runs as Record<string, Mapping>),
  trials: typesOf(trials as Record<string, Mapping>),
  samples: typesOf(samples as Record<string, Mapping>),
  metrics: typesOf(METRICS_MAPPINGS.properties),
};

const isLens = (panel: { kind: string }): panel is LensPanel => panel.kind === 'lens';

const panels = DASHBOARD_KINDS.flatMap((kind) =>
  ['default', 'another'].flatMap((space) =>
    definitionOf(kind, space)
      .rows.flat()
      .filter(isLens)
      .map((panel) => [`${kind} in ${space}: ${panel.title}`, panel] as const),
  ),
);

const runtimeTypes = (view: DataViewName): Map<string, string> =>
  new Map(
    Object.entries(RUNTIME_FIELDS[view]).map(([name, field]) => [name, (field as { type: string }).type]),
  );

/** Returns the names of the fields in a KQL query. */
const fieldsOfQuery = (query: string): string[] =>
  [...query.matchAll(/([@\w.]+)\s*:/g)].map(([, field = '']) => field);

const NUMBERS = ['long', 'double', 'date'];

test.each(panels)('%s reads only existing fields', (_, { layer }) => {
  const known = new Map([...TYPES[layer.view], ...runtimeTypes(layer.view)]);
  const asked = [
    ...fieldsOfLayer(layer),
    ...[layer.query, ...layer.measures.flatMap(({ is }) => queriesOf(is))].flatMap(fieldsOfQuery),
  ];
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter((field) => !known.has(field))).toEqual([]);
});

test.each(panels)('%s calculates with numbers and splits by words', (_, { layer }) => {
  const known = new Map([...TYPES[layer.view], ...runtimeTypes(layer.view)]);
  const { measures, buckets } = layer;
  const figures = fieldsOfLayer({ ...layer, buckets: [] });
  expect(measures.length).toBeGreaterThan(0);
  const calculated = figures.filter((field) => !['run.id', 'trial.id'].includes(field));
  expect(calculated.filter((field) => !NUMBERS.includes(known.get(field) ?? ''))).toEqual([]);
  const wrong = buckets.filter(({ field, column }) => {
    const type = known.get(field);
    const expected = { string: ['keyword'], number: ['long', 'double'], date: ['date'] }[
      column['dataType'] as 'string' | 'number' | 'date'
    ];
    return type === undefined || !expected.includes(type);
  });
  expect(wrong).toEqual([]);
});

test('runtime fields read only existing fields', () => {
  for (const view of Object.keys(RUNTIME_FIELDS) as DataViewName[]) {
    const scripts = JSON.stringify(RUNTIME_FIELDS[view]);
    const read = [...scripts.matchAll(/doc\['([^']+)'\]/g)].map(([, field = '']) => field);
    const inSource = [...scripts.matchAll(/\btask\.([\w.]+?)(?= |\))/g)].map(
      ([, field = '']) => `tasks.${field}`,
    );
    expect([...read, ...inSource].filter((field) => !TYPES[view].has(field))).toEqual([]);
    expect(scripts === '{}' || read.length + inSource.length > 0).toBe(true);
  }
});

/** Fields of the collector's events. A `*` matches names that depend on the target, such as those of disks. */
const WRITTEN = [...TYPES.metrics.keys(), ...METRICS_MAPPINGS.dynamic_templates.flatMap(Object.keys)];
const isPattern = (pattern: string, field: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`).test(field);
const isWritten = (field: string): boolean =>
  WRITTEN.some((written) => isPattern(written, field) || isPattern(field, written));

test.each(NODE_METRICS)(
  'the metric $name reads only fields that the collector writes',
  ({ keeps, chart, panel }) => {
    const courses = [...(chart?.courses ?? []), chart?.capacity, panel?.course].filter(
      (course) => course !== undefined,
    );
    const read = [
      ...courses.flatMap(fieldsOfCourse),
      ...(keeps?.fields ?? []).map((field) => `dyno.${keeps!.of}.${field}`),
    ];
    expect(read.filter((field) => !isWritten(field))).toEqual([]);
  },
);

test('a trial keeps only sums of fields that the collector writes', () => {
  const read = [
    ...NODE_FIELDS.map((field) => `dyno.node.${field}`),
    ...HOST_FIELDS.map((field) => `dyno.host.${field}`),
  ];
  expect(read.filter((field) => !isWritten(field))).toEqual([]);
  expect(isWritten('dyno.node.merges.number.change')).toBe(false);
});

test.each(NODE_METRICS.filter(({ byCell }) => byCell !== undefined))(
  'the metric $name is compared by cell in the panel whose title contains its name',
  ({ name, byCell }) => {
    const reading = panels.filter(([, { layer }]) =>
      fieldsOfLayer(layer).includes(`figures.cluster.${name}`),
    );
    expect(reading.filter(([title]) => title.includes(byCell!)).length).toBeGreaterThan(0);
  },
);

test('the fields that links filter by are in every index', () => {
  for (const view of Object.values(TYPES)) {
    expect(['experiment.id', 'run.id'].filter((field) => !view.has(field))).toEqual([]);
  }
});
