/**
 * Examines data that exists in the target before a run: the indices behind a name, whether they can be read or written to, and the number
 * and size of their documents.
 */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { isSeveral, namesIn, plainNames, withoutOwn } from '../../common/elasticsearch/existing-names';
import type { ExistingState } from '../../common/measurement/existing';
import { inputError, runError, type DynoError } from '../../common/problem';
import { counter } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import { checkReservedName } from './guard-rails';
import { readMark, type IndexMark } from './mark';
import { countDocuments } from './snapshot';

/** An index behind the name in a definition. The name may be that of an index, an alias, a data stream or a pattern. */
export interface FoundIndex {
  name: string;
  uuid: string;
  /**
   * The aliases of the index, by name. true: the index is the write index of the alias. false: it is not. undefined: the alias does not
   * say.
   */
  aliases: Readonly<Record<string, boolean | undefined>>;
  /** Name of the data stream to which the index belongs; '' if it belongs to no data stream. */
  dataStream: string;
  /** Names of the blocks (`index.blocks.*`) that are set. */
  blocks: string[];
  mark: IndexMark | undefined;
}

const PATH = 'index.existing';

/**
 * Maximum number of indices behind a name. Reading the statistics of more indices would load the cluster as much as the measured requests.
 */
const MOST_INDICES = 1000;

/**
 * Returns the index expression for requests to `existing`, a name that may contain wildcards. With wildcards, the expression excludes
 * Dyno's results and the indices that Dyno created for runs, as in `logs-*,-logs-trial-1`. Rejects with the errors of {@link findExisting}.
 */
export async function addressOf(client: ElasticsearchClient, existing: string, path = PATH): Promise<string> {
  if (!isSeveral(existing)) return existing;
  const addressed = withoutOwn(existing);
  const named = namesIn(existing);
  const ours = (await findExisting(client, addressed, path))
    .filter(({ name, mark }) => mark !== undefined && !named.includes(name))
    .map(({ name, mark }) => mark?.stream ?? name);
  return withoutOwn(existing, [...new Set(ours)]);
}

const found = z.record(
  z.string(),
  z.looseObject({
    aliases: z.record(z.string(), z.looseObject({ is_write_index: z.boolean().optional() })).optional(),
    mappings: z.unknown().optional(),
    settings: z
      .looseObject({
        index: z
          .looseObject({
            uuid: z.string().optional(),
            blocks: z.record(z.string(), z.unknown()).optional(),
          })
          .optional(),
      })
      .optional(),
    data_stream: z.string().optional(),
  }),
);

/**
 * Returns the indices behind the name, sorted by name. Rejects with a DynoError: `target.existing-missing` (input, with similar names),
 * `target.existing-many` (input), `target.forbidden`.
 */
export async function findExisting(
  client: ElasticsearchClient,
  existing: string,
  path = PATH,
): Promise<FoundIndex[]> {
  const doing = `look for the existing ${existing} (index privilege \`view_index_metadata\`)`;
  const asked = api.getIndices(existing, found, {
    filter_path:
      '*.aliases.*.is_write_index,*.aliases.*.filter,*.aliases,*.mappings._meta,*.settings.index.uuid,' +
      '*.settings.index.blocks,*.data_stream,error,status',
  });
  const answer = await ask(client, asked, doing, { path, missing: () => undefined });
  if (answer === undefined) throw await missing(client, existing, path);
  const indices = Object.entries(answer)
    .map(([name, { aliases = {}, mappings, settings, data_stream: dataStream = '' }]): FoundIndex => ({
      name,
      uuid: settings?.index?.uuid ?? '',
      aliases: Object.fromEntries(
        Object.entries(aliases).map(([alias, { is_write_index: isWritten }]) => [alias, isWritten]),
      ),
      dataStream,
      blocks: Object.entries(settings?.index?.blocks ?? {}).flatMap(([block, value]) =>
        String(value) === 'true' ? [block] : [],
      ),
      mark: readMark(mappings),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (indices.length === 0) throw await missing(client, existing, path);
  if (indices.length > MOST_INDICES)
    throw inputError('target.existing-many', path, `${existing} matches too many indices`, {
      found: String(indices.length),
      allowed: `at most ${MOST_INDICES}`,
    });
  return indices;
}

/** Number of similar names that an error shows. */
const MOST_ALIKE = 5;
/** Number of characters at the beginning that two similar names have in common. */
const ALIKE_FROM = 3;

async function missing(client: ElasticsearchClient, existing: string, path: string): Promise<DynoError> {
  const all = await askIfOffered(client, api.allNames(), 'list the indices').catch(() => undefined);
  const alike = namesLike(existing, all ?? []);
  return inputError(
    'target.existing-missing',
    path,
    'the target has no open index, alias or data stream of this name',
    {
      found: existing,
      ...(alike.length === 0 ? {} : { allowed: `an existing one, such as ${alike.join(', ')}` }),
    },
  );
}

/** Returns the names in `all` that are similar to `existing`, the most similar name first. */
export function namesLike(existing: string, all: readonly string[]): string[] {
  const wanted = (plainNames(existing)[0] ?? existing.replaceAll(/[*,-]/g, '')).toLowerCase();
  const common = (name: string): number => {
    let length = 0;
    while (length < wanted.length && name[length] === wanted[length]) length++;
    return length;
  };
  return [...new Set(all)]
    .map((name) => {
      const own = name.toLowerCase();
      const part = own.includes(wanted) ? wanted.length : wanted.includes(own) ? own.length : 0;
      return { name, score: Math.max(part, common(own)) };
    })
    .filter(({ score }) => score >= Math.min(ALIKE_FROM, wanted.length) && score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_ALIKE)
    .map(({ name }) => name);
}

/**
 * Throws a DynoError `target.existing-ours` (input) if Dyno created one of the indices for a run. Dyno removes such an index together with
 * the run. Experiments that use the index would then have no data.
 */
export function checkNotOurs(existing: string, indices: readonly FoundIndex[], path = PATH): void {
  const ours = indices.find(({ mark }) => mark !== undefined);
  if (ours === undefined) return;
  throw inputError(
    'target.existing-ours',
    path,
    `${ours.name} was created by Dyno for run ${ours.mark!.run} and is removed with it`,
    { found: existing, allowed: 'data that Dyno did not create' },
  );
}

/**
 * Throws a DynoError (input) if the name matches an index in which Dyno stores its results and its other data. Experiments must not change
 * these indices.
 */
export function checkMayChange(existing: string, indices: readonly FoundIndex[], path = PATH): void {
  for (const name of [existing, ...indices.map((index) => index.name)]) checkReservedName(name, path);
}

/**
 * Checks that documents can be written to the indices behind the name with these actions of the bulk API. Throws a DynoError (input) if
 * not.
 */
export function checkWritable(
  existing: string,
  indices: readonly FoundIndex[],
  actions: readonly string[],
): void {
  const refuse = (code: string, message: string, allowed: string): DynoError =>
    inputError(code, PATH, message, { found: existing, allowed });
  const stream = indices.find(({ dataStream }) => dataStream === existing);
  if (stream !== undefined) {
    const refused = actions.find((action) => action !== 'create');
    if (refused === undefined) return;
    throw refuse(
      'target.existing-stream',
      `a data stream accepts only the action create, and a task sends ${refused}`,
      'actions: { create: 1 } for its ingest tasks, or the name of an index',
    );
  }
  const own = indices.find(({ name }) => name === existing) ?? writtenByAlias(existing, indices);
  if (own === undefined)
    throw refuse(
      'target.existing-not-written',
      'the alias has several indices and no write index',
      'the name of one index, or an alias with a write index',
    );
  if (own.blocks.length > 0)
    throw refuse(
      'target.blocked',
      `the index ${own.name} accepts no documents: index.blocks.${own.blocks[0]} is set`,
      'an index without blocks',
    );
}

function writtenByAlias(alias: string, indices: readonly FoundIndex[]): FoundIndex | undefined {
  const named = indices.find(({ aliases }) => aliases[alias] === true);
  if (named !== undefined || indices.length > 1) return named;
  return indices[0]?.aliases[alias] === false ? undefined : indices[0];
}

const primaries = z.looseObject({
  docs: z.looseObject({ deleted: counter().optional() }).optional(),
  segments: z.looseObject({ count: counter().optional() }).optional(),
  store: z.looseObject({ size_in_bytes: counter().optional() }).optional(),
});
const stats = z.looseObject({ _all: z.looseObject({ primaries: primaries.optional() }).optional() });

/**
 * Returns facts about the data behind the name: its indices, numbers of documents and segments, and size. `refreshed`: whether to refresh
 * the indices first, which makes all writes count. If false, nothing in the cluster changes. Rejects with a DynoError, which is
 * `target.existing-closed` (input) if one of the indices is closed.
 */
export async function readExisting(
  client: ElasticsearchClient,
  existing: string,
  { refreshed }: { refreshed: boolean },
): Promise<ExistingState> {
  const indices = await findExisting(client, existing);
  const documents = await countOpen(client, existing, refreshed);
  const answer = await askIfOffered(
    client,
    api.indexFigures(existing, '_stats/docs,segments,store', stats, {
      filter_path: ['docs.deleted', 'segments.count', 'store.size_in_bytes']
        .map((field) => `_all.primaries.${field}`)
        .join(),
    }),
    `read the statistics of ${existing}`,
  );
  const own = answer?._all?.primaries;
  return {
    indices: indices.map(({ name }) => name),
    uuids: indices.map(({ uuid }) => uuid),
    documents,
    deleted: own?.docs?.deleted ?? null,
    segments: own?.segments?.count ?? null,
    storeBytes: own?.store?.size_in_bytes ?? null,
  };
}

const countOpen = (client: ElasticsearchClient, existing: string, refreshed: boolean): Promise<number> =>
  countDocuments(client, [existing], {
    refreshed,
    failed: ({ type, error }) => {
      if (type !== 'index_closed_exception') throw error;
      const message = `${existing} is closed, or a part of it is: open it, or choose another index`;
      throw runError('target.existing-closed', PATH, message, error);
    },
  });
