/** Masks names of fields and indices if the user wants that. Parts of names that have a meaning for Elasticsearch stay. */
import type { Words } from './words';

export type NameRule = 'keep' | 'map';

/** Fields that Elasticsearch itself defines, and `keyword`, which it adds to dynamic texts. */
const isFixed = (segment: string): boolean =>
  segment.startsWith('_') || segment === '@timestamp' || segment === 'keyword' || segment === '*';

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

  /** Learns the beginnings of names with wildcards, such as `user.na*`. */
  learn(pattern: string): void {
    for (const part of pattern.split('*').slice(0, -1)) this.words.learnPrefix(part);
  }

  /** Masks a field name: each part of a dotted path. */
  field(name: string): string {
    if (this.fields === 'keep') return name;
    return name
      .split('.')
      .map((segment) => (isFixed(segment) ? segment : this.pattern(segment)))
      .join('.');
  }

  /** Masks an index name or a pattern. Digits stay, because they are mostly dates and generations. */
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
