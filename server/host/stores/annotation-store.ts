/**
 * Stores notes and baselines of experiments in the index `dyno-annotations` of the results cluster. Kibana, the standalone server and the
 * command `dyno` use this code.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import {
  MOST_NOTES,
  type Annotations,
  type Baseline,
  type BaselineOf,
  type HistoryNote,
} from '../../../common/history/annotations';
import { inputError } from '../../../common/problem';
import { date, keyword, object, type FieldMapping, type Fields } from '../../results/mappings/field';
import { withinSpace, type SpaceId } from '../../results/space';
import { Conflict, type AnnotationStore } from '../../routes/services';
import { DocumentIndex } from './document-index';
import type { Versioned } from './versioned';
import { parseTime } from '../../../common/units/time';

export const ANNOTATIONS = 'dyno-annotations';

/** A stored note or baseline. Both are in one index, because they are read together. */
interface StoredAnnotation {
  id: string;
  kind: 'note' | 'baseline';
  /** Experiment to which the note or baseline belongs. `space` is absent in the default space, as in documents of runs. */
  experiment: { id: string; space?: string };
  author: string;
  created: string;
  updated: string;
  /**
   * The run that a note is about, or the run that is the baseline. Absent for a note about a time, and for a baseline that consists of all
   * runs with one `value` of a `trait`.
   */
  run?: { id: string };
  /** The time that a note is about. */
  at?: string;
  text?: string;
  /**
   * Fact about the surroundings of a run, such as the version of Elasticsearch. If set, the baseline consists of all runs in which this
   * fact has `value`. Absent if the baseline is one run.
   */
  trait?: string;
  value?: string;
  since?: string;
}

/** Mapping of text that is stored but not indexed. Such text has no maximum length. */
const unindexed: FieldMapping = { type: 'text', index: false };

const fields: Fields<StoredAnnotation> = {
  id: keyword,
  kind: keyword,
  experiment: object<StoredAnnotation['experiment']>({ id: keyword, space: keyword }),
  author: keyword,
  created: date,
  updated: date,
  run: object<{ id: string }>({ id: keyword }),
  at: date,
  text: unindexed,
  trait: keyword,
  value: keyword,
  since: date,
};

const toNote = ({ id, version, source }: Versioned<StoredAnnotation>): HistoryNote => ({
  id,
  version,
  run: source.run?.id ?? null,
  at: source.at ?? source.created,
  text: source.text ?? '',
  author: source.author,
  created: source.created,
  updated: source.updated,
});

const toBaseline = ({ run, trait = '', value = '', since, author, updated }: StoredAnnotation): Baseline =>
  run ? { run: run.id, author, updated } : { trait, value, since: since ?? null, author, updated };

const fromBaseline = (of: BaselineOf): Partial<StoredAnnotation> =>
  'run' in of
    ? { run: { id: of.run } }
    : { trait: of.trait, value: of.value, ...(of.since === null ? {} : { since: of.since }) };

const notFound = (id: string): Error =>
  inputError('note.not-found', 'note', 'there is no such note', { found: id });

export interface AnnotationOptions {
  /** Kibana space whose notes and baselines are visible. Default: the default space. */
  space?: SpaceId;
  /**
   * Returns the name of the current user; undefined on a host that does not authenticate users. This name is stored as the author even if
   * the request names another one, so that nobody can use another name.
   */
  user?: () => Promise<string>;
  /** Maximum number of notes that an experiment may have. */
  most?: number;
}

const documentsIn = (client: ElasticsearchClient): DocumentIndex<StoredAnnotation> =>
  new DocumentIndex(client, ANNOTATIONS, fields, 'notes and baselines');

/**
 * Returns the ids of all runs that are the baseline of an experiment, in all spaces. Baselines that consist of several runs are not
 * included. Rejects with the errors of the store.
 */
export async function baselineRuns(client: ElasticsearchClient): Promise<Set<string>> {
  const found = await documentsIn(client).list({ term: { kind: 'baseline' } });
  return new Set(found.flatMap(({ source: { run } }) => (run ? [run.id] : [])));
}

/** Creates the store. `client` connects to the results cluster. Methods reject with a DynoError or with an error of the client. */
export function createAnnotationStore(
  client: ElasticsearchClient,
  { space = 'default', user, most = MOST_NOTES }: AnnotationOptions = {},
): AnnotationStore {
  const documents = documentsIn(client);
  const mark = (experiment: string): StoredAnnotation['experiment'] =>
    space === 'default' ? { id: experiment } : { id: experiment, space };
  const writer = async (given: string): Promise<string> => (user === undefined ? given : await user());

  /**
   * Returns the id of the document with the baseline of an experiment. The id depends only on the experiment and its space. Therefore, an
   * experiment has at most one baseline.
   */
  const baselineId = (experiment: string): string =>
    `baseline-${createHash('sha256')
      .update(JSON.stringify([space, experiment]))
      .digest('hex')}`;

  const all = (experiment: string): Promise<Versioned<StoredAnnotation>[]> =>
    documents.list(withinSpace({ term: { 'experiment.id': experiment } }, space));

  /** Reads a note. Rejects if the experiment has no such note in this space. */
  async function note(experiment: string, id: string): Promise<Versioned<StoredAnnotation>> {
    const found = await documents.get(id);
    const own = found?.source;
    const isOwn =
      own?.kind === 'note' &&
      own.experiment.id === experiment &&
      (own.experiment.space ?? 'default') === space;
    if (!found || !isOwn) throw notFound(id);
    return found;
  }

  return {
    async of(experiment): Promise<Annotations> {
      const found = await all(experiment);
      const baseline = found.find(({ source }) => source.kind === 'baseline');
      return {
        notes: found
          .filter(({ source }) => source.kind === 'note')
          .map(toNote)
          .sort((one, other) => parseTime(one.at) - parseTime(other.at)),
        baseline: baseline ? toBaseline(baseline.source) : null,
      };
    },

    async addNote(experiment, { run, at, text, author }) {
      const notes = (await all(experiment)).filter(({ source }) => source.kind === 'note').length;
      if (notes >= most)
        throw inputError(
          'note.too-many',
          'note',
          'the experiment has the maximum number of notes: delete one first',
          {
            found: `${notes} notes`,
            allowed: `at most ${most}`,
          },
        );
      const id = randomUUID();
      const now = new Date().toISOString();
      const created = await documents.create(id, {
        id,
        kind: 'note',
        experiment: mark(experiment),
        author: await writer(author),
        created: now,
        updated: now,
        ...(run === null ? {} : { run: { id: run } }),
        at,
        text,
      });
      return toNote(created!);
    },

    async saveNote(experiment, id, { about, text }, version) {
      const { source } = await note(experiment, id);
      const aimed: StoredAnnotation =
        about === undefined
          ? source
          : { ...source, at: about.at, run: about.run === null ? undefined : { id: about.run } };
      const saved = await documents.replace(
        id,
        { ...aimed, text, updated: new Date().toISOString() },
        version,
      );
      if (saved) return toNote(saved);
      throw new Conflict(
        {
          code: 'note.conflict',
          path: 'version',
          message: 'someone changed this note after it was loaded; nothing was saved',
        },
        toNote(await note(experiment, id)),
      );
    },

    async deleteNote(experiment, id) {
      await note(experiment, id);
      if (!(await documents.delete(id))) throw notFound(id);
    },

    async setBaseline(experiment, of, author) {
      const id = baselineId(experiment);
      const now = new Date().toISOString();
      const source: StoredAnnotation = {
        id,
        kind: 'baseline',
        experiment: mark(experiment),
        author: await writer(author),
        created: now,
        updated: now,
        ...fromBaseline(of),
      };
      // On a conflict, the change is repeated, so that the last write wins.
      for (;;) {
        const before = await documents.get(id);
        const kept = before
          ? await documents.replace(id, { ...source, created: before.source.created }, before.version)
          : await documents.create(id, source);
        if (kept) return toBaseline(kept.source);
      }
    },

    removeBaseline: (experiment) => documents.delete(baselineId(experiment)),

    async removeAll(experiment) {
      const found = await all(experiment);
      for (const { id } of found) await documents.delete(id);
      return found.length;
    },
  };
}
