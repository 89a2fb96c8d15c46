/**
 * Finds settings, mappings and aliases of an index that the experiment did not request. Also finds their origin: an index template, a
 * component template, a legacy template, or another cause in the target.
 */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { listed } from '../../common/analysis/wording';
import { isJsonNumber, plainValue, stringifyPlain } from '../../common/json/exact';
import type { UnaskedPart } from '../../common/measurement/unasked';
import { DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';
import type { IndexToCreate } from './index-lifecycle';

/** The index as the definition of the experiment requests it. */
export type WantedIndex = Pick<IndexToCreate, 'index' | 'settings' | 'mapping' | 'stream'>;

/**
 * Settings, mapping parameters and aliases, of an index or of a template. Settings have their name as key, mapping parameters their path.
 * All values are texts.
 */
interface Parts {
  /** Flat settings, without the prefix `index.`. */
  settings: Map<string, string>;
  mapping: Map<string, string>;
  aliases: Set<string>;
}

/** A template that applies to an index, or a component of such a template. `name`: description for the user. */
interface Layer extends Parts {
  name: string;
}

const object = z.record(z.string(), z.unknown());
const body = z.looseObject({
  settings: object.optional(),
  mappings: object.optional(),
  aliases: object.optional(),
});
type Body = z.output<typeof body>;

const patterns = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const indexTemplates = z.looseObject({
  index_templates: z
    .array(
      z.looseObject({
        name: z.string(),
        index_template: z.looseObject({
          index_patterns: patterns,
          priority: z.number().optional(),
          composed_of: z.array(z.string()).optional(),
          template: body.nullish(),
        }),
      }),
    )
    .optional(),
});
const componentTemplates = z.looseObject({
  component_templates: z
    .array(
      z.looseObject({ name: z.string(), component_template: z.looseObject({ template: body.nullish() }) }),
    )
    .optional(),
});
const legacyTemplates = z.record(
  z.string(),
  body.extend({ index_patterns: patterns, order: z.number().optional() }),
);

/**
 * Compares existing indices with the requested indices (`wanted`). Returns the settings, mapping parameters and aliases that were not
 * requested, each with the template that added it. The template is unknown if the credentials may not read templates. Rejects with a
 * DynoError if the indices cannot be read.
 */
export async function unaskedParts(
  client: ElasticsearchClient,
  wanted: readonly WantedIndex[],
): Promise<UnaskedPart[]> {
  const found: UnaskedPart[] = [];
  let templates: Promise<Templates> | undefined;
  const actual = await readIndices(
    client,
    wanted.map(({ index }) => index),
  );
  for (const own of wanted) {
    const asked = partsOf(
      plainValue({ settings: { ...own.settings }, mappings: { ...own.mapping }, aliases: {} }),
    );
    for (const parts of actual(own)) {
      const more = differences(asked, parts);
      // Most indices are as requested. In this case, the templates need not be read.
      if (isEmpty(more)) continue;
      templates ??= readTemplates(client);
      found.push(...attributed(asked, more, await layersFor(client, await templates, own)));
    }
  }
  return found;
}

const indices = z.record(z.string(), body.extend({ data_stream: z.string().optional() }));

/**
 * Reads the settings, mappings and aliases of the indices. Returns a function that returns them for one requested index; for a data stream,
 * it returns those of all backing indices.
 */
async function readIndices(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<(wanted: WantedIndex) => Parts[]> {
  const answer = await askIfOffered(
    client,
    api.getIndices(names, indices, { flat_settings: true, expand_wildcards: 'all' }),
    'look at the new index (index privilege `view_index_metadata`)',
  );
  return ({ index, stream }) =>
    Object.entries(answer ?? {}).flatMap(([name, own]) => {
      const isOwn = stream === undefined ? name === index : isOfStream(index, name, own);
      if (!isOwn) return [];
      const parts = partsOf(own);
      parts.aliases.delete(index);
      return [parts];
    });
}

const isOfStream = (stream: string, name: string, own: { data_stream?: string | undefined }): boolean =>
  own.data_stream === stream || name.startsWith(`.ds-${stream}-`);

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object' && value !== null
      ? stringifyPlain(value)
      : String(value);

function partsOf({ settings = {}, mappings = {}, aliases = {} }: Body): Parts {
  return {
    settings: new Map(
      Object.entries(flattenSettings(settings)).flatMap(([name, value]) =>
        // Settings with the value null are left out, because null in a request means the default.
        value === null || value === undefined ? [] : [[name, textOf(value)]],
      ),
    ),
    mapping: leavesOf(mappings),
    aliases: new Set(Object.keys(aliases)),
  };
}

/** Separator between the path of a field and its parameter. Names of fields cannot contain it. */
const PARAMETER = '\u0000';

/**
 * Returns the parameters of all fields of a mapping, as texts. Keys: `field.path<PARAMETER>type`, or `<PARAMETER>dynamic` for a parameter
 * of the whole mapping.
 */
function leavesOf(mapping: Readonly<Record<string, unknown>>): Map<string, string> {
  const leaves = new Map<string, string>();
  const put = (path: string, name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) put(path, `${name}.${key}`, inner);
    } else leaves.set(`${path}${PARAMETER}${name}`, textOf(value));
  };
  const visit = (own: Readonly<Record<string, unknown>>, path: string): void => {
    for (const [key, value] of Object.entries(own)) {
      if (key === 'properties') {
        for (const [name, field] of Object.entries((value ?? {}) as Record<string, unknown>))
          visit((field ?? {}) as Record<string, unknown>, path === '' ? name : `${path}.${name}`);
      } else if (path === '' && (key === '_meta' || key.startsWith('_data_stream'))) {
        // These keys do not affect measurements.
      } else if (path === '' && key === 'dynamic_templates' && Array.isArray(value)) {
        for (const one of value as Record<string, unknown>[])
          for (const [name, rule] of Object.entries(one))
            leaves.set(`${PARAMETER}${key}.${name}`, textOf(rule));
      } else if (!(key === 'type' && value === 'object')) put(path, key, value);
    }
  };
  visit(mapping, '');
  return leaves;
}

const isEmpty = ({ settings, mapping, aliases }: Parts): boolean =>
  settings.size === 0 && mapping.size === 0 && aliases.size === 0;

/**
 * Returns everything in `actual` that was not requested, or that was requested with another value. Leaves out settings that Elasticsearch
 * adds to every index.
 */
function differences(asked: Parts, actual: Parts): Parts {
  const differs = (name: string, value: string, from: ReadonlyMap<string, string>): boolean => {
    const wanted = from.get(name);
    if (wanted?.toLowerCase() === value.toLowerCase()) return false;
    // Elasticsearch keeps the text of a setting, so different texts such as 1.0 and 1 may mean the same value.
    return !(wanted !== undefined && isJsonNumber(value) && Number(wanted) === Number(value));
  };
  return {
    settings: new Map(
      [...actual.settings].filter(
        ([name, value]) =>
          !isAutomatic(name) &&
          !(name === 'number_of_replicas' && actual.settings.has('auto_expand_replicas')) &&
          !(DEFAULTS[name] === value && !asked.settings.has(name)) &&
          differs(name, value, asked.settings),
      ),
    ),
    mapping: new Map([...actual.mapping].filter(([name, value]) => differs(name, value, asked.mapping))),
    aliases: actual.aliases,
  };
}

/** Defaults of the number of shards and of replicas. Elasticsearch shows these two settings for every index, even if nobody set them. */
const DEFAULTS: Readonly<Record<string, string | undefined>> = {
  number_of_shards: '1',
  number_of_replicas: '1',
};

/** Settings that Elasticsearch 7.0 to 9.x adds to indices, clones and backing indices without a request. */
const AUTOMATIC = [
  ...[
    'uuid',
    'creation_date',
    'creation_date_string',
    'provided_name',
    'hidden',
    'version',
    'transport_version',
  ],
  ...['history.uuid', 'resize', 'shrink', 'blocks', 'verified_before_close', 'shard_limit.group'],
  ...[
    'soft_deletes.enabled',
    'routing.allocation.include._tier_preference',
    'routing.allocation.initial_recovery',
  ],
  ...['mapping.exclude_source_vectors', 'mapping.use_doc_values_skipper', 'mapping.synthetic_id'],
  ...['time_series', 'routing_path', 'dimensions', 'replication.type'],
];

const isBelow = (name: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}.`));

const isAutomatic = (name: string): boolean => isBelow(name, AUTOMATIC);

/**
 * Settings that affect trials and that may come from a plug-in or a cloud service instead of a template. Dyno reports only these settings
 * if they come from no template. Any other setting that comes from no template is probably a new default of Elasticsearch.
 */
const MATTERS = [
  ...['mode', 'number_of_shards', 'number_of_replicas', 'auto_expand_replicas', 'refresh_interval', 'codec'],
  ...['default_pipeline', 'final_pipeline', 'translog', 'sort', 'store', 'merge', 'indexing', 'search'],
  ...['lifecycle.name', 'mapping.source', 'routing.allocation.require', 'routing.allocation.exclude'],
];

/** Settings that Elasticsearch sets because of the index mode in the definition. */
const OF_MODE = ['sort', 'codec', 'mapping.source', 'search', 'merge', 'refresh_interval'];

interface Templates {
  /** The composable index templates; undefined if the credentials may not read them. */
  index: z.output<typeof indexTemplates>['index_templates'] | undefined;
  legacy: z.output<typeof legacyTemplates> | undefined;
}

/**
 * Resolves to the result of a request. Undefined if the target does not offer the API, refuses the request, or responds in an unknown form.
 */
async function readable<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DynoError) return undefined;
    throw error;
  }
}

async function readTemplates(client: ElasticsearchClient): Promise<Templates> {
  const get = <T>(kind: string, schema: z.ZodType<T>): Promise<T | undefined> =>
    readable(askIfOffered(client, api.wholeTemplates(kind, schema), 'read the index templates'));
  const [composable, legacy] = await Promise.all([
    get('_index_template', indexTemplates),
    get('_template', legacyTemplates),
  ]);
  return { index: composable && (composable.index_templates ?? []), legacy };
}

/** Returns whether a template's pattern matches the name. `*` in the pattern matches any characters. */
const takes = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  ).test(name);

/**
 * Returns the templates that apply to the index. Each template overrides those before it in the list. Undefined if the templates cannot be
 * read.
 */
async function layersFor(
  client: ElasticsearchClient,
  { index, legacy }: Templates,
  wanted: WantedIndex,
): Promise<Layer[] | undefined> {
  if (index === undefined && legacy === undefined) return undefined;
  const isTaken = (own: readonly string[]): boolean => own.some((pattern) => takes(pattern, wanted.index));
  const [best] = (index ?? [])
    .filter(({ index_template: own }) => isTaken(own.index_patterns))
    .sort((a, b) => (b.index_template.priority ?? 0) - (a.index_template.priority ?? 0));
  if (best === undefined) {
    return Object.entries(legacy ?? {})
      .filter(([, own]) => isTaken(own.index_patterns))
      .sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0))
      .map(([name, own]) => ({ name: `legacy template ${name}`, ...partsOf(own) }));
  }
  // A data stream of Dyno comes from a template of Dyno, which contains only what the definition requests.
  if (wanted.stream !== undefined && best.name === wanted.index) return [];
  const { composed_of: components = [], template } = best.index_template;
  const layers: Layer[] = [];
  for (const name of components) {
    const own = await readComponent(client, name);
    if (own !== undefined)
      layers.push({ name: `component template ${name} of index template ${best.name}`, ...partsOf(own) });
  }
  return [...layers, { name: `index template ${best.name}`, ...partsOf(template ?? {}) }];
}

async function readComponent(client: ElasticsearchClient, name: string): Promise<Body | undefined> {
  const answer = await readable(
    askIfOffered(
      client,
      api.wholeTemplates(`_component_template/${encodeURIComponent(name)}`, componentTemplates),
      'read a component template',
    ),
  );
  return (
    answer?.component_templates?.find((one) => one.name === name)?.component_template.template ?? undefined
  );
}

const ELSEWHERE = 'elsewhere';
const UNREADABLE = 'elsewhere; these credentials may not read the index templates';

/** Maximum number of fields of a mapping that a warning names. For other fields, the warning contains only their number. */
const MOST_FIELDS = 20;

/**
 * Lists what an index has in addition to the request (`more`), each element with the template that added it. `layers`: the templates that
 * apply to the index; undefined if they cannot be read.
 */
function attributed(asked: Parts, more: Parts, layers: readonly Layer[] | undefined): UnaskedPart[] {
  const found: UnaskedPart[] = [];
  const unknown = layers === undefined ? UNREADABLE : ELSEWHERE;
  const source = (has: (layer: Layer) => boolean): string | undefined => layers?.findLast(has)?.name;
  for (const [name, value] of more.settings) {
    const was = asked.settings.get(name);
    const from = source(({ settings }) => settings.get(name) === value);
    const isNotable =
      from !== undefined || was !== undefined || isNotableElsewhere(name, asked, layers === undefined);
    if (isNotable)
      found.push({
        what: `index.${name}`,
        value: was === undefined ? value : `${value} instead of ${was}`,
        from: from ?? unknown,
      });
  }
  for (const name of [...more.aliases].sort())
    found.push({
      what: `alias ${name}`,
      value: '',
      from: source(({ aliases }) => aliases.has(name)) ?? unknown,
    });
  const byOrigin = new Map<string, Set<string>>();
  for (const [leaf, value] of more.mapping) {
    const [path, parameter] = leaf.split(PARAMETER) as [string, string];
    const from = source(({ mapping }) => mapping.get(leaf) === value);
    if (from === undefined && !isForeignField(path, parameter, asked)) continue;
    const own = byOrigin.get(from ?? unknown) ?? new Set();
    own.add(path === '' ? `${parameter}: ${value}` : path);
    byOrigin.set(from ?? unknown, own);
  }
  for (const [from, names] of byOrigin)
    found.push({ what: 'mapping', value: listed([...names].sort(), MOST_FIELDS), from });
  return found;
}

/**
 * Returns whether to report a setting that comes from no known template. Settings that follow from the index mode are never reported.
 * `isBlind`: whether the templates could not be read. All other settings are then reported.
 */
function isNotableElsewhere(name: string, { settings }: Parts, isBlind: boolean): boolean {
  const mode = settings.get('mode');
  if (mode !== undefined && mode !== 'standard' && isBelow(name, OF_MODE)) return false;
  return isBlind || isBelow(name, MATTERS);
}

/**
 * Returns whether to report a mapping parameter that comes from no template. Not reported are parameters that Elasticsearch itself adds to
 * requested fields, and fields that it adds to logs and data streams.
 */
function isForeignField(path: string, parameter: string, { settings, mapping }: Parts): boolean {
  if (path === '') return parameter === 'dynamic' || parameter === '_source.enabled';
  if (path === '@timestamp' || path.startsWith('_') || settings.has('mode')) return false;
  return ![...mapping.keys()].some(
    (leaf) => leaf.startsWith(`${path}${PARAMETER}`) || leaf.startsWith(`${path}.`),
  );
}
