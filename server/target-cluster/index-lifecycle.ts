/** Creates, finds and deletes the indices of trials. Only indices with Dyno's mark (`_meta.dyno` in the mapping) are ever deleted. */
import { withMissing } from '../../common/elasticsearch/modules';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { plainValue } from '../../common/json/exact';
import { DynoError, runError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, askIfThere, badAnswer } from './answer';
import { createDataStream, dropDataStream, dropTemplate, findMarkedTemplates } from './data-streams';
import { checkReservedName } from './guard-rails';
import { readMark, type IndexMark } from './mark';
import { endReindex } from './reindex';

export interface IndexToCreate {
  index: string;
  /** Settings of the index, flat or nested. Their names may omit `index.` at the beginning. */
  settings: Readonly<Record<string, unknown>>;
  /** The content of `mappings`. */
  mapping: Readonly<Record<string, unknown>>;
  /** Content of `_meta.dyno` in the mapping, by which Dyno recognises its indices. {@link createIndex} adds the field `created`. */
  mark: Omit<IndexMark, 'created'>;
  /** If set, a data stream named `index` is created with this lifecycle, instead of an index. */
  stream?: { lifecycle?: Readonly<Record<string, unknown>> };
}

/**
 * Creates the index, or the data stream if `stream` is set. Does not wait for the shards (`waitUntilReady` does).
 *
 * For a data stream, rejects with the errors of {@link createDataStream}. For an index, rejects with a DynoError: `target.index-exists`
 * (run), `target.reserved-name` (input), or `target.illegal-index` (input) if Elasticsearch rejects the settings or the mapping. The last
 * error contains Elasticsearch's reason.
 */
export async function createIndex(
  client: ElasticsearchClient,
  { index, settings, mapping, mark, stream }: IndexToCreate,
): Promise<void> {
  if (stream) return await createDataStream(client, { name: index, settings, mapping, mark, ...stream });
  checkReservedName(index);
  const meta = (mapping._meta ?? {}) as Record<string, unknown>;
  const own = { ...mark, created: new Date().toISOString() };
  const body = {
    settings: flattenSettings(settings),
    mappings: { ...mapping, _meta: { ...meta, dyno: own } },
  };
  const create = { ...api.createIndex(index, body, { wait_for_active_shards: 0 }), isExact: true };
  await ask(client, create, `create the index ${index}`, {
    exists: async () => {
      // The answer to the first try may have been lost and the request repeated. The mark contains the time in ms, which shows whether this
      // process created the index.
      if (await hasMark(client, index, own)) return;
      throw runError('target.index-exists', 'index.name', `the index ${index} exists already`);
    },
    illegal: ({ type, reason }) => {
      const path = /mapp|parse|field/i.test(type) ? 'index.mapping' : 'index';
      const message = `Elasticsearch refuses the index ${index}: ${withMissing(reason)}`;
      throw new DynoError('input', [{ code: 'target.illegal-index', path, message }]);
    },
  });
}

async function hasMark(client: ElasticsearchClient, index: string, own: IndexMark): Promise<boolean> {
  const answer = await ask(client, api.getMappings(index), `look at the index ${index}`, {
    failed: () => null,
  });
  const found = readMark(answer?.[index]?.mappings);
  return (
    found !== undefined && found.trial === own.trial && found.run === own.run && found.created === own.created
  );
}

/** Returns whether Elasticsearch reads `name` as the name of one index, not as a pattern, a list or a date expression. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '_all' && !/[*?,<>\s"\\/|#]/.test(name) && !/^[-+_.]/.test(name);
}

/**
 * Checks that the index has Dyno's mark, and deletes it immediately afterwards. Returns false if the index does not exist. Rejects with a
 * DynoError `target.index-not-ours` if the index has no mark, or if `name` is a pattern or a list.
 */
export async function dropIndex(client: ElasticsearchClient, name: string): Promise<boolean> {
  const notOurs = (why: string): DynoError =>
    runError('target.index-not-ours', 'index.name', `${name} is not deleted: ${why}`);
  if (!isPlainName(name)) throw notOurs('it is not the plain name of one index');
  const looking = `look at the index ${name}`;
  const found = await askIfThere(client, api.getMappings(name), looking);
  // If the creation of a data stream was interrupted, only its template exists.
  if (found === undefined) return await dropTemplate(client, name);
  if (found === null) throw badAnswer(looking, 'no JSON');
  const entry = found[name];
  const backing = Object.values(found);
  if (backing.length > 0 && backing.every((one) => readMark(one?.mappings)?.stream === name))
    return await dropDataStream(client, name);
  if (entry === undefined) throw notOurs('it is an alias or a data stream');
  const mark = readMark(entry.mappings);
  if (mark === undefined) throw notOurs('it was not created by Dyno');
  if (mark.filling) await endReindex(client, name);
  const deleting = `delete the index ${name}`;
  return (await ask(client, api.deleteIndex(name), deleting, { missing: () => false })) !== false;
}

/**
 * Returns those of `names` whose indices exist without Dyno's mark (`_meta.dyno` in the mapping). Rejects with a DynoError if the target
 * does not respond.
 */
export async function unmarkedIndices(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<string[]> {
  const doing = 'check the marks of the trial’s indices';
  const found = await ask(client, api.getMappings(names, { ignore_unavailable: true }), doing);
  return Object.entries(found ?? {})
    .flatMap(([index, own]) => (readMark(own?.mappings) === undefined ? [index] : []))
    .sort();
}

/**
 * Returns the mapping of each of the indices, aliases or data streams `names`. `doing`: end of the error message "could not ...". Rejects
 * with a DynoError if the target does not answer, or if a name is missing.
 */
export async function readMappings(
  client: ElasticsearchClient,
  names: readonly string[],
  doing: string,
): Promise<Record<string, unknown>[]> {
  const found = await ask(client, api.getMappings(names), doing);
  return Object.values(found ?? {}).map((own) => plainValue(own?.mappings ?? {}) as Record<string, unknown>);
}

/** Pattern that matches the default names of the indices that Dyno creates. */
const USUAL_NAMES = 'dyno-*';

/**
 * Returns all indices with Dyno's mark, sorted by name. `runId`: id of a run, to return only its indices. Closed indices are included. For
 * a data stream, returns the name of the data stream instead of its backing indices, even if only its template exists.
 */
export async function findMarkedIndices(
  client: ElasticsearchClient,
  runId?: string,
): Promise<{ index: string; mark: IndexMark }[]> {
  const doing = 'look for indices that Dyno created';
  const asked = (names?: readonly string[]): ReturnType<typeof api.getMappings> =>
    api.getMappings(names, { expand_wildcards: 'all', filter_path: '*.mappings._meta.dyno' });
  // Elasticsearch returns only the indices that the user may read. OpenSearch refuses the request if the user may not read all indices.
  const found = await ask(client, asked(), doing, {
    failed: ({ status, error }) => {
      if (status !== 403) throw error;
      return ask(client, asked([USUAL_NAMES]), doing);
    },
  });
  const indices = Object.entries(found ?? {}).flatMap(([index, own]) => {
    const mark = readMark(own?.mappings);
    return mark ? [{ index: mark.stream ?? index, mark }] : [];
  });
  const all = [...(await findMarkedTemplates(client)), ...indices].filter(
    ({ mark }) => runId === undefined || mark.run === runId,
  );
  return [...new Map(all.map((one) => [one.index, one])).values()].sort((a, b) =>
    a.index < b.index ? -1 : 1,
  );
}
