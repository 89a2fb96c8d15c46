/** Converts Rally's bulk operations. */
import { STRIP_ACTIONS } from '../../../files/refusals';
import { stringifyPlain } from '../../../json/exact';
import { nearest } from '../../../near';
import { showValue } from '../../../problem';
import type { Documents } from '../track';
import {
  isTrue,
  list,
  numeric,
  object,
  optional,
  timeoutOf,
  Unfit,
  type Convert,
  type Ingest,
} from './operation';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a number in a bulk operation, or `fallback` if the key is missing. Throws if the number is less than `least` or more than `most`.
 */
function within(params: Fields, key: string, fallback: number, least: number, most: number): number {
  const value = numeric(params, key) ?? fallback;
  if (!(value >= least && value <= most))
    throw new Unfit(`has a ${key} that is not between ${least} and ${most}`);
  return value;
}

/**
 * Returns the value of `key`, a number of documents. Like Python's `int`, this function truncates a number with a fraction, and throws for
 * a text with a fraction.
 */
function wholeNumber(params: Fields, key: string): number | undefined {
  const value = numeric(params, key);
  if (value === undefined) return undefined;
  const whole = typeof params[key] === 'number' ? Math.trunc(value) : value;
  if (!Number.isInteger(whole) || whole < 1)
    throw new Unfit(`has a ${key} of ${value}, which is not a whole number of at least 1`);
  return whole;
}

/**
 * Returns the percentage of the documents that are sent. It comes from `ingest-percentage`, or is calculated from `ingest-doc-count`.
 * `all`: number of documents in the files. `bulkSize`: number of documents per bulk request. Throws for values that Rally refuses.
 */
function percentageOf(params: Fields, all: number, bulkSize: number): number {
  const count = wholeNumber(params, 'ingest-doc-count');
  if (count === undefined) {
    const percentage = within(params, 'ingest-percentage', 100, 0, 100);
    if (percentage === 0) throw new Unfit('has an ingest-percentage of 0');
    return percentage;
  }
  if (params['ingest-percentage'] !== undefined)
    throw new Unfit('has both ingest-doc-count and ingest-percentage');
  if (count % bulkSize !== 0)
    throw new Unfit(
      `has an ingest-doc-count of ${count}, which is not a multiple of its bulk-size ${bulkSize}`,
    );
  if (count > all)
    throw new Unfit(`has an ingest-doc-count of ${count}, and its corpora have ${all} documents`);
  return (count / all) * 100;
}

/**
 * Returns whether the bulk operation sends the documents for the index or data stream `target`. `wanted`: names in the operation, as a list
 * or a text. Like Rally, this accepts every name that occurs inside a text, because Rally uses Python's `in`.
 */
const isMeant = (wanted: unknown, target: string | undefined): boolean =>
  target !== undefined &&
  (typeof wanted === 'string' ? wanted.includes(target) : list(wanted).includes(target));

/**
 * Returns a message for each name in the operation that is not the name of an index, data stream or corpus of the track. Rally ignores such
 * names.
 */
function unknownNames(params: Fields, key: string, known: readonly string[], what: string): string[] {
  const wanted = params[key];
  const isPart = key !== 'corpora' && typeof wanted === 'string';
  if (isPart && known.some((name) => isMeant(wanted, name))) return [];
  return list(wanted)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `\`${key}\` names ${showValue(name)}, which is not ${what}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

function oneOf<Word extends string>(params: Fields, key: string, words: readonly Word[]): Word | undefined {
  const value = params[key];
  if (value === undefined || value === null || value === '') return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw new Unfit(`has ${key}: ${String(value)}, which is not one of ${words.join(', ')}`);
  return found;
}

/**
 * Converts Rally's simulation of id conflicts: some documents get the id of an earlier document, and are sent as an update or an index
 * action. All other documents get a new id.
 */
function conflictsOf(params: Fields): Fields {
  const by = oneOf(params, 'conflicts', ['sequential', 'random']);
  if (by === undefined) return {};
  const percent = within(params, 'conflict-probability', 25, 0, 100);
  const recency = within(params, 'recency', 0, 0, 1);
  const drawn = { by, ...(recency > 0 ? { recency } : {}) };
  if ((oneOf(params, 'on-conflict', ['index', 'update']) ?? 'index') === 'index' || percent === 0)
    return { ids: { ...drawn, conflicts: percent / 100 } };
  // The operation has both actions: updates use existing ids, and index actions use new ids.
  if (percent < 100)
    return { ids: drawn, actions: { index: 100 - percent, update: percent }, update: { doc: 'whole' } };
  // All documents are updates. No document exists at first, so the updates are upserts.
  return {
    ids: { ...drawn, conflicts: 1 },
    actions: { update: 1 },
    update: { doc: 'whole', doc_as_upsert: true },
  };
}

type File = Ingest['files'][number];

/**
 * Returns the files that the operation reads. A file that occurs several times with the same index is returned once, with the number of
 * times that it is read.
 */
function once(documents: readonly Documents[]): File[] {
  const found = new Map<string, File>();
  for (const { file, archive, url, count, target, isDataStream } of documents) {
    const key = stringifyPlain([file, target]);
    const before = found.get(key);
    found.set(key, {
      file,
      archive,
      url,
      count: (before?.count ?? 0) + count,
      times: (before?.times ?? 0) + 1,
      target: target!,
      isDataStream,
    });
  }
  return [...found.values()];
}

const bulk: Convert = ({ task, params, track }) => {
  const { corpora, indices, 'data-streams': streams } = params;
  const meant = track.corpora
    .filter(({ name }) => corpora === undefined || list(corpora).includes(name))
    .flatMap((corpus) => corpus.documents);
  const documents = meant.filter(
    ({ target, isDataStream }) =>
      (!isTrue(indices) || (!isDataStream && isMeant(indices, target))) &&
      (!isTrue(streams) || (isDataStream && isMeant(streams, target))),
  );
  const targets = (ofStreams: boolean): string[] => [
    ...new Set(
      meant.flatMap(({ target, isDataStream }) =>
        target !== undefined && isDataStream === ofStreams ? [target] : [],
      ),
    ),
  ];
  const lost = [
    ...unknownNames(
      params,
      'corpora',
      track.corpora.map(({ name }) => name),
      `a corpus of the ${track.benchmark.track}`,
    ),
    ...unknownNames(params, 'indices', targets(false), 'the target of any of its documents'),
    ...unknownNames(params, 'data-streams', targets(true), 'the target of any of its documents'),
  ];
  if (documents.length === 0)
    throw new Unfit(
      lost.length === 0
        ? `has no documents: it selects no corpus of the ${track.benchmark.track}`
        : `has no documents: ${lost.join(', and ')}`,
    );
  const prepared = documents.find(({ hasActions }) => hasActions);
  if (prepared !== undefined) {
    // The track determines this name, and users copy the command. A name with special characters could execute something else.
    const file = /^[\w./-]+$/.test(prepared.file) ? prepared.file : 'FILE';
    return {
      left: `sends ${prepared.file} with its action lines, but Dyno writes these itself`,
      nearest: `ingest the file without them; to create it: ${STRIP_ACTIONS} ${file} > documents.ndjson`,
    };
  }
  const packed = documents.find(({ format }) => format !== 'bulk');
  if (packed !== undefined)
    return {
      left: `reads ${packed.file}, whose format is ${packed.format}`,
      nearest: 'ingest a file with one JSON document per line',
    };
  const size = wholeNumber(params, 'bulk-size');
  if (size === undefined) throw new Unfit('has no bulk-size');
  const all = documents.reduce((sum, { count }) => sum + count, 0);
  const percentage = percentageOf(params, all, size);
  const sent = Object.fromEntries(
    ['refresh', 'timeout'].flatMap((key) =>
      params[key] === undefined || params[key] === null ? [] : [[key, params[key]]],
    ),
  );
  const refresh = sent['refresh'] === 'true' ? true : sent['refresh'] === 'false' ? false : sent['refresh'];
  const query = { ...sent, ...(refresh === undefined ? {} : { refresh }) };
  const others = params['request-params'];
  if (others !== undefined && others !== null && Object.keys(object(others, 'request-params')).length > 0) {
    return {
      left: `sends additional parameters with each bulk: ${Object.keys(others as object).join(', ')}`,
      nearest: 'ingest.params',
    };
  }
  const isStream = documents.some(({ isDataStream }) => isDataStream);
  const conflicts = conflictsOf(params);
  if (isStream && Object.keys(conflicts).length > 0)
    throw new Unfit('has conflicts, but a data stream accepts only new documents');
  // A bulk task with `looped` never ends, so it is converted only if the task has a time limit.
  const isLooped = task.time !== undefined && isTrue(params['looped']);
  return {
    ...timeoutOf(params),
    ...(lost.length === 0 ? {} : { lost }),
    ingest: {
      files: once(documents).map((file) => (isLooped ? { ...file, times: Infinity } : file)),
      bulkSize: size,
      percentage,
      pipeline: optional(params, 'pipeline'),
      more: {
        ...(isStream ? { actions: { create: 1 } } : {}),
        ...conflicts,
        ...(Object.keys(query).length === 0 ? {} : { params: query }),
      },
    },
  };
};

export const DOCUMENTS: Readonly<Record<string, Convert>> = { bulk };
