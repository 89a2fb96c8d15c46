/** Checks that every field that a panel reads exists in its index. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { DASHBOARD_KINDS } from '../../../common/api/dashboards';
import type { Course } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
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

/** Returns the types of the fields that can be aggregated, by full name. */
function typesOf(properties: Readonly<Record<string, Mapping>>, above = ''): Map<string, string> {
  return new Map(
    Object.entries(properties).flatMap(([name, field]): [string, string][] => {
      if (field.properties) return [...typesOf(field.properties, `${above}${name}.`)];
      const readable = field.enabled !== false && field.doc_values !== false && field.type !== 'text';
      return readable && field.type !== undefined ? [[above + name, field.type]] : [];
    }),
  );
}

/** Returns the mapping that the build creates from the collector's fields.yml. */
function metricsMapping(): Record<string, Mapping> {
  const script = path.resolve(__dirname, '../../../scripts/build-metrics-template.mjs');
  const print = `import(${JSON.stringify(script)}).then(async ({ metricsTemplate }) =>
    console.log(JSON.stringify((await metricsTemplate()).template.mappings.properties)))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' })) as Record<
    string,
    Mapping
  >;
}

const TYPES: Readonly<Record<DataViewName, Map<string, string>>> = {
  runs: typesOf(runs as Record<string, Mapping>),
  trials: typesOf(trials as Record<string, Mapping>),
  samples: typesOf(samples as Record<string, Mapping>),
  metrics: typesOf(metricsMapping()),
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

/** Returns the names before a colon in KQL. */
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

/** Returns the fields that a chart over time reads. */
const fieldsOfCourse = (course: Course): string[] =>
  course.kind === 'of' ? [course.part, course.whole] : [course.field];

test.each(NODE_METRICS)(
  'the metric $name reads only fields that the collector writes',
  ({ events, chart, panel }) => {
    const courses = [...(chart?.courses ?? []), chart?.capacity, panel?.course].filter(
      (course) => course !== undefined,
    );
    const read = [
      ...courses.flatMap(fieldsOfCourse),
      ...(events?.fields ?? []).map((field) => `dyno.${events!.of}.${field}`),
    ];
    // The names of garbage collectors depend on the JVM.
    expect(read.filter((field) => !field.includes('*') && !TYPES.metrics.has(field))).toEqual([]);
  },
);

test('the fields that links filter by are in every index', () => {
  for (const view of Object.values(TYPES)) {
    expect(['experiment.id', 'run.id'].filter((field) => !view.has(field))).toEqual([]);
  }
});
