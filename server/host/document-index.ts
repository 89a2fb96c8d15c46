/** An index with one document per id, each with a version that a change has to name. */
import { errorType, isDone, isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Versioned, VersionedStore } from './versioned';
import { refusal } from '../results/answer';
import type { Fields } from '../results/mappings/field';
import type { Stamped } from '../results/read-once';

interface Hit<T> {
  _id: string;
  _seq_no: number;
  _primary_term: number;
  _source: T;
}

/** Of a request for many. */
interface Got<T> extends Hit<T> {
  found?: boolean;
  error?: { type?: string };
}

interface Written {
  _seq_no: number;
  _primary_term: number;
}

/** Documents of one page of a list: definitions are small, but may be of 1 MB. */
const PAGE = 250;

/** Of one page of stamps, which are small: an index setting's default. */
const STAMPS_PAGE = 10_000;

const BY_ID = { id: { order: 'asc', unmapped_type: 'keyword' } };

/** What a stamp is made of; an index that was made again counts its changes from 0 again. */
const STAMP = [{ updated: { order: 'asc', unmapped_type: 'date' } }, { _seq_no: { order: 'asc' } }];

const versionOf = ({ _seq_no: sequence, _primary_term: term }: Written): string => `${sequence}-${term}`;

/** Undefined for what is no version of ours. */
function parseVersion(version: string): { if_seq_no: number; if_primary_term: number } | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(version);
  if (!parts || Number(parts[2]) < 1) return undefined;
  return { if_seq_no: Number(parts[1]), if_primary_term: Number(parts[2]) };
}

/** All reject with a DynoError `results.*` of the results cluster, or as the client does. Lists see every write. */
export class DocumentIndex<T extends { updated: string }> implements VersionedStore<T> {
  private made = false;

  constructor(
    private readonly client: ElasticsearchClient,
    private readonly name: string,
    private readonly fields: Fields<T>,
    /** What it holds, for sentences: `experiments`. */
    private readonly what: string,
  ) {}

  /** In the order of their ids; those that `query` finds, by default all. */
  async list(query?: object): Promise<Versioned<T>[]> {
    const asked = query === undefined ? {} : { query };
    const hits = await this.hits<Hit<T>>(PAGE, { seq_no_primary_term: true, sort: [BY_ID], ...asked });
    return hits.map(toVersioned);
  }

  async stamps(): Promise<Stamped[]> {
    // Told as what it is sorted by, a stamp costs no look into the document itself, which takes ten times as long.
    const hits = await this.hits(STAMPS_PAGE, { stored_fields: '_none_', sort: [BY_ID, ...STAMP] });
    return hits.map(({ sort: [id, ...stamp] }) => ({ id: String(id), stamp: stamp.join(' ') }));
  }

  async getMany(ids: readonly string[]): Promise<Versioned<T>[]> {
    const got: Versioned<T>[] = [];
    for (let from = 0; from < ids.length; from += PAGE) {
      const { status, body } = await this.client.request<{ docs?: Got<T>[] } | null>({
        method: 'POST',
        path: `/${this.name}/_mget`,
        body: { ids: ids.slice(from, from + PAGE) },
      });
      if (status === 404) return got;
      const docs = body?.docs;
      const failed = docs?.find(({ error }) => error && error.type !== 'index_not_found_exception');
      if (!isSuccess(status) || !Array.isArray(docs) || failed)
        throw refusal(status, failed ?? body, `read the ${this.what}`, 'docs');
      got.push(...docs.filter(({ found }) => found).map(toVersioned));
    }
    return got;
  }

  /** Of all documents, in pages of `size`. */
  private async hits<H extends object>(size: number, asked: object): Promise<(H & { sort: unknown[] })[]> {
    const found: (H & { sort: unknown[] })[] = [];
    let after: unknown[] | undefined;
    do {
      const { status, body } = await this.client.request<{ hits?: { hits?: typeof found } } | null>({
        method: 'POST',
        path: `/${this.name}/_search`,
        query: { ignore_unavailable: true },
        body: {
          size,
          track_total_hits: false,
          ...asked,
          ...(after ? { search_after: after } : {}),
        },
      });
      if (status === 404) return found;
      const hits = body?.hits?.hits;
      if (!isSuccess(status) || !Array.isArray(hits))
        throw refusal(status, body, `read the ${this.what}`, 'hits.hits');
      found.push(...hits);
      after = hits.length < size ? undefined : hits.at(-1)!.sort;
    } while (after);
    return found;
  }

  async get(id: string): Promise<Versioned<T> | undefined> {
    const { status, body } = await this.client.request<Hit<T> & { found?: boolean }>({
      method: 'GET',
      path: `/${this.name}/_doc/${encodeURIComponent(id)}`,
    });
    if (status === 404) return undefined;
    if (!isDone({ status, body })) throw refusal(status, body, `read the ${this.what}`);
    return toVersioned(body);
  }

  /** Undefined if there is one of that id. */
  async create(id: string, source: T): Promise<Versioned<T> | undefined> {
    await this.make();
    return this.write(id, source, { op_type: 'create' });
  }

  /** Undefined if `version` is not the newest, or there is none of that id. */
  async replace(id: string, source: T, version: string): Promise<Versioned<T> | undefined> {
    const based = parseVersion(version);
    return based && this.write(id, source, based);
  }

  /** False if there is none of that id. */
  async delete(id: string): Promise<boolean> {
    const { status, body } = await this.client.request({
      method: 'DELETE',
      path: `/${this.name}/_doc/${encodeURIComponent(id)}`,
      query: { refresh: true },
    });
    if (status === 404) return false;
    if (!isDone({ status, body })) throw refusal(status, body, `remove one of the ${this.what}`);
    return true;
  }

  private async write(
    id: string,
    source: T,
    condition: Readonly<Record<string, string | number>>,
  ): Promise<Versioned<T> | undefined> {
    const { status, body } = await this.client.request<Written>({
      method: 'PUT',
      path: `/${this.name}/_doc/${encodeURIComponent(id)}`,
      // The index is tiny: a refresh at once costs less than the second that waiting for one takes.
      query: { ...condition, refresh: true, require_alias: false },
      body: source,
    });
    if (status === 409 || (status === 404 && 'if_seq_no' in condition)) return undefined;
    if (!isDone({ status, body })) throw refusal(status, body, `keep one of the ${this.what}`);
    return { id, version: versionOf(body), source };
  }

  /** Before the first document, lest its fields be guessed. */
  private async make(): Promise<void> {
    if (this.made) return;
    const { status, body } = await this.client.request({
      method: 'PUT',
      path: `/${this.name}`,
      body: {
        settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
        mappings: { dynamic: 'strict', properties: this.fields },
      },
    });
    if (!isDone({ status, body }) && errorType(body) !== 'resource_already_exists_exception')
      throw refusal(status, body, `create the index ${this.name}`);
    this.made = true;
  }
}

const toVersioned = <T>(hit: Hit<T>): Versioned<T> => ({
  id: hit._id,
  version: versionOf(hit),
  source: hit._source,
});
