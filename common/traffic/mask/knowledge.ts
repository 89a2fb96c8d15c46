/**
 * Facts about the fields in a recording. They are collected when the recording is read for the first time. With these facts, the second
 * reading masks values in the same way in documents and in queries.
 */

import { NumberFacts } from './numbers';

/** Maximum number of fields about which facts are collected. */
const MOST_FIELDS = 100_000;

interface Numbers {
  ofDocuments?: NumberFacts;
  ofQueries?: NumberFacts;
}

/** Maximum number of names of relations in a field. If a field has more, it is not a join field, but contains other texts. */
const MOST_RELATIONS = 10;
/** Maximum number of fields that are examined for names of relations. */
const MOST_JOINS = 1000;
/** Maximum length of the name of a relation. */
const LONGEST_RELATION = 60;

/** Value of a join field: the name of a relation, either alone or in an object with the id of the parent. */
export interface RelationValue {
  name: string;
  hasParent: boolean;
}

interface Join {
  names: Set<string>;
  hasParents: boolean;
  hasOthers: boolean;
}

interface Documents {
  hasNumbers: boolean;
  hasTexts: boolean;
  hasDates: boolean;
  /** Length of the lists of numbers in the field. -1 if their lengths differ, or if a number was not in a list. */
  length?: number;
}

/**
 * Minimum number of elements of vectors. The lists of numbers in a field are vectors if they all have the same length and at least this
 * many elements.
 */
const SHORTEST_VECTOR = 16;

/** Kind of the vectors in a field. It determines how they are masked. */
export type VectorKind = 'bytes' | 'decimals';

export class Knowledge {
  private readonly documents = new Map<string, Documents>();
  private queriedNumbers = new Set<string>();
  private numbers = new Map<string, Numbers>();
  private readonly relations = new Set<string>();
  private readonly joins = new Map<string, Join>();
  /** Names of fields. They occur in documents, or at positions in requests where only the name of a field is valid. */
  private readonly fields = new Set<string>();
  /** Names that queries in query languages define themselves, in lower case. */
  private readonly aliases = new Set<string>();
  /** Segments of the paths of all fields. */
  private readonly segments = new Set<string>();
  /** Fields with points and shapes. */
  private places = new Set<string>();
  /** Fields with texts that are neither points nor shapes. */
  private readonly otherTexts = new Set<string>();
  /** Fields that contain vectors, according to queries. */
  vectors = new Set<string>();

  /**
   * Records a value in a document. `kind`: kind of the value. `numeric-text` is a text that contains a number; it counts neither as a
   * number nor as a text.
   */
  document(path: string, kind: 'number' | 'text' | 'date' | 'numeric-text' | 'other'): void {
    const found = this.known(path);
    if (kind === 'number') Object.assign(found, { hasNumbers: true, length: -1 });
    if (kind === 'text') found.hasTexts = true;
    if (kind === 'date') found.hasDates = true;
  }

  private known(path: string): Documents {
    const found = this.documents.get(path) ?? { hasNumbers: false, hasTexts: false, hasDates: false };
    if (this.documents.size < MOST_FIELDS && !this.documents.has(path)) {
      this.documents.set(path, found);
      this.field(path);
    }
    return found;
  }

  /** Records the name of a field, and the names of the objects in its path. */
  field(path: string): void {
    if (this.fields.size >= MOST_FIELDS || path.includes('*')) return;
    for (
      let name = path;
      name !== '' && !this.fields.has(name);
      name = name.slice(0, Math.max(0, name.lastIndexOf('.')))
    ) {
      this.fields.add(name);
      this.segments.add(name.slice(name.lastIndexOf('.') + 1));
    }
  }

  /** Returns whether a name is that of a field, or of an object that contains fields; see {@link fields}. */
  isField(name: string): boolean {
    return this.fields.has(name.replace(/\.(?:keyword|raw|text)$/, '')) || this.fields.has(name);
  }

  /** Records a name that a query in a query language defines itself, in lower case. */
  alias(name: string): void {
    if (this.aliases.size < MOST_FIELDS) this.aliases.add(name);
  }

  isAlias(name: string): boolean {
    return this.aliases.has(name);
  }

  /** Returns whether a name is a segment of the path of a field. */
  isSegment(name: string): boolean {
    return this.segments.has(name);
  }

  /** Records a list of numbers in a document. */
  documentList(path: string, length: number): void {
    const found = this.known(path);
    found.hasNumbers = true;
    found.length = found.length === undefined || found.length === length ? length : -1;
  }

  /** Records that a field contains a point or shape. */
  place(field: string): void {
    this.places.add(field);
  }

  /** Records that a field contains a text that is not geographic: neither a geo point nor a geo shape. */
  otherText(field: string): void {
    if (this.otherTexts.size < MOST_FIELDS) this.otherTexts.add(field);
  }

  /** Returns whether the field contains points or shapes. */
  isPlace(field: string): boolean {
    return this.places.has(field);
  }

  /**
   * Returns whether texts in the field that look like a point or shape are points or shapes. They are not if the field also contains other
   * texts.
   */
  hasPlacesInTexts(field: string): boolean {
    return !this.otherTexts.has(field);
  }

  /**
   * Returns the kind of the vectors in a field; undefined if its lists of numbers are not vectors. Lists of integers may have any meaning.
   * They are vectors only if the integers are bytes and a query searches the field as a vector.
   */
  vectorOf(field: string): VectorKind | undefined {
    const isNamed = this.vectors.has(field);
    if (!isNamed && (this.documents.get(field)?.length ?? 0) < SHORTEST_VECTOR) return undefined;
    const { ofDocuments, ofQueries } = this.numbers.get(field) ?? {};
    const facts = ofDocuments ?? ofQueries;
    if (facts?.hasDecimals) return 'decimals';
    return isNamed && facts?.areBytes ? 'bytes' : undefined;
  }

  /** Records that a query compares a field with a number. */
  queriedNumber(field: string, token: string): void {
    if (this.queriedNumbers.size < MOST_FIELDS) this.queriedNumbers.add(field);
    this.number(field, 'ofQueries', token);
  }

  /** Records a number in a document, or a text that contains a number. */
  documentNumber(path: string, token: string): void {
    this.number(path, 'ofDocuments', token);
  }

  private number(field: string, origin: keyof Numbers, token: string): void {
    const found = this.numbers.get(field) ?? {};
    if (this.numbers.size < MOST_FIELDS) this.numbers.set(field, found);
    (found[origin] ??= new NumberFacts()).add(token);
  }

  /**
   * Returns the facts about the numbers in a field. If documents contain numbers in the field, numbers in queries are ignored, because a
   * query may compare the field with any number.
   */
  numbersOf(field: string): NumberFacts | undefined {
    const found = this.numbers.get(field);
    return this.documents.get(field)?.hasDates ? undefined : (found?.ofDocuments ?? found?.ofQueries);
  }

  /** Records the name of a relation in a query such as `has_child`. */
  relation(name: string): void {
    if (this.relations.size <= MOST_RELATIONS) this.relations.add(name);
  }

  /**
   * Records a value of a field that may be a join field. `value`: the name of the relation and whether there is a parent; undefined if the
   * value cannot belong to a join field.
   */
  relationIn(field: string, value: RelationValue | undefined): void {
    const found = this.joins.get(field) ?? { names: new Set(), hasParents: false, hasOthers: false };
    if (this.joins.size < MOST_JOINS) this.joins.set(field, found);
    if (value?.hasParent) found.hasParents = true;
    if (value === undefined || value.name.length > LONGEST_RELATION) found.hasOthers = true;
    else if (found.names.size <= MOST_RELATIONS) found.names.add(value.name);
  }

  /**
   * Returns whether a text in a field is the name of a relation. It is only if the field is a join field. Names of relations belong to the
   * mapping, so they are not masked.
   */
  isRelationIn(field: string, name: string): boolean {
    const { names, hasParents, hasOthers } = this.joins.get(field) ?? {};
    if (!names?.has(name) || !hasParents || hasOthers || names.size > MOST_RELATIONS) return false;
    return [...names].some((one) => this.isRelation(one));
  }

  /** Returns whether queries use this name of a relation. Returns false if queries use too many such names. */
  isRelation(name: string): boolean {
    return this.relations.size <= MOST_RELATIONS && this.relations.has(name);
  }

  /**
   * Assigns facts from queries to the fields of documents. A query may contain the name of a multi-field, such as `title.keyword`; its
   * facts then belong to the field `title`. Must be called after the last request was read, because queries can name fields whose documents
   * come later.
   */
  settle(): void {
    const settled = (names: Set<string>): Set<string> =>
      new Set([...names].map((name) => this.fieldOf(name)));
    this.queriedNumbers = settled(this.queriedNumbers);
    this.places = settled(this.places);
    for (const [name, { ofQueries }] of [...this.numbers]) {
      const field = this.fieldOf(name);
      if (field !== name && ofQueries !== undefined)
        this.numbers.set(field, { ofQueries, ...this.numbers.get(field) });
    }
    this.vectors = settled(this.vectors);
  }

  /**
   * Returns the field of documents that a name in a query means. The name of a multi-field, such as `title.keyword`, means the field at its
   * beginning (`title`).
   */
  fieldOf(name: string): string {
    for (let field = name; field !== ''; field = field.slice(0, Math.max(0, field.lastIndexOf('.'))))
      if (this.documents.has(field)) return field;
    return name;
  }

  /** Returns whether numbers in the field, and texts with numbers, are masked as numbers and not as words. */
  isNumeric(field: string): boolean {
    const found = this.documents.get(field);
    if (found?.hasNumbers) return true;
    if (found?.hasTexts) return false;
    // A number in a field with dates is a time since the epoch.
    if (found?.hasDates) return true;
    return this.queriedNumbers.has(field);
  }

  /** Returns whether documents contain texts in this field, but no numbers. */
  hasOnlyTexts(field: string): boolean {
    const found = this.documents.get(field);
    return found !== undefined && found.hasTexts && !found.hasNumbers;
  }
}
