/**
 * Makes, finds and removes the data streams of trials, each with an index template of its name. Their backing indices carry
 * Dyno's mark by the template's mapping, the template carries it as well: nothing without it is ever deleted.
 */
import { withMissing } from '../../common/elasticsearch/modules';
import { stringifyPlain } from '../../common/json/exact';
import * as z from 'zod';
import { isDone, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { DynoError, inputError, runError } from '../../common/problem';
import { askIfOffered, refusal } from './answer';
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

const streamPath = (name: string): string => `/_data_stream/${encodeURIComponent(name)}`;
const templatePath = (name: string): string => `/_index_template/${encodeURIComponent(name)}`;

/** A server without the part that offers it. */
const lacksHandler = (status: number, body: unknown): boolean =>
  status === 400 && /no handler found/.test(String((body as { error?: unknown } | null)?.error));

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
  const template = await client.request({
    method: 'PUT',
    path: templatePath(name),
    body: {
      index_patterns: [name],
      priority: PRIORITY,
      data_stream: {},
      _meta: { dyno: own },
      template: {
        settings: flattenSettings(settings),
        mappings: { ...mapping, _meta: { ...meta, dyno: own } },
        ...(lifecycle === undefined ? {} : { lifecycle }),
      },
    },
    isExact: true,
    repeatable: true,
  });
  check(template, `make the index template ${name} (cluster privilege \`manage_index_templates\`)`);
  try {
    await putStream(client, name);
  } catch (error) {
    // Where the stream stands all the same, this is refused, and the stream is found by its mark.
    await dropTemplate(client, name).catch(() => undefined);
    throw error;
  }
}

async function putStream(client: ElasticsearchClient, name: string): Promise<void> {
  const stream = await client.request<unknown>({ method: 'PUT', path: streamPath(name), repeatable: true });
  // Its answer was lost and the request repeated: nobody else makes one of this template.
  if (stream.status === 400 && /resource_already_exists/.test(stringifyPlain(stream.body))) return;
  if (lacksHandler(stream.status, stream.body))
    throw inputError('target.no-data-streams', 'index.as', 'the target does not offer data streams', {
      found: 'data-stream',
      allowed: 'index, or a whole Elasticsearch: the embedded one lacks the API',
    });
  check(stream, `make the data stream ${name}`);
}

function check({ status, body }: { status: number; body: unknown }, doing: string): void {
  if (isSuccess(status) && typeof body !== 'string') return;
  if (status !== 400) throw refusal(status, body, doing);
  throw new DynoError('input', [
    {
      code: 'target.illegal-index',
      path: 'index',
      message: `Elasticsearch does not ${doing}: ${withMissing(reasonOf(body))}`,
    },
  ]);
}

const template = z.looseObject({
  name: z.string(),
  index_template: z.looseObject({ _meta: z.unknown().optional() }).optional(),
});
type Template = z.output<typeof template>;
const templates = z.looseObject({ index_templates: z.array(template).optional() });

const markOfTemplate = ({ index_template: own }: Template): IndexMark | undefined =>
  readMark({ _meta: own?._meta });

/** Undefined where there is none, or nobody may ask. */
async function findTemplate(client: ElasticsearchClient, name: string): Promise<Template | undefined> {
  const told = await askIfOffered(
    client,
    { method: 'GET', path: templatePath(name) },
    `look at the index template ${name}`,
    templates,
  );
  return told?.index_templates?.find((one) => one.name === name);
}

/** All templates with the mark of a data stream of Dyno's. */
export async function findMarkedTemplates(
  client: ElasticsearchClient,
): Promise<{ index: string; mark: IndexMark }[]> {
  const told = await askIfOffered(
    client,
    {
      method: 'GET',
      path: '/_index_template',
      query: { filter_path: 'index_templates.name,index_templates.index_template._meta' },
    },
    'look for index templates that Dyno created',
    templates,
  );
  return (told?.index_templates ?? []).flatMap((one) => {
    const mark = markOfTemplate(one);
    return mark?.stream === one.name ? [{ index: one.name, mark }] : [];
  });
}

/** Deletes the template if it carries Dyno's mark; false if there is none of that name that does. */
export async function dropTemplate(client: ElasticsearchClient, name: string): Promise<boolean> {
  const found = await findTemplate(client, name);
  if (found === undefined || markOfTemplate(found)?.stream !== name) return false;
  const { status, body } = await client.request({
    method: 'DELETE',
    path: templatePath(name),
    repeatable: true,
  });
  if (status !== 404 && !isDone({ status, body }))
    throw refusal(status, body, `delete the index template ${name}`);
  return status !== 404;
}

/** Deletes a data stream, whose indices the caller has found to be marked, then its template, which would make it again. */
export async function dropDataStream(client: ElasticsearchClient, name: string): Promise<boolean> {
  const { status, body } = await client.request({
    method: 'DELETE',
    path: streamPath(name),
    repeatable: true,
  });
  if (status !== 404 && !isDone({ status, body }))
    throw refusal(status, body, `delete the data stream ${name}`);
  await dropTemplate(client, name);
  return status !== 404;
}

export interface RolloverConditions {
  documents?: number;
  /** Bytes of the largest primary shard. */
  bytes?: number;
}

const rolled = z.looseObject({ rolled_over: z.boolean().optional() });

/** True where the data stream got another backing index, for one of the conditions held. */
export async function rollOver(
  client: ElasticsearchClient,
  name: string,
  { documents, bytes }: RolloverConditions,
): Promise<boolean> {
  const told = await askIfOffered(
    client,
    {
      method: 'POST',
      path: `/${encodeURIComponent(name)}/_rollover`,
      body: {
        conditions: {
          ...(documents === undefined ? {} : { max_docs: documents }),
          ...(bytes === undefined ? {} : { max_primary_shard_size: `${bytes}b` }),
        },
      },
    },
    `roll over ${name}`,
    rolled,
  );
  if (told === undefined)
    throw runError('target.refused', '', 'the target does not offer rollovers, or not to these credentials');
  return told.rolled_over === true;
}
