// Generates build/metrics-template.json, the index template of dyno-metrics-* (the body of `PUT _index_template/dyno-metrics`). The fields
// come from the files fields.yml of the collector.
import { mkdirSync, readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, ROOT } from './bootstrap.mjs';

export const METRICS_TEMPLATE_FILE = join(ROOT, 'build', 'metrics-template.json');

/** Priority of the index template. It is the same as that of all templates for results (server/results/templates.ts). */
const PRIORITY = 500;
const COLLECTOR = join(ROOT, 'collector');
/** Source file of the collector that contains the version of the index template and the list of its fields. */
const LIST = join(COLLECTOR, 'include', 'include.go');

/**
 * Returns the version of the index template and a hash of its fields, as recorded in the collector's sources. Whenever the fields change, a
 * developer must update the hash and increase the version.
 */
export function templateVersion() {
  const [, version, digest] = /^const TemplateVersion = (\d+) \/\/ ([0-9a-f]{16})$/m.exec(
    readFileSync(LIST, 'utf8'),
  );
  return { version: Number(version), digest };
}

/**
 * Returns the definitions of all fields as one list. As in any Elastic Beat, the fields of a metricset belong to the group of its module.
 */
async function definitions() {
  const { parse } = await import('yaml');
  const read = (...path) => parse(readFileSync(join(COLLECTOR, ...path), 'utf8'));
  const all = read('include', 'fields.common.yml').flatMap((section) => section.fields);
  for (const module of readdirSync(join(COLLECTOR, 'module'))) {
    for (const section of read('module', module, '_meta', 'fields.yml')) {
      const fields = readdirSync(join(COLLECTOR, 'module', module))
        .filter((metricset) =>
          existsSync(join(COLLECTOR, 'module', module, metricset, '_meta', 'fields.yml')),
        )
        .flatMap((metricset) => read('module', module, metricset, '_meta', 'fields.yml'));
      all.push(
        ...section.fields.map((group) => ({ ...group, fields: [...(group.fields ?? []), ...fields] })),
      );
    }
  }
  return all;
}

const mappingOf = (type) => (type === 'keyword' ? { type, ignore_above: 1024 } : { type });

/**
 * Adds the fields below `path` to the properties of the mapping. In names with `*`, the real names depend on the cluster. Therefore, the
 * parent object is dynamic, and a dynamic template sets the type of its fields.
 */
function add(fields, path, properties, templates) {
  for (const { name, type, object_type: objectType, fields: inner } of fields) {
    const names = [...path, ...name.split('.')];
    if (type === 'group' || inner !== undefined) {
      add(inner ?? [], names, properties, templates);
    } else if (name.includes('*')) {
      const star = names.indexOf('*');
      Object.assign(group(properties, names.slice(0, star)), { type: 'object', dynamic: true });
      templates.push({
        [names.join('.')]: { path_match: names.join('.'), mapping: mappingOf(objectType) },
      });
    } else {
      const parent = names.length === 1 ? { properties } : group(properties, names.slice(0, -1));
      parent.properties ??= {};
      const last = names[names.length - 1];
      if (parent.properties[last] !== undefined) throw new Error(`${names.join('.')} is defined twice`);
      parent.properties[last] = mappingOf(type);
    }
  }
}

function group(properties, names) {
  let here = { properties };
  for (const name of names) {
    here.properties ??= {};
    here = here.properties[name] ??= {};
    if ((here.type ?? 'object') !== 'object') throw new Error(`${names.join('.')} is a field and a group`);
  }
  return here;
}

/** Returns the body of the index template. Rejects if definitions of a field contradict each other. */
export async function metricsTemplate() {
  const { version } = templateVersion();
  const properties = {};
  const templates = [];
  add(await definitions(), [], properties, templates);
  return {
    index_patterns: ['dyno-metrics-*'],
    priority: PRIORITY,
    version,
    _meta: { description: 'Metrics of nodes and machines, by dynobeat', dyno: { version } },
    template: {
      settings: {
        number_of_shards: 1,
        auto_expand_replicas: '0-1',
        refresh_interval: '5s',
        'mapping.total_fields.limit': 5000,
      },
      mappings: { dynamic: 'strict', date_detection: false, dynamic_templates: templates, properties },
    },
  };
}

/** Resolves to the JSON text for the file build/metrics-template.json. */
export const metricsTemplateText = async () => `${JSON.stringify(await metricsTemplate(), null, 2)}\n`;

/** Returns the source files and folders from which the template is generated, relative to the root. */
export function metricsTemplateInputs() {
  const modules = readdirSync(join(COLLECTOR, 'module'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name === 'fields.yml')
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return ['collector/include/fields.common.yml', relative(ROOT, LIST), 'collector/module', ...modules];
}

/** Writes build/metrics-template.json and returns its path. */
export async function buildMetricsTemplate() {
  mkdirSync(dirname(METRICS_TEMPLATE_FILE), { recursive: true });
  writeFileSync(METRICS_TEMPLATE_FILE, await metricsTemplateText());
  return METRICS_TEMPLATE_FILE;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  console.log(await buildMetricsTemplate());
}
