/**
 * Makes, finds and removes the data streams of trials, each with an index template of its name. Their backing indices carry
 * Dyno's mark by the template's mapping, the template carries it as well: nothing without it is ever deleted.
 */
import { withMissing } from '../../common/elasticsearch/modules';
import { stringifyPlain } from '../../common/json/exact';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { DynoError, inputError, runError } from '../../common/problem';
import type { Refused } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import { checkReservedName } from './guard-rails';
import { readMark, type IndexMark } from './mark';

export interface StreamToCreate {
  /** Of the data stream and of its template. */
  name: string;
  settings: Readonly<Record<string, unknown>>;
  mapping: Readonly<Record<string, unknown>>;
  lifecycle?: Readonly<Record<string, unknown>>;
  /** `created` and `stream` are filled in. */
  mark: Omit<IndexMark, 'created' | 'stream'>;
}

/** Above what people and Elasticsearch give theirs: its pattern is one name. */
const PRIORITY = 1_000_000;

/** A server without the part that offers it. */
const lacksHandler = (body: unknown): boolean =>
  /no handler found/.test(String((body as { error?: unknown } | null)?.error));

/**
 * Rejects with a DynoError: `target.index-exists` (run), `target.illegal-index` (input: what Elasticsearch refuses, with its
 * reason), `target.no-data-streams` (input), `target.reserved-name` (input).
 */
export async function createDataStream(
  client: ElasticsearchClient,
  { name, settings, mapping, lifecycle, mark }: StreamToCreate,
): Promise<void> {
  checkReservedName(name);
  const own = { ...mark, stream: name, created: new Date().toISOString() };
  if ((await findTemplate(client, name)) !== undefined)
    throw runError('target.index-exists', 'index.name', `an index template ${name} exists already`);
  const meta = (mapping._meta ?? {}) as Record<string, unknown>;
  const template = {
    index_patterns: [name],
    priority: PRIORITY,
    data_stream: {},
    _meta: { dyno: own },
    template: {
      settings: flattenSettings(settings),
      mappings: { ...mapping, _meta: { ...meta, dyno: own } },
      ...(lifecycle === undefined ? {} : { lifecycle }),
    },
  };
  const doing = `make the index template ${name} (cluster privilege \`manage_index_templates\`)`;
  await ask(client, api.putIndexTemplate(name, template, true), doing, { illegal: illegalIndex(doing) });
  try {
    await putStream(client, name);
  } catch (error) {
    // Where the stream stands all the same, this is refused, and the stream is found by its mark.
    await dropTemplate(client, name).catch(() => undefined);
    throw error;
  }
}

async function putStream(client: ElasticsearchClient, name: string): Promise<void> {
  const doing = `make the data stream ${name}`;
  await ask(client, api.putDataStream(name), doing, {
    illegal: (refused) => {
      // Its answer was lost and the request repeated: nobody else makes one of this template.
      if (/resource_already_exists/.test(stringifyPlain(refused.body))) return undefined;
      if (!lacksHandler(refused.body)) return illegalIndex(doing)(refused);
      throw inputError('target.no-data-streams', 'index.as', 'the target does not offer data streams', {
        found: 'data-stream',
        allowed: 'index, or a whole Elasticsearch: the embedded one lacks the API',
      });
    },
  });
}

const illegalIndex =
  (doing: string) =>
  ({ reason }: Refused): never => {
    const message = `Elasticsearch does not ${doing}: ${withMissing(reason)}`;
    throw new DynoError('input', [{ code: 'target.illegal-index', path: 'index', message }]);
  };

const markOfTemplate = ({ index_template: own }: api.IndexTemplate): IndexMark | undefined =>
  readMark({ _meta: own?._meta });

/** Undefined where there is none, or nobody may ask. */
async function findTemplate(
  client: ElasticsearchClient,
  name: string,
): Promise<api.IndexTemplate | undefined> {
  const told = await askIfOffered(client, api.indexTemplate(name), `look at the index template ${name}`);
  return told?.index_templates.find((one) => one.name === name);
}

/** All templates with the mark of a data stream of Dyno's. */
export async function findMarkedTemplates(
  client: ElasticsearchClient,
): Promise<{ index: string; mark: IndexMark }[]> {
  const doing = 'look for index templates that Dyno created';
  const told = await askIfOffered(client, api.templateMarks(), doing);
  return (told?.index_templates ?? []).flatMap((one) => {
    const mark = markOfTemplate(one);
    return mark?.stream === one.name ? [{ index: one.name, mark }] : [];
  });
}

/** Deletes the template if it carries Dyno's mark; false if there is none of that name that does. */
export async function dropTemplate(client: ElasticsearchClient, name: string): Promise<boolean> {
  const found = await findTemplate(client, name);
  if (found === undefined || markOfTemplate(found)?.stream !== name) return false;
  const doing = `delete the index template ${name}`;
  return (await ask(client, api.deleteIndexTemplate(name), doing, { missing: () => false })) !== false;
}

/** Deletes a data stream, whose indices the caller has found to be marked, then its template, which would make it again. */
export async function dropDataStream(client: ElasticsearchClient, name: string): Promise<boolean> {
  const doing = `delete the data stream ${name}`;
  const deleted = await ask(client, api.deleteDataStream(name), doing, { missing: () => false });
  await dropTemplate(client, name);
  return deleted !== false;
}

export interface RolloverConditions {
  documents?: number;
  /** Bytes of the largest primary shard. */
  bytes?: number;
}

/** True where the data stream got another backing index, for one of the conditions held. */
export async function rollOver(
  client: ElasticsearchClient,
  name: string,
  { documents, bytes }: RolloverConditions,
): Promise<boolean> {
  const conditions = {
    ...(documents === undefined ? {} : { max_docs: documents }),
    ...(bytes === undefined ? {} : { max_primary_shard_size: `${bytes}b` }),
  };
  const told = await askIfOffered(client, api.rollOver(name, conditions), `roll over ${name}`);
  if (told === undefined)
    throw runError('target.refused', '', 'the target does not offer rollovers, or not to these credentials');
  return told.rolled_over === true;
}
