/** Learns a profile from the documents of a file or an index. It is the entry point of this folder. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { Learner, type KeptValues, type WholeFacts } from './learner';
import type { Profile } from '../../common/generators/profile/profile';
import { plainValue, stringifyExact } from '../../common/json/exact';
import { inputError } from '../../common/problem';
import { documentsOfFile, documentsOfIndex, type FoundDocument } from './documents';
import { distinctValues, indexFacts } from './index-facts';
import { keptMapping, mappedFields } from './mapping';
import { Survey, type LeftOut } from './survey';

export { compare, type Comparison } from './compare';
export type { LeftOut };

type Tree = Readonly<Record<string, unknown>>;

/** The file or the index that contains the documents. */
export type LearnSource =
  | { kind: 'file'; file: string; mapping: Tree | undefined }
  | { kind: 'index'; index: string; client: ElasticsearchClient };

export interface LearnOptions {
  /** Maximum number of documents to read. */
  documents: number;
  /**
   * `keep`: fields whose original values the profile may contain. `keepFrom`: minimum number of documents that must have a value. Rarer
   * original values never get into the profile.
   */
  keep: readonly string[];
  keepFrom?: number;
  onProgress(read: number, of: number | undefined): void;
}

export interface Learned {
  profile: Profile;
  documents: number;
  /** Number of documents in the index. Undefined if the documents come from a file. */
  total: number | undefined;
  /** Fields that generated documents will not have. */
  leftOut: LeftOut[];
  /** For each field in {@link LearnOptions.keep}: the number of original values that the profile contains. */
  kept: KeptValues[];
}

/** Minimum number of documents from which a profile is learned. */
const FEWEST = 100;
/** Number of documents between two progress messages. */
const PROGRESS_EVERY = 10_000;
/** The distinct values of the whole index are counted only if the index has more than this many times the number of documents read. */
const MUCH_MORE = 1.5;

/** The documents, and facts that are known before the documents are read. */
export interface OpenedSource {
  mapping: Tree;
  settings: Tree;
  total: number | undefined;
  /** Fields that were removed from the documents. */
  leftOut: LeftOut[];
  documents(): AsyncGenerator<FoundDocument>;
}

/** Opens the file or index. Rejects with a DynoError (input) if it does not exist. `most`: maximum number of documents to read. */
export async function openSource(source: LearnSource, most: number): Promise<OpenedSource> {
  if (source.kind === 'index') {
    const { client, index } = source;
    const { mapping, settings, documents, timeField } = await indexFacts(client, index);
    const sample = { index, total: documents, documents: Math.min(most, documents), timeField };
    // No fields have to be left out, because Elasticsearch has already accepted all of them.
    return {
      mapping,
      settings,
      total: documents,
      leftOut: [],
      documents: () => documentsOfIndex(client, sample),
    };
  }
  const { file } = source;
  const survey = new Survey(file, source.mapping && keptMapping(source.mapping));
  for await (const { document } of documentsOfFile(file, most)) survey.observe(plainValue(document));
  const { mapping, leftOut } = survey.decide();
  if (leftOut.length === 0)
    return { mapping, settings: {}, total: undefined, leftOut, documents: () => documentsOfFile(file, most) };
  async function* documents(): AsyncGenerator<FoundDocument> {
    for await (const { document: whole, begins } of documentsOfFile(file, most)) {
      const document = survey.kept(whole);
      yield { document, text: stringifyExact(document), begins };
    }
  }
  return { mapping, settings: {}, total: undefined, leftOut, documents };
}

export async function learn(source: LearnSource, options: LearnOptions): Promise<Learned> {
  const opened = await openSource(source, options.documents);
  const { mapping, settings, total } = opened;
  checkKept(options.keep, mapping);
  const learner = new Learner({
    from: source.kind,
    documents: options.documents,
    mapping,
    settings,
    keep: new Set(options.keep),
    ...(options.keepFrom === undefined ? {} : { keepFrom: options.keepFrom }),
  });
  for await (const { document, text, begins } of opened.documents()) {
    if (begins) learner.beginStretch();
    learner.observe(document, Buffer.byteLength(text));
    if (learner.count % PROGRESS_EVERY === 0)
      options.onProgress(learner.count, total === undefined ? undefined : Math.min(total, options.documents));
  }
  const { count } = learner;
  if (count < FEWEST)
    throw inputError(
      'learn.documents',
      source.kind === 'file' ? source.file : source.index,
      'contains too few documents to learn from',
      {
        found: String(count),
        allowed: `at least ${FEWEST}`,
      },
    );
  const whole =
    source.kind === 'index' && total! > count * MUCH_MORE
      ? await wholeFacts(source, mapping, total!)
      : undefined;
  const profile = learner.finish(whole);
  return {
    profile,
    documents: count,
    total,
    leftOut: [...opened.leftOut, ...learner.leftOut],
    kept: learner.kept,
  };
}

async function wholeFacts(
  { client, index }: Extract<LearnSource, { kind: 'index' }>,
  mapping: Tree,
  documents: number,
): Promise<WholeFacts> {
  const fields = mappedFields(mapping);
  const found = await distinctValues(client, index, fields);
  const distinct = new Map<string, number>();
  for (const { name, path } of fields) {
    const value = found.get(name);
    if (value !== undefined && !distinct.has(path)) distinct.set(path, value);
  }
  return { documents, distinct };
}

function checkKept(keep: readonly string[], mapping: Tree): void {
  const known = new Set(mappedFields(mapping).map(({ path }) => path));
  const unknown = keep.find((path) => !known.has(path));
  if (unknown === undefined) return;
  throw inputError('learn.keep', '--keep-values', 'is a field that the mapping does not contain', {
    found: unknown,
    allowed: [...known].slice(0, 30).join(', '),
  });
}
