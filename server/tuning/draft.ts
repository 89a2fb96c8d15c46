/** A definition of an index that is there: its mapping, its settings, and a bounded sample of its documents. Reads only. */
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

/** Settings that say how an index works; others say which one it is, where it lies, and who looks after it. */
const CARRIED = [
  /^number_of_(shards|replicas)$/,
  /^refresh_interval$/,
  /^codec$/,
  /^mode$/,
  /^(sort|analysis|mapping|merge|translog|similarity|query|search)\./,
  /^max_/,
  /^(default|final)_pipeline$/,
];
/** Characters of the sample: some seconds of indexing, which begins again when it ends. */
const MOST_CHARACTERS = 20_000_000;
const PAGE = 500;

const indexAnswer = z.record(
  z.string(),
  z.looseObject({
    mappings: z.record(z.string(), z.unknown()).default({}),
    settings: z.looseObject({ index: z.record(z.string(), z.unknown()).default({}) }),
    /** Of a backing index. */
    data_stream: z.string().optional(),
  }),
);
const searchAnswer = z.looseObject({
  hits: z.looseObject({
    hits: z.array(z.looseObject({ _source: z.record(z.string(), z.unknown()).optional() })),
  }),
});

/** Of an index of this name, made at this time. */
const sampleFile = (index: string, at: number): string => `tuning-${index}-${at.toString(36)}.ndjson`;

/** Of any index. */
export const isSampleName = (file: string): boolean => /^tuning-[^/]+-[0-9a-z]{8,9}\.ndjson$/.test(file);

/** The sample that {@link draftOf} made for this definition; undefined where its documents come from elsewhere. */
export function sampleIn({ index, tasks }: Pick<Definition, 'index' | 'tasks'>): string | undefined {
  const named = tasks.flatMap(({ ingest }) => ingest?.source.file ?? []);
  const begin = sampleFile(index.name, 0).replace(/0\.ndjson$/, '');
  return named.find(
    (file) => file.startsWith(begin) && /^[0-9a-z]{8,9}\.ndjson$/.test(file.slice(begin.length)),
  );
}

/** Where samples are kept, so that experiments find them by their names. Reject as the host's storage does. */
export interface Samples {
  /** `text`: lines of JSON. It is a draft's: of a tuning that may never be started. */
  keep(file: string, text: string): Promise<void>;
  /** A tuning was started with it: it is a draft's no more. */
  take(file: string): Promise<void>;
  /** Those of drafts that were made before this time, ms. */
  drafts(before: number): Promise<string[]>;
  /** Nothing where there is none. */
  remove(file: string): Promise<void>;
}

/** Beside the sample of a draft. */
const DRAFT_MARK = '.draft';

/** In the folder of the files that experiments may read. */
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

/** How long the sample of a draft is kept that no tuning was started with, ms. */
const DRAFT_KEPT_MS = 86_400_000;

/** Removes samples of drafts of which no tuning came within a day, but for those that an experiment reads. */
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
  /** Documents of the sample, at most. */
  documents: number;
  /** Adds a search beside the indexing: of the newest documents, or its body. */
  search: boolean | Readonly<Record<string, unknown>>;
}

/** The field by which the newest documents are found. */
const dateOf = (mappings: Readonly<Record<string, unknown>>): string | undefined => {
  const properties = (mappings['properties'] ?? {}) as Readonly<Record<string, { type?: string }>>;
  const dates = Object.keys(properties).filter((name) => properties[name]?.type === 'date');
  return dates.includes('@timestamp') ? '@timestamp' : dates[0];
};

/**
 * Rejects with a DynoError: `tuning.index` where it is none or several, or holds no documents with a source; as the target does
 * otherwise.
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
  // Of a data stream, the newest of its indices is how the next one will be.
  const names = streams.size === 1 && !streams.has(undefined) ? all.slice(-1) : all;
  if (names.length === 0)
    throw inputError('tuning.index', 'index', 'there is no such index on the target', {
      found: index,
      allowed: 'the name of an index, of an alias of one, or of a data stream',
    });
  if (names.length > 1)
    throw inputError('tuning.index', 'index', 'a tuning begins with one index', {
      found: names.join(', '),
      allowed: 'the name of one index, of an alias of one, or of a data stream',
    });
  const { mappings: asked, settings, data_stream: stream } = found![names[0]!]!;
  // Elasticsearch adds it to the indices of a data stream, and takes it in no other.
  const mappings = Object.fromEntries(
    Object.entries(asked).filter(([name]) => name !== '_data_stream_timestamp'),
  );
  const tuned = stream ?? names[0]!;
  const sample = await sampleOf(client, tuned, documents);
  if (sample.length === 0)
    throw inputError('tuning.index', 'index', 'it holds no documents whose source can be read', {
      found: index,
      allowed: 'an index with documents; for an empty one, a definition with a generator or a file',
    });
  // A trial's index of the stream's own name would match the template that makes it a stream.
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

/** Lines of JSON, drawn at random: the first documents of an index are seldom like the others. */
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
    // Elasticsearch gives no page beyond its 10,000th hit.
    if (hits.hits.length < PAGE || from + 2 * PAGE > 10_000) break;
  }
  return lines;
}
