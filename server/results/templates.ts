/** Index templates of the results, installed once and raised when a newer Dyno comes. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import * as api from '../elasticsearch/api';
import { ask, askIfThere } from './answer';
import { runs } from './mappings/runs';
import { samples } from './mappings/samples';
import { trials, trialsDynamicTemplates } from './mappings/trials';
import { RUNS, SAMPLES, TRIALS } from './stored';

/** Version of the templates. Raise the number with every change of a mapping or a setting; each metric of nodes raises it itself. */
export const TEMPLATES_VERSION = 2 + NODE_METRICS.length;

/** Above Elastic's own templates (up to 200) and any catch-all. */
const PRIORITY = 500;

export interface Template {
  /** Shapes the indices `<name>-*`. */
  name: string;
  /** As `PUT _index_template` takes it; `version` and `_meta.dyno.version` are the same. */
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
];

/**
 * Installs those of `templates` that are missing or older, and adds new fields to the indices that stand already.
 * Returns what the user should know: a cluster that holds newer templates keeps them. Rejects with a DynoError
 * `results.unauthorised`, `results.forbidden` or `results.refused`, or as the client does.
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
        `the results cluster holds version ${version} of the template ${wanted.name}, this Dyno knows ` +
          `${known}: it is kept; a newer Dyno writes there too`,
      );
    } else if (version < known) {
      await install(client, wanted);
      // Indices may stand though their template is gone.
      notes.push(...(await raiseIndices(client, wanted)));
    }
  }
  return notes;
}

/**
 * Installs those that are missing and raises none: for who may install templates but not touch the indices, which must
 * get new fields with them. Rejects as {@link installTemplates} does.
 */
export async function installMissing(
  client: ElasticsearchClient,
  templates: readonly Template[],
): Promise<void> {
  for (const wanted of templates)
    if ((await installedVersion(client, wanted.name)) === 0) await install(client, wanted);
}

/** 0 where there is none. */
async function installedVersion(client: ElasticsearchClient, name: string): Promise<number> {
  const told = await askIfThere(client, api.indexTemplate(name), NEEDED);
  const found = told?.index_templates.find((installed) => installed.name === name)?.index_template;
  // One of that name that is not ours is replaced as the oldest.
  return (found?._meta as { dyno?: { version?: number } } | undefined)?.dyno?.version ?? 0;
}

const NEEDED = 'install the index templates of the results (cluster privilege `manage_index_templates`)';

const install = (client: ElasticsearchClient, { name, body }: Template): Promise<unknown> =>
  ask(client, api.putIndexTemplate(name, body), NEEDED);

/** A template shapes only indices that come after it: this month's gets the new fields by hand. */
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
