/**
 * Creates, finds and removes the data streams of trials. Each data stream has an index template of the same name. The template and its
 * mapping contain Dyno's mark (`_meta.dyno`, see mark.ts), so all backing indices have it too. Dyno never deletes a data stream, template
 * or index without the mark.
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
  /** Name of the data stream and of its template. */
  name: string;
  settings: Readonly<Record<string, unknown>>;
  mapping: Readonly<Record<string, unknown>>;
  lifecycle?: Readonly<Record<string, unknown>>;
  /**
   * Content of `_meta.dyno` in the mapping, by which Dyno recognises its data streams. {@link createDataStream} adds the fields `created`
   * and `stream`.
   */
  mark: Omit<IndexMark, 'created' | 'stream'>;
}

/**
 * Priority of the template. It is higher than the priority of any template of users or of Elasticsearch. The template cannot affect other
 * data streams, because its pattern matches only one name.
 */
const PRIORITY = 1_000_000;

/** Returns whether the body of a response shows that the server does not have the API. */
const lacksHandler = (body: unknown): boolean =>
  /no handler found/.test(String((body as { error?: unknown } | null)?.error));

/**
 * Creates a data stream and its index template. Rejects with a DynoError: `target.index-exists` (run), `target.illegal-index` (input, with
 * Elasticsearch's reason), `target.no-data-streams` (input), `target.reserved-name` (input).
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
  const doing = `create the index template ${name} (cluster privilege \`manage_index_templates\`)`;
  await ask(client, api.putIndexTemplate(name, template, true), doing, { illegal: illegalIndex(doing) });
  try {
    await putStream(client, name);
  } catch (error) {
    // If the data stream was created despite the error, the cluster refuses to delete its template. The stream is then found by its mark.
    await dropTemplate(client, name).catch(() => undefined);
    throw error;
  }
}

async function putStream(client: ElasticsearchClient, name: string): Promise<void> {
  const doing = `create the data stream ${name}`;
  await ask(client, api.putDataStream(name), doing, {
    illegal: (refused) => {
      // The answer to the first try was lost, and the request was repeated. The template must be from the first try, because no other
      // process uses this name.
      if (/resource_already_exists/.test(stringifyPlain(refused.body))) return undefined;
      if (!lacksHandler(refused.body)) return illegalIndex(doing)(refused);
      throw inputError('target.no-data-streams', 'index.as', 'the target does not offer data streams', {
        found: 'data-stream',
        allowed: 'index, or a complete Elasticsearch: the embedded one lacks the API',
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

/** Returns the index template. Undefined if the template does not exist, or if these credentials may not read it. */
async function findTemplate(
  client: ElasticsearchClient,
  name: string,
): Promise<api.IndexTemplate | undefined> {
  const answer = await askIfOffered(client, api.indexTemplate(name), `look at the index template ${name}`);
  return answer?.index_templates.find((one) => one.name === name);
}

/** Returns the index templates that Dyno created for data streams. Dyno recognises them by their mark (`_meta.dyno`). */
export async function findMarkedTemplates(
  client: ElasticsearchClient,
): Promise<{ index: string; mark: IndexMark }[]> {
  const doing = 'look for index templates that Dyno created';
  const answer = await askIfOffered(client, api.templateMarks(), doing);
  return (answer?.index_templates ?? []).flatMap((one) => {
    const mark = markOfTemplate(one);
    return mark?.stream === one.name ? [{ index: one.name, mark }] : [];
  });
}

/** Deletes the template if Dyno created it, which its `_meta.dyno` shows. Returns false if there is no such template. */
export async function dropTemplate(client: ElasticsearchClient, name: string): Promise<boolean> {
  const found = await findTemplate(client, name);
  if (found === undefined || markOfTemplate(found)?.stream !== name) return false;
  const doing = `delete the index template ${name}`;
  return (await ask(client, api.deleteIndexTemplate(name), doing, { missing: () => false })) !== false;
}

/**
 * Deletes a data stream. Also deletes its template, because otherwise a document could create the data stream again. The caller must have
 * checked that its backing indices have Dyno's mark (`_meta.dyno`). Returns false if the data stream does not exist.
 */
export async function dropDataStream(client: ElasticsearchClient, name: string): Promise<boolean> {
  const doing = `delete the data stream ${name}`;
  const deleted = await ask(client, api.deleteDataStream(name), doing, { missing: () => false });
  await dropTemplate(client, name);
  return deleted !== false;
}

export interface RolloverConditions {
  /** Roll over if the write index has at least this many documents. */
  documents?: number;
  /** Roll over if the largest primary shard of the write index has at least this size, in bytes. */
  bytes?: number;
}

/** Rolls the data stream over (creates a new write index) if one of the conditions is met. Returns whether it was rolled over. */
export async function rollOver(
  client: ElasticsearchClient,
  name: string,
  { documents, bytes }: RolloverConditions,
): Promise<boolean> {
  const conditions = {
    ...(documents === undefined ? {} : { max_docs: documents }),
    ...(bytes === undefined ? {} : { max_primary_shard_size: `${bytes}b` }),
  };
  const answer = await askIfOffered(client, api.rollOver(name, conditions), `roll over ${name}`);
  if (answer === undefined)
    throw runError('target.refused', '', 'the target does not offer rollovers, or not to these credentials');
  return answer.rolled_over === true;
}
