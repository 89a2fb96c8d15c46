/** Stores objects as documents of an index, one document for each id. Every change must name the version on which it is based. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { having, type Query } from '../../elasticsearch/ask';
import * as api from '../../elasticsearch/api';
import type { Versioned, VersionedStore } from './versioned';
import { ask, askIfThere, refusal } from '../../results/answer';
import type { Fields } from '../../results/mappings/field';
import { makeIndex } from '../../results/own-index';
import type { Stamped } from '../../results/read-once';

/** Number of documents that are read with one search. Most definitions are small, but one may have 1 MB. */
const PAGE = 250;

/**
 * Number of stamps that are read with one search: the default of `index.max_result_window`. A stamp is small, because it contains only the
 * time of a document's last change and its sequence number.
 */
const STAMPS_PAGE = 10_000;

const BY_ID = { id: { order: 'asc', unmapped_type: 'keyword' } };

/** Sort fields that form a stamp. The time is needed because a recreated index counts its sequence numbers from 0 again. */
const STAMP = [{ updated: { order: 'asc', unmapped_type: 'date' } }, { _seq_no: { order: 'asc' } }];

const versionOf = ({ _seq_no: sequence, _primary_term: term }: api.Sequence): string => `${sequence}-${term}`;

/** Parses a version. Returns undefined if the text cannot be a version that {@link versionOf} returned. */
function parseVersion(version: string): Query | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(version);
  if (!parts || Number(parts[2]) < 1) return undefined;
  return { if_seq_no: Number(parts[1]), if_primary_term: Number(parts[2]) };
}

/**
 * Stores documents in an index. Methods reject with a DynoError `results.*` or with an error of the client. Every completed write is
 * visible in lists at once.
 */
export class DocumentIndex<T extends { updated: string }> implements VersionedStore<T> {
  private made = false;

  constructor(
    private readonly client: ElasticsearchClient,
    private readonly name: string,
    private readonly fields: Fields<T>,
    /** Name of the stored objects in messages, such as `experiments`. */
    private readonly what: string,
  ) {}

  /** Returns the documents that match `query`, in the order of their ids. Without `query`, returns all documents. */
  async list(query?: object): Promise<Versioned<T>[]> {
    const asked = query === undefined ? {} : { query };
    const hits = await this.hits<api.StoredDocument<T>>(PAGE, {
      seq_no_primary_term: true,
      sort: [BY_ID],
      ...asked,
    });
    return hits.map(toVersioned);
  }

  async stamps(): Promise<Stamped[]> {
    // A stamp consists of the sort values of a hit. Loading the documents themselves would take ten times as long.
    const hits = await this.hits(STAMPS_PAGE, { stored_fields: '_none_', sort: [BY_ID, ...STAMP] });
    return hits.map(({ sort: [id, ...stamp] }) => ({ id: String(id), stamp: stamp.join(' ') }));
  }

  async getMany(ids: readonly string[]): Promise<Versioned<T>[]> {
    const got: Versioned<T>[] = [];
    for (let from = 0; from < ids.length; from += PAGE) {
      const doing = `read the ${this.what}`;
      const some = api.getDocuments<T>(this.name, ids.slice(from, from + PAGE));
      const answer = await askIfThere(this.client, some, doing);
      if (answer === undefined) return got;
      const failed = answer.docs.find(({ error }) => error && error.type !== 'index_not_found_exception');
      if (failed) throw refusal(500, failed, doing);
      got.push(
        ...answer.docs.filter(({ found }) => found).map((one) => toVersioned(one as api.StoredDocument<T>)),
      );
    }
    return got;
  }

  /** Returns all hits of a search over the documents. They are read in pages of `size` hits. */
  private async hits<H extends object>(size: number, asked: object): Promise<(H & { sort: unknown[] })[]> {
    const found: (H & { sort: unknown[] })[] = [];
    const answer = having<{ hits: { hits: typeof found } }>('hits.hits[]');
    const pages = api.pages(size, async (page) => {
      const body = { track_total_hits: false, ...asked, ...page };
      const search = api.search(this.name, body, answer, { query: { ignore_unavailable: true } });
      return (await askIfThere(this.client, search, `read the ${this.what}`))?.hits.hits ?? [];
    });
    for await (const hits of pages) found.push(...hits);
    return found;
  }

  async get(id: string): Promise<Versioned<T> | undefined> {
    const found = await askIfThere(this.client, api.getDocument<T>(this.name, id), `read the ${this.what}`);
    return found && toVersioned(found);
  }

  /** Creates a document and returns it. Returns undefined if a document with this id already exists. */
  async create(id: string, source: T): Promise<Versioned<T> | undefined> {
    await this.make();
    return this.write(id, source, { op_type: 'create' });
  }

  /**
   * Replaces a document and returns the new version. Returns undefined if `version` is not the newest version, or if no document has this
   * id.
   */
  async replace(id: string, source: T, version: string): Promise<Versioned<T> | undefined> {
    const based = parseVersion(version);
    return based && this.write(id, source, based);
  }

  /** Deletes a document. Returns false if no document has this id. */
  async delete(id: string): Promise<boolean> {
    const deletion = api.deleteDocument(this.name, id, { refresh: true });
    const deleted = await ask(this.client, deletion, `remove one of the ${this.what}`, {
      missing: () => false,
    });
    return deleted !== false;
  }

  private async write(id: string, source: T, condition: Query): Promise<Versioned<T> | undefined> {
    // An immediate refresh of this tiny index costs less than waiting up to a second for the next one.
    const put = api.putDocument(this.name, id, source, { ...condition, refresh: true, require_alias: false });
    const written = await ask(this.client, put, `store one of the ${this.what}`, {
      conflict: () => undefined,
      ...('if_seq_no' in condition ? { missing: () => undefined } : {}),
    });
    return written && { id, version: versionOf(written), source };
  }

  private async make(): Promise<void> {
    if (this.made) return;
    const { name, fields: properties } = this;
    await makeIndex(this.client, { name, properties }, `create the index ${name}`);
    this.made = true;
  }
}

const toVersioned = <T>(hit: api.StoredDocument<T>): Versioned<T> => ({
  id: hit._id,
  version: versionOf(hit),
  source: hit._source,
});
