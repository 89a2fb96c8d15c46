/** Bulks of the documents of corpora. */
import { STRIP_ACTIONS } from '../../../files/refusals';
import type { Documents } from '../track';
import { list, object, optional, Unfit, type Convert, type Ingest } from './operation';

const CONFLICTS: Readonly<Record<string, string>> = { sequential: 'sequential', random: 'random' };

/** Ids that were given out before, as a definition draws them. */
function ids(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const by = CONFLICTS[optional(params, 'conflicts') ?? ''];
  if (by === undefined) return {};
  const recency = Number(params['recency'] ?? 0);
  return {
    ids: {
      by,
      conflicts: Number(params['conflict-probability'] ?? 25) / 100,
      ...(recency > 0 ? { recency } : {}),
    },
    ...(params['on-conflict'] === 'update'
      ? { actions: { update: 1 }, update: { doc: 'whole', doc_as_upsert: true } }
      : {}),
  };
}

type File = Ingest['files'][number];

/** Each file once for each of its targets, with how often it is read. */
function once(documents: readonly Documents[]): File[] {
  const found = new Map<string, File>();
  for (const { file, archive, url, count, target, isDataStream } of documents) {
    const key = JSON.stringify([file, target]);
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

const bulk: Convert = ({ params, track }) => {
  const corpora = list(params['corpora']);
  const wanted = (key: string): string[] => list(params[key]);
  const [indices, streams] = [wanted('indices'), wanted('data-streams')];
  const documents = track.corpora
    .filter(({ name }) => corpora.length === 0 || corpora.includes(name))
    .flatMap((corpus) => corpus.documents)
    .filter(({ target, isDataStream }) => {
      const names = isDataStream ? streams : indices;
      return indices.length + streams.length === 0 || (target !== undefined && names.includes(target));
    });
  if (documents.length === 0) throw new Unfit('has no documents: no corpus of the track is meant');
  if (documents.some(({ hasActions }) => hasActions)) {
    return {
      left: 'sends a file with lines of actions, and Dyno writes these itself',
      nearest: `ingest of the file without them, made by: ${STRIP_ACTIONS} FILE > documents.ndjson`,
    };
  }
  const size = Number(params['bulk-size']);
  if (!Number.isInteger(size) || size < 1) throw new Unfit('has no bulk-size');
  const all = documents.reduce((sum, { count }) => sum + count, 0);
  const given = params['ingest-doc-count'];
  const percentage =
    given === undefined ? Number(params['ingest-percentage'] ?? 100) : (Number(given) / all) * 100;
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
      left: `sends parameters of its own with each bulk: ${Object.keys(others as object).join(', ')}`,
      nearest: 'ingest.params',
    };
  }
  const isStream = documents.some(({ isDataStream }) => isDataStream);
  return {
    ingest: {
      files: once(documents),
      bulkSize: size,
      percentage,
      pipeline: optional(params, 'pipeline'),
      more: {
        ...(isStream ? { actions: { create: 1 } } : {}),
        ...ids(params),
        ...(Object.keys(query).length === 0 ? {} : { params: query }),
      },
    },
  };
};

export const DOCUMENTS: Readonly<Record<string, Convert>> = { bulk };
