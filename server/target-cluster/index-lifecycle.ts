/** Creates, finds and drops the indices of trials. Nothing without Dyno's mark is ever deleted. */
import { withMissing } from '../../common/elasticsearch/modules';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { DynoError, runError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, askIfThere, badAnswer } from './answer';
import { createDataStream, dropDataStream, dropTemplate, findMarkedTemplates } from './data-streams';
import { checkReservedName } from './guard-rails';
import { readMark, type IndexMark } from './mark';
import { endReindex } from './reindex';

export interface IndexToCreate {
  index: string;
  /** With or without the leading `index.`, flat or nested. */
  settings: Readonly<Record<string, unknown>>;
  /** The body of `mappings`. */
  mapping: Readonly<Record<string, unknown>>;
  /** `created` is filled in. */
  mark: Omit<IndexMark, 'created'>;
  /** Made as a data stream of that name, with this lifecycle; absent for an index. */
  stream?: { lifecycle?: Readonly<Record<string, unknown>> };
}

/**
 * Creates the index, or the data stream, and does not wait for its shards; see `waitUntilReady`.
 * Rejects with a DynoError, for a data stream as {@link createDataStream} does: `target.index-exists` (run), `target.illegal-index` (input: settings or mapping that
 * Elasticsearch refuses, with its own reason), `target.reserved-name` (input).
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
      // Its answer was lost and the request repeated: the mark tells to the millisecond who made it.
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
  const told = await ask(client, api.getMappings(index), `look at the index ${index}`, {
    failed: () => null,
  });
  const found = readMark(told?.[index]?.mappings);
  return (
    found !== undefined && found.trial === own.trial && found.run === own.run && found.created === own.created
  );
}

/** Names one index and nothing else, whatever Elasticsearch would expand. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '_all' && !/[*?,<>\s"\\/|#]/.test(name) && !/^[-+_.]/.test(name);
}

/**
 * Deletes the index if it carries Dyno's mark, looked at right before; false if there is none of that name.
 * Rejects with a DynoError `target.index-not-ours` when it does not carry it, or when `name` is no plain name.
 */
export async function dropIndex(client: ElasticsearchClient, name: string): Promise<boolean> {
  const notOurs = (why: string): DynoError =>
    runError('target.index-not-ours', 'index.name', `${name} is not deleted: ${why}`);
  if (!isPlainName(name)) throw notOurs('it is not the plain name of one index');
  const looking = `look at the index ${name}`;
  const found = await askIfThere(client, api.getMappings(name), looking);
  // What was cut off between the template and the data stream left the former.
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

/** Those of `names` that exist and do not carry Dyno's mark. Rejects with a DynoError where the target cannot be asked. */
export async function unmarkedIndices(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<string[]> {
  const doing = 'look whose the indices of the trial are';
  const found = await ask(client, api.getMappings(names, { ignore_unavailable: true }), doing);
  return Object.entries(found ?? {})
    .flatMap(([index, own]) => (readMark(own?.mappings) === undefined ? [index] : []))
    .sort();
}

/**
 * All indices with Dyno's mark, those of one run if it is given, in the order of their names; closed ones included. A data stream
 * stands for its backing indices, by its own name, and is named, too, where only its template is there.
 */
export async function findMarkedIndices(
  client: ElasticsearchClient,
  runId?: string,
): Promise<{ index: string; mark: IndexMark }[]> {
  const asked = api.getMappings(undefined, { expand_wildcards: 'all', filter_path: '*.mappings._meta.dyno' });
  const found = await ask(client, asked, 'look for indices that Dyno created');
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
