/**
 * Creates the draft of a tuning (a series of experiments that looks for better settings). The draft is a definition from an existing index,
 * with its mapping, its settings and a limited sample of its documents. The index is only read.
 */
import { stringifyExact } from '../../common/json/exact';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import type { Definition, DefinitionInput } from '../../common/experiment/definition';
import type { TunedIndex } from '../../common/tuning/template';
import { inputError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, askIfThere } from '../target-cluster/answer';

/**
 * Settings that are copied to the definition because they affect how an index works. All other settings identify the index, place its
 * shards or manage its life cycle.
 */
const CARRIED = [
  /^number_of_(shards|replicas)$/,
  /^refresh_interval$/,
  /^codec$/,
  /^mode$/,
  /^(sort|analysis|mapping|merge|translog|similarity|query|search)\./,
  /^max_/,
  /^(default|final)_pipeline$/,
];
/** Maximum number of characters of the sample. This is enough for a few seconds of indexing; afterwards the sample is sent again. */
const MOST_CHARACTERS = 20_000_000;
const PAGE = 500;

const indexAnswer = z.record(
  z.string(),
  z.looseObject({
    mappings: z.record(z.string(), z.unknown()).default({}),
    settings: z.looseObject({ index: z.record(z.string(), z.unknown()).default({}) }),
    /** Name of the data stream to which the index belongs. Undefined if the index is not a backing index. */
    data_stream: z.string().optional(),
  }),
);
const searchAnswer = z.looseObject({
  hits: z.looseObject({
    hits: z.array(z.looseObject({ _source: z.record(z.string(), z.unknown()).optional() })),
  }),
});

/**
 * Returns the file name for a sample of documents. `index`: index from which they come. `at`: time of the sample, in ms since the epoch.
 */
const sampleFile = (index: string, at: number): string => `tuning-${index}-${at.toString(36)}.ndjson`;

/** Returns whether the file name belongs to a sample of documents. */
export const isSampleName = (file: string): boolean => /^tuning-[^/]+-[0-9a-z]{8,9}\.ndjson$/.test(file);

/**
 * Returns the name of the file with the sample of documents that {@link draftOf} created for this definition. Undefined if the documents of
 * the definition have another source.
 */
export function sampleIn({ index, tasks }: Pick<Definition, 'index' | 'tasks'>): string | undefined {
  const named = tasks.flatMap(({ ingest }) => ingest?.source.file ?? []);
  const begin = sampleFile(index.name, 0).replace(/0\.ndjson$/, '');
  return named.find(
    (file) => file.startsWith(begin) && /^[0-9a-z]{8,9}\.ndjson$/.test(file.slice(begin.length)),
  );
}

/**
 * Stores samples of documents in files. The definition of an experiment names its file. All methods reject with the errors of the storage.
 */
export interface Samples {
  /** Stores a sample of documents and marks it as a draft, because the user may never start the tuning. `text`: lines of JSON. */
  keep(file: string, text: string): Promise<void>;
  /** Removes the draft mark, because a tuning was started with the sample. */
  take(file: string): Promise<void>;
  /** Returns the samples of drafts that were created before this time, in ms since the epoch. */
  drafts(before: number): Promise<string[]>;
  /** Deletes a sample if it exists. */
  remove(file: string): Promise<void>;
}

/** Suffix of the file that marks a sample as a draft. */
const DRAFT_MARK = '.draft';

/** Stores samples in the folder of the files that experiments may read. */
export const samplesIn = (folder: string): Samples => ({
  async keep(file, text) {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${file}${DRAFT_MARK}`), '', { mode: 0o600 });
    await writeFile(path.join(folder, file), text, { mode: 0o600 });
  },
  take: (file) => rm(path.join(folder, `${file}${DRAFT_MARK}`), { force: true }),
  async drafts(before) {
    const names = await readdir(folder).catch((): string[] => []);
    const marks = names.filter((name) => name.endsWith(DRAFT_MARK));
    const found = await Promise.all(
      marks.map(async (mark) => {
        const made = await stat(path.join(folder, mark)).catch(() => null);
        return made !== null && made.mtimeMs < before ? mark.slice(0, -DRAFT_MARK.length) : null;
      }),
    );
    return found.filter((file) => file !== null && isSampleName(file)) as string[];
  },
  async remove(file) {
    await rm(path.join(folder, file), { force: true });
    await rm(path.join(folder, `${file}${DRAFT_MARK}`), { force: true });
  },
});

/** Time in ms for which the sample of an unused draft is kept. */
const DRAFT_KEPT_MS = 86_400_000;

/** Removes the samples of drafts for which no tuning was started within a day. Samples that an experiment reads are kept. */
export async function removeOldDrafts(
  samples: Pick<Samples, 'drafts' | 'remove'>,
  experiments: () => Promise<
    readonly { definition?: Pick<Definition, 'index' | 'tasks'> | null | undefined }[]
  >,
  now = Date.now(),
): Promise<void> {
  const files = await samples.drafts(now - DRAFT_KEPT_MS);
  if (files.length === 0) return;
  const used = new Set((await experiments()).map(({ definition }) => definition && sampleIn(definition)));
  for (const file of files) if (!used.has(file)) await samples.remove(file);
}

export interface DraftOrder {
  target: string;
  index: string;
  /** Maximum number of documents in the sample. */
  documents: number;
  /**
   * Whether the definition also contains a search that runs during indexing. True: a search for the newest documents. An object: the body
   * of the search.
   */
  search: boolean | Readonly<Record<string, unknown>>;
}

/** Returns the date field by which the newest documents can be sorted first. */
const dateOf = (mappings: Readonly<Record<string, unknown>>): string | undefined => {
  const properties = (mappings['properties'] ?? {}) as Readonly<Record<string, { type?: string }>>;
  const dates = Object.keys(properties).filter((name) => properties[name]?.type === 'date');
  return dates.includes('@timestamp') ? '@timestamp' : dates[0];
};

/**
 * Creates a draft. Rejects with a DynoError: `tuning.index` if the name matches no index or several, or if the index has no documents
 * with a source. Otherwise it rejects with the errors of the target.
 */
export async function draftOf(
  client: ElasticsearchClient,
  { target, index, documents, search }: DraftOrder,
  samples: Pick<Samples, 'keep'>,
): Promise<{ definition: DefinitionInput; documents: number; subject: TunedIndex }> {
  const found = await askIfThere(
    client,
    api.getIndices(index, indexAnswer, { flat_settings: false }),
    `read the mapping of ${index}`,
  );
  const all = Object.keys(found ?? {}).sort();
  const streams = new Set(all.map((one) => found![one]!.data_stream));
  // For a data stream, the newest backing index is used, because the next one will be like it.
  const names = streams.size === 1 && !streams.has(undefined) ? all.slice(-1) : all;
  if (names.length === 0)
    throw inputError('tuning.index', 'index', 'no such index exists on the target', {
      found: index,
      allowed: 'the name of an index, of an alias of one, or of a data stream',
    });
  if (names.length > 1)
    throw inputError('tuning.index', 'index', 'a tuning begins with one index', {
      found: names.join(', '),
      allowed: 'the name of one index, of an alias of one, or of a data stream',
    });
  const { mappings: asked, settings, data_stream: stream } = found![names[0]!]!;
  // The key is removed, because Elasticsearch adds it to backing indices of a data stream and rejects it in any other index.
  const mappings = Object.fromEntries(
    Object.entries(asked).filter(([name]) => name !== '_data_stream_timestamp'),
  );
  const tuned = stream ?? names[0]!;
  const sample = await sampleOf(client, tuned, documents);
  if (sample.length === 0)
    throw inputError('tuning.index', 'index', 'the index has no documents whose source can be read', {
      found: index,
      allowed: 'an index with documents; for an empty one, a definition with a generator or a file',
    });
  // The trial's index must not have the name of the data stream, because it would then match the index template that creates a data stream.
  const name =
    (stream === undefined ? tuned : `tuning-${tuned}`)
      .replaceAll(/[^a-z0-9._-]/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 80) || 'index';
  const file = sampleFile(name, Date.now());
  await samples.keep(file, sample.map((line) => `${line}\n`).join(''));
  const carried = Object.entries(flattenSettings(settings.index)).filter(([key]) =>
    CARRIED.some((form) => form.test(key)),
  );
  const date = dateOf(mappings);
  const body =
    typeof search === 'object'
      ? { ...search }
      : { size: 10, ...(date === undefined ? {} : { sort: [{ [date]: 'desc' }] }) };
  return {
    documents: sample.length,
    subject: { name: tuned, dataStream: stream !== undefined },
    definition: {
      version: 1,
      name: tuned.slice(0, 150),
      target,
      index: { name, settings: Object.fromEntries(carried), mapping: mappings },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { file, repeat: true }, bulk: { docs: 1000 } },
          executor: { 'constant-clients': { clients: 2 } },
        },
        ...(search === false
          ? []
          : [
              {
                name: 'queries',
                search: { requests: [{ name: 'search', body }] },
                executor: { 'constant-clients': { clients: 1 } },
              },
            ]),
      ],
    },
  };
}

/** Returns random documents of an index as lines of JSON. They are more typical than the first documents of the index. */
async function sampleOf(client: ElasticsearchClient, index: string, most: number): Promise<string[]> {
  const lines: string[] = [];
  let characters = 0;
  for (let from = 0; from < most; from += PAGE) {
    const random = { query: { match_all: {} }, random_score: { seed: 1, field: '_seq_no' } };
    const body = { from, size: Math.min(PAGE, most - from), query: { function_score: random } };
    const asked = api.search(index, { track_total_hits: false, ...body }, searchAnswer, { isExact: true });
    const { hits } = await ask(client, asked, `read a sample of ${index}`);
    for (const { _source: source } of hits.hits) {
      if (source === undefined) continue;
      const line = stringifyExact(source);
      characters += line.length;
      if (characters > MOST_CHARACTERS) return lines;
      lines.push(line);
    }
    // Elasticsearch returns no page beyond hit 10,000.
    if (hits.hits.length < PAGE || from + 2 * PAGE > 10_000) break;
  }
  return lines;
}
