/** Masks names of fields and indices, if the user requests this. Parts of names that have a meaning for Elasticsearch stay unmasked. */
import type { Words } from './words';

export type NameRule = 'keep' | 'map';

/**
 * Names that stay unmasked. They are the names of fields that Elasticsearch itself defines, and `keyword`, the field that a dynamic mapping
 * adds to texts.
 */
const FIXED = new Set(
  (
    '_id _index _source _score _doc _shard_doc _type _routing _field_names _ignored _ignored_source _seq_no _primary_term _version _size ' +
    '_tier _doc_count _nested_path _meta _parent _uid _all _count _key _term _script _geo_distance _exists_ @timestamp keyword *'
  ).split(' '),
);

export class Names {
  constructor(
    private readonly words: Words,
    private readonly fields: NameRule,
    private readonly indices: NameRule,
  ) {}

  get mapsFields(): boolean {
    return this.fields === 'map';
  }

  get mapsIndices(): boolean {
    return this.indices === 'map';
  }

  /** Records the beginning of a name. `pattern`: a name with a wildcard, such as `user.na*`. */
  learn(pattern: string): void {
    for (const part of pattern.split('*').slice(0, -1)) this.words.learnPrefix(part);
  }

  /** Masks the name of a field. Each segment of its path is masked separately. */
  field(name: string): string {
    if (this.fields === 'keep') return name;
    return name
      .split('.')
      .map((segment) => (FIXED.has(segment) ? segment : this.pattern(segment)))
      .join('.');
  }

  /** Masks the name of an index, or a pattern of names. Digits stay, because they mostly belong to dates and generations. */
  index(name: string): string {
    if (this.indices === 'keep' || name === '_all') return name;
    return name.replaceAll(/<[^<>]*>|[^<>]+/g, (part) =>
      part.startsWith('<') ? part.replace(/[^<{]*/, (text) => this.letters(text)) : this.letters(part),
    );
  }

  private letters(text: string): string {
    return text.replaceAll(/[^\d*]+(\*?)/g, (part, star: string) =>
      star === '' ? this.words.words(part) : this.words.prefix(part.slice(0, -1)) + star,
    );
  }

  private pattern(text: string): string {
    return text
      .split('*')
      .map((part, at, all) => (at < all.length - 1 ? this.words.prefix(part) : this.words.words(part)))
      .join('*');
  }
}
