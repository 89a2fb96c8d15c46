/** Installs the index templates of the results, and updates older versions. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Engine } from '../../common/elasticsearch/engine';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import * as api from '../elasticsearch/api';
import { ask, askIfThere } from './answer';
import { engineOfResults } from './engine';
import { mappingForOpenSearch } from './mappings/opensearch';
import { profiles } from './mappings/profiles';
import { runs } from './mappings/runs';
import { samples } from './mappings/samples';
import { trials, trialsDynamicTemplates } from './mappings/trials';
import { PROFILES, RUNS, SAMPLES, TRIALS } from './stored';

/**
 * Version of the templates. Raise the number 6 with every change of a mapping or a setting. Each new metric of nodes raises the version
 * automatically.
 */
export const TEMPLATES_VERSION = 7 + NODE_METRICS.length;

/** Priority above Elastic's own templates (up to 200) and above any catch-all template. */
const PRIORITY = 500;

export interface Template {
  /** The template applies to the indices `<name>-*`. */
  name: string;
  /** Body of `PUT _index_template`. `version` and `_meta.dyno.version` are equal. */
  body: Readonly<Record<string, unknown>> & {
    version: number;
    template: { settings: object; mappings: object };
  };
}

const template = (
  name: string,
  properties: object,
  { settings = {}, dynamicTemplates = [] }: { settings?: object; dynamicTemplates?: object[] } = {},
): Template => ({
  name,
  body: {
    index_patterns: [`${name}-*`],
    priority: PRIORITY,
    version: TEMPLATES_VERSION,
    _meta: { description: 'Results of Dyno', dyno: { version: TEMPLATES_VERSION } },
    template: {
      settings: {
        number_of_shards: 1,
        auto_expand_replicas: '0-1',
        'mapping.total_fields.limit': 2000,
        ...settings,
      },
      mappings: {
        dynamic: 'strict',
        ...(dynamicTemplates.length === 0 ? {} : { dynamic_templates: dynamicTemplates }),
        properties,
      },
    },
  },
});

export const TEMPLATES: readonly Template[] = [
  template(RUNS, runs),
  template(TRIALS, trials, { dynamicTemplates: trialsDynamicTemplates }),
  template(SAMPLES, samples, { settings: { refresh_interval: '5s' } }),
  template(PROFILES, profiles),
];

/** Returns the template in the form that the engine accepts. OpenSearch needs other mappings than Elasticsearch. */
export function templateFor(engine: Engine, template: Template): Template {
  if (engine === 'elasticsearch') return template;
  const { name, body } = template;
  const mappings = mappingForOpenSearch(body.template.mappings);
  return { name, body: { ...body, template: { ...body.template, mappings } } };
}

/**
 * Installs templates that are missing or outdated, and adds new fields to existing indices. Does not replace newer templates in the
 * cluster. Returns messages for the user, for example about indices to which fields could not be added. Rejects with a DynoError
 * `results.unauthorised`, `results.forbidden` or `results.refused`, or with the errors of the client.
 */
export async function installTemplates(
  client: ElasticsearchClient,
  templates: readonly Template[] = TEMPLATES,
): Promise<string[]> {
  const notes: string[] = [];
  for (const wanted of templates) {
    const known = wanted.body.version;
    const version = await installedVersion(client, wanted.name);
    if (version > known) {
      notes.push(
        `the results cluster contains version ${version} of the template ${wanted.name}, and this Dyno ` +
          `version ${known}. The newer one is kept: a newer Dyno writes there too`,
      );
    } else if (version < known) {
      const installed = await install(client, wanted);
      // Indices may exist without their template.
      notes.push(...(await raiseIndices(client, installed)));
    }
  }
  return notes;
}

/**
 * Installs missing templates, but updates none. Used with credentials that may install templates but not change indices. After an update
 * with such credentials, existing indices would still lack the new fields. Rejects with the errors of {@link installTemplates}.
 */
export async function installMissing(
  client: ElasticsearchClient,
  templates: readonly Template[],
): Promise<void> {
  for (const wanted of templates)
    if ((await installedVersion(client, wanted.name)) === 0) await install(client, wanted);
}

/** Returns the version of the installed template; 0 if it is missing or not from Dyno. */
async function installedVersion(client: ElasticsearchClient, name: string): Promise<number> {
  const answer = await askIfThere(client, api.indexTemplate(name), NEEDED);
  const found = answer?.index_templates.find((installed) => installed.name === name)?.index_template;
  // A template with this name that Dyno did not install counts as older than all versions, so it is replaced.
  return (found?._meta as { dyno?: { version?: number } } | undefined)?.dyno?.version ?? 0;
}

const NEEDED = 'install the index templates of the results (cluster privilege `manage_index_templates`)';

/** Installs a template. Returns it in the form in which it was sent to the cluster, which depends on the engine. */
async function install(client: ElasticsearchClient, template: Template): Promise<Template> {
  const fitting = templateFor(await engineOfResults(client), template);
  await ask(client, api.putIndexTemplate(fitting.name, fitting.body), NEEDED);
  return fitting;
}

/**
 * Adds the fields of a new template to existing indices, because a template applies only to indices that are created later. Returns one
 * message for the user if this failed; otherwise an empty list.
 */
async function raiseIndices(client: ElasticsearchClient, { name, body }: Template): Promise<string[]> {
  const put = api.putMapping(`${name}-*`, body.template.mappings, {
    allow_no_indices: true,
    ignore_unavailable: true,
  });
  const message = await ask(client, put, `add new fields to ${name}-*`, {
    missing: () => '',
    failed: ({ error }) => error.message,
  });
  if (typeof message !== 'string' || message === '') return [];
  return [`${message}; documents with new fields are refused until next month's index`];
}
