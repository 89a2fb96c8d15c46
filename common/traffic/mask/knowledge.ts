/** Facts about the fields of a recording. The first reading learns them, so that the second one masks documents and queries alike. */

import { NumberFacts } from './numbers';

/** Largest number of fields that are learned. */
const MOST_FIELDS = 100_000;

interface Numbers {
  ofDocuments?: NumberFacts;
  ofQueries?: NumberFacts;
}

/** Largest number of names of relations. A field with more names contains other texts. */
const MOST_RELATIONS = 10;
/** Largest number of fields in which names of relations are looked for. */
const MOST_JOINS = 1000;
/** Longest name of a relation. */
const LONGEST_RELATION = 60;

/** Value of a join field: the name of a relation, alone or in an object with the id of the parent. */
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
  /** Length of all lists of numbers; -1 if their lengths differ, or a number was not in a list. */
  length?: number;
}

/** Number of elements from which lists of numbers, which all have the same length, are vectors. */
const SHORTEST_VECTOR = 16;

/** Treatment of the lists of numbers of a field of vectors. */
export type VectorKind = 'bytes' | 'decimals';

export class Knowledge {
  private readonly documents = new Map<string, Documents>();
  private queriedNumbers = new Set<string>();
  private numbers = new Map<string, Numbers>();
  private readonly relations = new Set<string>();
  private readonly joins = new Map<string, Join>();
  /** Names of fields in documents and at places of requests where only names of fields can be. */
  private readonly fields = new Set<string>();
  /** Names that queries in query languages define, in lower case. */
  private readonly aliases = new Set<string>();
  /** Segments of the paths of fields. */
  private readonly segments = new Set<string>();
  /** Fields with points and shapes. */
  private places = new Set<string>();
  /** Fields with texts that are neither points nor shapes. */
  private readonly otherTexts = new Set<string>();
  /** Fields of vectors, known from queries. */
  vectors = new Set<string>();

  /** Learns a value of a document. `isNumber`: it is a number, not a text. Texts of numbers count as neither. */
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

  /** Learns the name of a field, with the objects that contain it. */
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

  /** Returns true for a field, or an object with fields, of a document or of a place in a request where only names of fields can be. */
  isField(name: string): boolean {
    return this.fields.has(name.replace(/\.(?:keyword|raw|text)$/, '')) || this.fields.has(name);
  }

  /** Learns a name that a query in a query language defines, in lower case. */
  alias(name: string): void {
    if (this.aliases.size < MOST_FIELDS) this.aliases.add(name);
  }

  isAlias(name: string): boolean {
    return this.aliases.has(name);
  }

  /** Returns true for a segment of the path of a field. */
  isSegment(name: string): boolean {
    return this.segments.has(name);
  }

  /** Learns a list of numbers of a document. */
  documentList(path: string, length: number): void {
    const found = this.known(path);
    found.hasNumbers = true;
    found.length = found.length === undefined || found.length === length ? length : -1;
  }

  /** Learns that a field has a point or shape. */
  place(field: string): void {
    this.places.add(field);
  }

  /** Learns that a field has a text that is neither a point nor a shape. */
  otherText(field: string): void {
    if (this.otherTexts.size < MOST_FIELDS) this.otherTexts.add(field);
  }

  /** Returns true if the field has points and shapes. */
  isPlace(field: string): boolean {
    return this.places.has(field);
  }

  /** Returns true unless texts of the field are words, so that a text which looks like a place is a place. */
  hasPlacesInTexts(field: string): boolean {
    return !this.otherTexts.has(field);
  }

  /**
   * Returns whether lists of numbers of a field are vectors, and of what; undefined if they are not. Integers can be numbers of any kind, so
   * they are only vectors if they are bytes and a query searches the field as a vector.
   */
  vectorOf(field: string): VectorKind | undefined {
    const isNamed = this.vectors.has(field);
    if (!isNamed && (this.documents.get(field)?.length ?? 0) < SHORTEST_VECTOR) return undefined;
    const { ofDocuments, ofQueries } = this.numbers.get(field) ?? {};
    const facts = ofDocuments ?? ofQueries;
    if (facts?.hasDecimals) return 'decimals';
    return isNamed && facts?.areBytes ? 'bytes' : undefined;
  }

  /** Learns that a query compares a field with a number. */
  queriedNumber(field: string, token: string): void {
    if (this.queriedNumbers.size < MOST_FIELDS) this.queriedNumbers.add(field);
    this.number(field, 'ofQueries', token);
  }

  /** Learns a number in a document, or a text of a number. */
  documentNumber(path: string, token: string): void {
    this.number(path, 'ofDocuments', token);
  }

  private number(field: string, origin: keyof Numbers, token: string): void {
    const found = this.numbers.get(field) ?? {};
    if (this.numbers.size < MOST_FIELDS) this.numbers.set(field, found);
    (found[origin] ??= new NumberFacts()).add(token);
  }

  /** Returns the facts about the numbers of a field. Documents decide, because queries may contain any bound. */
  numbersOf(field: string): NumberFacts | undefined {
    const found = this.numbers.get(field);
    return this.documents.get(field)?.hasDates ? undefined : (found?.ofDocuments ?? found?.ofQueries);
  }

  /** Learns the name of a relation, which a query such as `has_child` contains. */
  relation(name: string): void {
    if (this.relations.size <= MOST_RELATIONS) this.relations.add(name);
  }

  /** Learns a value that has the form of a value of a join field; undefined for any other object. */
  relationIn(field: string, value: RelationValue | undefined): void {
    const found = this.joins.get(field) ?? { names: new Set(), hasParents: false, hasOthers: false };
    if (this.joins.size < MOST_JOINS) this.joins.set(field, found);
    if (value?.hasParent) found.hasParents = true;
    if (value === undefined || value.name.length > LONGEST_RELATION) found.hasOthers = true;
    else if (found.names.size <= MOST_RELATIONS) found.names.add(value.name);
  }

  /** Returns true if a text is the name of a relation, and the field a join field. Such names are part of the mapping. */
  isRelationIn(field: string, name: string): boolean {
    const { names, hasParents, hasOthers } = this.joins.get(field) ?? {};
    if (!names?.has(name) || !hasParents || hasOthers || names.size > MOST_RELATIONS) return false;
    return [...names].some((one) => this.isRelation(one));
  }

  /** Returns true if queries contain this name of a relation, and not too many others. */
  isRelation(name: string): boolean {
    return this.relations.size <= MOST_RELATIONS && this.relations.has(name);
  }

  /** Ends learning. Queries may have named fields before the first document had them. */
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
   * Returns the field of documents that a name in a query means. The names of multi-fields, such as `title.keyword`, begin with the name
   * of a field of documents.
   */
  fieldOf(name: string): string {
    for (let field = name; field !== ''; field = field.slice(0, Math.max(0, field.lastIndexOf('.'))))
      if (this.documents.has(field)) return field;
    return name;
  }

  /** Returns true if numbers, and texts of numbers, in this field are numbers, not words. */
  isNumeric(field: string): boolean {
    const found = this.documents.get(field);
    if (found?.hasNumbers) return true;
    if (found?.hasTexts) return false;
    // Numbers in a field of dates are times since the epoch.
    if (found?.hasDates) return true;
    return this.queriedNumbers.has(field);
  }

  /** Returns true if documents have texts in this field, and no numbers. */
  hasOnlyTexts(field: string): boolean {
    const found = this.documents.get(field);
    return found !== undefined && found.hasTexts && !found.hasNumbers;
  }
}
