/**
 * Masks values. A recording is read twice. The first reading collects facts about fields, and the beginnings of words that prefix queries
 * look for. The second reading masks the values. Both readings execute the same code, so they find the same values. During the first
 * reading, values are returned unmasked.
 */
import { exactNumber, exactText, heldString, isExactNumber, plainKey } from '../../json/exact';
import { Account, type Treatment } from './account';
import { queryWithNames } from '../query-text';
import { comparedField, definesName, isLanguageWord, maskedCode, type Language, type Literal } from './code';
import { anchoredDate, isDate, isRelativeDate, shiftedDate } from './dates';
import { secretBytes, type Digest } from './keyed';
import { Knowledge, type RelationValue } from './knowledge';
import { Names, type NameRule } from './names';
import { isByte, Numbers } from './numbers';
import { maskedRegexp, maskedWildcard, type OnLiteral } from './patterns';
import { isPlace, Places } from './places';
import { replacedInQueryString } from './query-syntax';
import { Vectors } from './vectors';
import { Words, type TextForm } from './words';

export interface MaskOptions {
  /** Whether names of fields stay or are masked. */
  fields: NameRule;
  /** Whether names of indices stay or are masked. */
  indices: NameRule;
  /** Patterns of the names of fields whose values stay unmasked, with `*` as wildcard. This includes the fields below a matching field. */
  keep: readonly string[];
  /** Patterns of the names of fields that are removed from documents, in the same notation. */
  drop: readonly string[];
}

/** Result of masking a value that must be removed. */
export const GONE = Symbol('gone');

/** Error for a request that cannot be masked. Its message completes the text "dropped, because ...". */
export class NotUnderstood extends Error {}

type Exact = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Exact =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNumber = (value: unknown): value is number | string =>
  typeof value === 'number' || isExactNumber(value);

type QueryLanguage = Exclude<Language, 'script'>;

/** Texts in scripts that have a meaning for Elasticsearch. They stay unmasked. */
const SCRIPT_WORDS = new Set(
  '_source _id _index _routing _version _now op noop none delete index create true false'.split(' '),
);
/** Matches the code directly before the name of a parameter. */
const IN_PARAMETERS = /\bparams\s*(?:\[|\.\s*(?:get|containsKey|getOrDefault)\s*\()\s*$/;
/** Matches the code directly before a text that may be the name of a field. */
const NAMES_A_FIELD =
  /(?:\bdoc\s*\[|_source'?\]?\s*\[|\bfields?\s*\(|\$\s*\(|\bdoc\.containsKey\s*\(|_source\.(?:get|remove|containsKey|getOrDefault|put)\s*\()\s*$/;
/** Matches names of fields after `_source` and `doc`, and all other names of members that are not methods. */
const MEMBERS =
  /(\b_source|\bdoc)((?:\??\.\w+)+)|(?<!\bparams)\??\.(?!_source\b|doc\b)([a-z_]\w*)\b(?!\s*\()/gi;
/** Properties of points and dates in Painless. */
const PROPERTIES = new Set(
  'lat lon year month monthValue dayOfMonth dayOfWeek dayOfWeekEnum dayOfYear hour minute second nano millis'.split(
    ' ',
  ),
);
/** Numbers in code that stay unmasked, because they usually convert units of time or size. */
const UNITS = new Set('1000 1024 3600 86400 60000 3600000 86400000 1000000 1000000000'.split(' '));

const NUMERIC_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Fields that Elasticsearch itself defines, except `_id`, `_index` and `_routing`. Their numbers stay. */
const OWN_FIELDS = new Set(
  '_score _doc _shard_doc _type _seq_no _primary_term _version _size _doc_count _ignored _field_names _tier _count _key _term'.split(
    ' ',
  ),
);

/** Fields whose values are masked like ids and names of indices. */
const ID_FIELDS = new Set(['_id', '_index', '_routing']);

const RANGE_KEYS = new Set(['gte', 'gt', 'lte', 'lt']);

/** Returns a function that returns whether a field, or an object that contains it, matches one of the patterns. */
function fieldTest(patterns: readonly string[]): (field: string) => boolean {
  if (patterns.length === 0) return () => false;
  const sources = patterns.map((pattern) =>
    pattern
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`))
      .join('.*'),
  );
  const expression = new RegExp(`^(?:${sources.join('|')})(?:\\.|$)`, 'u');
  return (field) => expression.test(field);
}

/**
 * Returns the relation in a value that looks like the value of a join field. Returns undefined for other values, which contain data of
 * users.
 */
function relationOf(value: unknown): RelationValue | undefined {
  if (typeof value === 'string') return { name: plainKey(value), hasParent: false };
  if (!isObject(value) || typeof value['name'] !== 'string') return undefined;
  const hasParent = value['parent'] !== undefined;
  return Object.keys(value).length === (hasParent ? 2 : 1)
    ? { name: plainKey(value['name']), hasParent }
    : undefined;
}

/** Name under which the report lists names and values that belong to no field. */
export const NO_FIELD = '(no field)';

export class Masking {
  readonly account = new Account();
  readonly knowledge = new Knowledge();
  private readonly words: Words;
  private readonly numbers: Numbers;
  private readonly places: Places;
  private readonly vectors: Vectors;
  private readonly names: Names;
  private readonly isKept: (field: string) => boolean;
  private readonly isDropped: (field: string) => boolean;
  private readonly clients = new Map<string, string>();
  private learning = true;

  constructor(
    private readonly digest: Digest,
    options: MaskOptions,
  ) {
    this.numbers = new Numbers(digest);
    this.words = new Words(digest, this.numbers.weeks);
    this.places = new Places(digest);
    this.vectors = new Vectors(digest);
    this.names = new Names(this.words, options.fields, options.indices);
    this.isKept = fieldTest(options.keep);
    this.isDropped = fieldTest(options.drop);
  }

  get isLearning(): boolean {
    return this.learning;
  }

  /** Starts the masking of values. Must be called after the first reading. */
  learned(): void {
    this.learning = false;
    this.knowledge.settle();
  }

  /** Time by which dates are shifted into the future, in ms. */
  get shiftMs(): number {
    return this.numbers.weeks * 7 * 86_400_000;
  }

  get mapsFields(): boolean {
    return this.names.mapsFields;
  }

  /**
   * Masks the name of a relation in a query. The name stays if queries contain only a few names of relations, because then they belong to
   * the mapping.
   */
  relation(name: string): string {
    if (this.isLearning) this.knowledge.relation(name);
    return this.isLearning || this.knowledge.isRelation(name) ? name : this.words.text(name);
  }

  // Names

  /** Masks a name at a position of a request where only names of fields are valid. */
  fieldName(name: string): string {
    if (!this.isLearning) return this.names.field(name);
    if (name.includes('*')) this.names.learn(name);
    this.knowledge.field(name);
    return name;
  }

  /** Masks a text that may be the name of a field. Returns null if no document and no other request contains a field with this name. */
  fieldInText(name: string): string | null {
    if (this.isLearning && name.includes('*')) this.names.learn(name);
    if (this.isLearning) return name;
    const isField =
      this.knowledge.isField(name.replace(/\.?\*$/, '')) ||
      name === '*' ||
      OWN_FIELDS.has(name) ||
      ID_FIELDS.has(name) ||
      this.isKept(name);
    return isField ? this.names.field(name) : null;
  }

  /**
   * Masks a key of an object that is the name of a field. `key` may be a marked string, which preserves the original escapes (see
   * `common/json/exact.ts`).
   */
  fieldKey(key: string): string {
    if (this.isLearning) this.knowledge.field(plainKey(key));
    return this.documentKey(key);
  }

  private documentKey(key: string): string {
    if (this.isLearning || !this.names.mapsFields) return key;
    const name = plainKey(key);
    const masked = this.names.field(name);
    return masked === name ? key : heldString(masked);
  }

  index(name: string): string {
    if (this.isLearning && name.includes('*')) this.names.learn(name);
    return this.isLearning ? name : this.names.index(name);
  }

  /** Masks a name that the author of a request chose, such as the name of an aggregation. Such a name may contain values of users. */
  label(name: string): string {
    return this.isLearning ? name : this.words.words(name);
  }

  /** Masks a key of an object in the `params` of a script. The key stays if documents contain a field with this name. */
  parameterKey(key: string): string {
    const name = plainKey(key);
    if (this.isLearning) return key;
    return this.knowledge.isSegment(name) ? this.documentKey(key) : heldString(this.words.text(name));
  }

  /** Masks the id of a document, or a routing value. */
  id(id: string): string {
    return this.isLearning ? id : this.words.text(id);
  }

  /** Masks the id of a scroll or of a point in time. */
  contextId(id: string): string {
    if (this.isLearning || id === '_all') return id;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return Array.from(
      secretBytes(this.digest, `context|${id}`, id.length),
      (byte) => letters[byte % 64]!,
    ).join('');
  }

  /** Returns a number for the address of a client. Addresses are numbered in the order in which they occur. */
  client(address: string): string {
    const found = this.clients.get(address) ?? String(this.clients.size + 1);
    this.clients.set(address, found);
    return found;
  }

  // Values of documents

  /** Masks a document or a part of a document. */
  document(value: unknown): unknown {
    return isObject(value) ? this.documentObject('', value) : GONE;
  }

  private documentObject(path: string, value: Exact): unknown {
    const isRange = path !== '' && Object.keys(value).every((key) => RANGE_KEYS.has(key));
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => {
        const name = plainKey(key);
        const inner = isRange ? path : path === '' ? name : `${path}.${name}`;
        const masked = this.documentValue(inner, one);
        return masked === GONE ? [] : [[isRange ? key : this.documentKey(key), masked]];
      }),
    );
  }

  private documentValue(path: string, value: unknown): unknown {
    if (this.isDropped(path)) return this.counted(path, 'dropped', GONE);
    if (this.isKept(path)) return this.counted(path, 'kept', value);
    const place = this.documentPlace(path, value);
    if (place !== undefined) return place;
    if (Array.isArray(value)) return this.documentList(path, value);
    const relation = relationOf(value);
    if (this.isLearning) {
      if (relation !== undefined || isObject(value)) this.knowledge.relationIn(path, relation);
    } else if (relation !== undefined && this.knowledge.isRelationIn(path, relation.name))
      return this.documentRelation(path, value);
    if (isObject(value)) return this.documentObject(path, value);
    if (this.isLearning) {
      this.learnScalar(path, value);
      return value;
    }
    return this.scalar(path, value);
  }

  /** Masks a point or shape in a document. Returns undefined for all other values. */
  private documentPlace(path: string, value: unknown): unknown {
    const looksSo = isPlace(value);
    if (!looksSo && !this.knowledge.isPlace(path)) return undefined;
    // The values of other lists are masked one by one.
    if (Array.isArray(value) && !value.every(isNumber)) return undefined;
    const masked = this.places.masked(value);
    if (this.isLearning) {
      if (masked === undefined) return undefined;
      if (looksSo) this.knowledge.place(path);
      return value;
    }
    const isWord = typeof value === 'string' && !this.knowledge.hasPlacesInTexts(path);
    return masked === undefined || isWord ? undefined : this.counted(path, 'place', masked);
  }

  /** Masks the value of a join field. The name of the relation stays, and the id of the parent is masked. */
  private documentRelation(path: string, value: unknown): unknown {
    this.counted(path, 'unchanged', value);
    if (!isObject(value) || value['parent'] === undefined) return value;
    const parent = this.documentValue(`${path}.parent`, value['parent']);
    return { name: value['name'], ...(parent === GONE ? {} : { parent }) };
  }

  private documentList(path: string, value: readonly unknown[]): unknown {
    if (value.length > 1 && value.every(isNumber)) {
      if (this.isLearning) this.learnList(path, value);
      else if (this.knowledge.vectorOf(path) !== undefined) return this.vector(path, value);
    }
    return value.flatMap((one) => {
      // Numbers in lists were recorded above.
      if (this.isLearning && isNumber(one) && value.length > 1 && value.every(isNumber)) return [one];
      const masked = this.documentValue(path, one);
      return masked === GONE ? [] : [masked];
    });
  }

  private learnList(path: string, value: readonly (number | string)[]): void {
    this.knowledge.documentList(path, value.length);
    for (const one of value) this.knowledge.documentNumber(path, exactText(one));
  }

  private learnScalar(path: string, value: unknown): void {
    if (isNumber(value) || (typeof value === 'string' && NUMERIC_TEXT.test(value)))
      this.knowledge.documentNumber(path, exactText(value));
    if (typeof value === 'string' && !isNumber(value) && this.places.masked(plainKey(value)) === undefined)
      this.knowledge.otherText(path);
    if (isNumber(value)) this.knowledge.document(path, 'number');
    else if (typeof value !== 'string') this.knowledge.document(path, 'other');
    else if (isDate(value)) this.knowledge.document(path, 'date');
    else this.knowledge.document(path, NUMERIC_TEXT.test(value) ? 'numeric-text' : 'text');
  }

  // Values of queries

  /** Masks a value, or a list of values, with which a query compares a field. */
  value(name: string, value: unknown): unknown {
    if (Array.isArray(value))
      return value.flatMap((one: unknown) => {
        const masked = this.value(name, one);
        return masked === GONE ? [] : [masked];
      });
    const field = this.knowledge.fieldOf(name);
    if (isObject(value)) return this.place(field, value);
    if (OWN_FIELDS.has(field))
      return isNumber(value) || typeof value === 'boolean' || value === null ? value : this.ownValue(value);
    if (field === '_id' || field === '_routing') return this.idValue(value);
    if (field === '_index')
      return typeof value === 'string' ? heldString(this.index(plainKey(value))) : value;
    if (this.isKept(name) || this.isKept(field)) return this.counted(field, 'kept', value);
    if (typeof value === 'string' && this.knowledge.isRelationIn(field, plainKey(value)))
      return this.counted(field, 'unchanged', value);
    // If the field is not known to contain points or shapes, only a shape in well-known text counts as one.
    const isKnown = this.knowledge.isPlace(field) && this.knowledge.hasPlacesInTexts(field);
    if (typeof value === 'string' && (isKnown || (value.includes('(') && isPlace(value)))) {
      const masked = this.place(field, value);
      if (masked !== GONE) return masked;
    }
    if (this.isLearning) {
      if (isNumber(value) && name !== '') this.knowledge.queriedNumber(field, exactText(value));
      return value;
    }
    if (typeof value === 'string' && !isExactNumber(value)) {
      const text = plainKey(value);
      if (isRelativeDate(text)) {
        this.note(
          'date relative to now: copied, so it selects other documents, because the dates of documents are shifted',
        );
        return this.counted(field, 'unchanged', value);
      }
      // The number in date math may be a value of a user.
      if (/^now[+-]\d+[yMwdhHms]/.test(text)) return this.counted(field, 'dropped', GONE);
      const anchored = anchoredDate(text);
      if (anchored !== null) {
        const shifted = shiftedDate(anchored.date, this.numbers.weeks);
        if (shifted === null) return this.counted(field, 'dropped', GONE);
        return this.counted(field, 'date', heldString(shifted + anchored.math));
      }
    }
    return this.scalar(field, value);
  }

  private ownValue(value: unknown): unknown {
    return typeof value === 'string' ? heldString(this.id(plainKey(value))) : GONE;
  }

  private idValue(value: unknown): unknown {
    if (isNumber(value)) return this.id(exactText(value));
    return typeof value === 'string' ? heldString(this.id(plainKey(value))) : GONE;
  }

  /** Masks a text that is compared with all fields, or a value of an unknown field. */
  text(value: string): string {
    return this.isLearning ? value : this.words.text(value);
  }

  /**
   * Masks a text with which a prefix query searches a field. The last word of the text may be incomplete, because the query looks for words
   * that begin with it.
   */
  prefix(name: string, value: unknown): unknown {
    return this.patternValue(name, value, (text) => {
      if (!this.isLearning) return this.words.prefix(text);
      this.words.learnPrefix(text);
      return text;
    });
  }

  wildcard(name: string, value: unknown): unknown {
    return this.patternValue(name, value, (text) => maskedWildcard(text, this.onLiteral));
  }

  regexp(name: string, value: unknown): unknown {
    return this.patternValue(name, value, (text) => {
      this.note('regular expression: its structure stays, and it may match other values');
      const masked = maskedRegexp(text, this.onLiteral);
      if (masked === null) throw new NotUnderstood('a regular expression may contain a value in pieces');
      return masked;
    });
  }

  private patternValue(name: string, value: unknown, mask: (text: string) => string): unknown {
    const field = this.knowledge.fieldOf(name);
    if (isNumber(value)) return this.value(name, value);
    if (typeof value !== 'string') return GONE;
    if (this.isKept(name) || this.isKept(field)) return this.counted(field, 'kept', value);
    const text = plainKey(value);
    if (field === '_index') return heldString(this.index(text));
    return this.counted(field, 'words', heldString(mask(text)));
  }

  private readonly onLiteral: OnLiteral = (text, isBeginning, isInside) => {
    if (isInside && /^[\p{L}\p{N}]/u.test(text))
      this.note('pattern that can begin inside a word: it may match other values');
    if (this.isLearning) {
      if (isBeginning) this.words.learnPrefix(text);
      return text;
    }
    return isBeginning ? this.words.prefix(text) : this.words.text(text);
  };

  /** Masks a text in the syntax of `query_string`. `field`: default field; '' if there are several. */
  queryString(field: string, text: string): string {
    const named = (name: string): string => name || field;
    const asText = (masked: unknown): string =>
      typeof masked === 'string' || typeof masked === 'number' ? exactText(masked) : '';
    return replacedInQueryString(text, {
      fieldName: (name) => this.fieldInText(name),
      value: (name, part) => asText(this.value(named(name), heldString(part))),
      wildcard: (name, part) => asText(this.wildcard(named(name), heldString(part))),
      regexp: (name, part) => asText(this.regexp(named(name), heldString(part))),
    });
  }

  /** Masks a text in the syntax of `simple_query_string`. */
  simpleQueryString(text: string): string {
    return text
      .split(/([\p{L}\p{N}\p{M}]+)\*/u)
      .map((part, at) => (at % 2 === 0 ? this.text(part) : `${this.onLiteral(part, true, false)}*`))
      .join('');
  }

  /** Masks a point or shape in a query. If the value is neither, removes it. */
  place(field: string, value: unknown): unknown {
    return this.placeAs(field, value, this.places.masked(value));
  }

  /** Masks a rectangle in a query. If the value is not a rectangle, removes it. */
  rectangle(field: string, value: unknown): unknown {
    return this.placeAs(field, value, this.places.rectangle(value));
  }

  private placeAs(field: string, value: unknown, masked: unknown): unknown {
    if (this.isKept(field)) return this.counted(field, 'kept', value);
    if (masked === undefined) return GONE;
    if (!this.isLearning) return this.counted(field, 'place', masked);
    if (field !== '') this.knowledge.place(field);
    return value;
  }

  /** Masks a vector in a query. If the value is not a vector, removes it. */
  vector(name: string, value: unknown): unknown {
    const field = this.knowledge.fieldOf(name);
    if (!Array.isArray(value) || !value.every(isNumber)) return this.counted(field, 'dropped', GONE);
    const tokens = value.map(exactText);
    if (this.isLearning) {
      this.knowledge.vectors.add(field);
      for (const token of tokens) this.knowledge.queriedNumber(field, token);
      return value;
    }
    if (this.isKept(field)) return this.counted(field, 'kept', value);
    const kind = tokens.length > 1 ? this.knowledge.vectorOf(field) : undefined;
    if (kind === 'decimals') return this.counted(field, 'vector', this.vectors.rotated(field, tokens));
    if (kind === 'bytes' && tokens.every(isByte))
      return this.counted(field, 'vector', this.vectors.reordered(field, tokens));
    return value.map((one) => this.scalar(field, one));
  }

  // Code

  /**
   * Masks the literals in a script. Names of variables, functions and known fields stay. `parameters`: names of the script's parameters,
   * which stay too.
   */
  script(source: string, parameters: ReadonlySet<string>): string {
    const masked = maskedCode(source, 'script', {
      string: ({ text, before }) => {
        if (SCRIPT_WORDS.has(text) || (IN_PARAMETERS.test(before) && parameters.has(text))) return text;
        const name = NAMES_A_FIELD.test(before) ? this.fieldInText(text) : null;
        if (name !== null) return name;
        this.note('text in a script: masked, so the script may work differently');
        return this.text(text);
      },
      number: ({ text }) => this.codeNumber('', text),
      code: (code) =>
        code.replaceAll(MEMBERS, (all, start: string | undefined, path: string, member: string) => {
          // The object may be a variable with the source or a part of it. The names of parameters stay.
          if (start === undefined)
            return this.knowledge.isSegment(member) && !PROPERTIES.has(member)
              ? all.replace(member, () => this.scriptName(member))
              : all;
          const mapped = path
            .split('.')
            .filter(Boolean)
            .map((name) => this.scriptName(name));
          return [start, ...mapped].join('.');
        }),
    });
    if (masked === null) throw new NotUnderstood('Dyno does not understand a script');
    return masked;
  }

  /** Masks the name of a field in a script, unless it is a method or property of Painless. */
  private scriptName(name: string): string {
    return /^(?:value|values|size|empty|length|contains|containsKey|remove|get|getOrDefault|put|add|entrySet|keySet)$/.test(
      name,
    )
      ? name
      : this.names.field(name);
  }

  /**
   * Masks a number in code. Short numbers and units of time stay, because they are not values of users. `field`: field with which the
   * number is compared; '' if no field is known.
   */
  codeNumber(field: string, token: string): string {
    if (field !== '') {
      const masked = this.value(field, exactNumber(token));
      if (typeof masked === 'string' || typeof masked === 'number') return exactText(masked);
      throw new NotUnderstood('Dyno does not understand a number in a query');
    }
    if (/^-?(?:\d{1,3}|\d\.\d{1,2}|\d\d\.\d)$/.test(token) || UNITS.has(token)) return token;
    this.note('number in code that is not compared with a field: masked');
    return exactText(this.number('', exactNumber(token)) as number | string);
  }

  /**
   * Masks a query in ES|QL, SQL or EQL. Each of its names must be a word of the language, a known field, or defined by the query;
   * otherwise, throws {@link NotUnderstood}. `isAccepted`: whether the cluster executed the query. In this case, unknown words in the query
   * are certainly names.
   */
  queryLanguage(text: string, language: QueryLanguage, isAccepted: boolean): string {
    if (this.mapsFields) throw new NotUnderstood('names of fields in ES|QL, SQL and EQL cannot be mapped');
    if (this.names.mapsIndices && language !== 'eql')
      throw new NotUnderstood('names of indices in ES|QL and SQL cannot be mapped');
    const sameNames = (names: string[]): string[] => names;
    const masked = maskedCode(text, language, {
      string: (literal) => this.queryText(literal, language),
      number: (literal) =>
        /\?$/.test(literal.before) ||
        /\b(?:limit|top|head|tail)\s+$|\b(?:maxspan|runs)\s*=\s*$/i.test(literal.before)
          ? this.shortNumber(literal.text)
          : this.codeNumber(comparedField(literal), literal.text),
      name: (literal) => this.queryName(literal, language, isAccepted),
    });
    // Names of indices do not occur in EQL.
    const isKnown =
      masked !== null &&
      (language === 'eql'
        ? /\bwhere\b/i.test(masked)
        : queryWithNames(language === 'esql' ? 'esql' : 'sql', masked, sameNames) !== null);
    if (!isKnown) throw new NotUnderstood('Dyno does not understand a query in ES|QL, SQL or EQL');
    return masked;
  }

  private shortNumber(token: string): string {
    if (token.length > 6) throw new NotUnderstood('Dyno does not understand a number in a query');
    return token;
  }

  private queryText(literal: Literal, language: QueryLanguage): string {
    const { text, before } = literal;
    if (/\\[\p{L}\p{N}]/u.test(text.replaceAll('\\\\', '')))
      throw new NotUnderstood('a text of a query contains an escaped letter');
    const field = comparedField(literal);
    const isPattern = /\b(?:like|rlike)~?\s*\(?\s*$/i.test(before) || /[*?%]/.test(text);
    if (/\bqstr\s*\(\s*$/i.test(before)) return this.queryString('', text);
    if (/\bkql\s*\(\s*$/i.test(before)) throw new NotUnderstood('Dyno does not know the query kql');
    if (/\brlike\s*$/i.test(before)) return String(this.regexp(field, text));
    if (/\|\s*(?:grok|dissect)\s+\S+\s*$/i.test(before) || /\bformat\w*\s*\(\s*$/i.test(before))
      throw new NotUnderstood('it contains a pattern for texts');
    const sqlPattern = language.endsWith('sql') && language !== 'esql' && isPattern;
    const pattern = sqlPattern ? text.replaceAll('%', '*') : text;
    const masked = isPattern
      ? this.wildcard(field, heldString(pattern))
      : this.value(field, heldString(pattern));
    if (typeof masked !== 'string' && typeof masked !== 'number') return '';
    return sqlPattern ? exactText(masked).replaceAll('*', '%') : exactText(masked);
  }

  /**
   * Masks a name in a query that the query itself defines, such as an alias. All other names stay: those of fields, functions and commands.
   */
  private queryName(literal: Literal, language: QueryLanguage, isAccepted: boolean): string {
    const { text, before, after } = literal;
    // In EQL, the category of an event is a value.
    if (language === 'eql' && /^\s+where\b/i.test(after) && !/^any$/i.test(text))
      return this.queryText({ text, before: 'event.category == ', after: '' }, language);
    if (isLanguageWord(text) || /\?$/.test(before)) return text;
    const key = text.toLowerCase();
    if (this.isLearning && definesName(literal, language)) this.knowledge.alias(key);
    if (this.isLearning || this.fieldInText(text) !== null) return text;
    if (this.knowledge.isAlias(key)) return this.label(text);
    const dot = text.indexOf('.');
    if (dot > 0 && this.knowledge.isAlias(key.slice(0, dot)))
      return `${this.label(text.slice(0, dot))}.${this.queryName({ ...literal, text: text.slice(dot + 1) }, language, isAccepted)}`;
    if (!isAccepted || !/^[\p{L}_@$][\p{L}\p{N}_@$.*-]*$/u.test(text))
      throw new NotUnderstood('a query names something that is not a known field');
    return text;
  }

  // Scalars

  private scalar(field: string, value: unknown): unknown {
    if (value === null || typeof value === 'boolean') return this.counted(field, 'unchanged', value);
    if (isNumber(value)) {
      const token = exactText(value);
      if (field !== '' && this.isNumericField(field))
        return this.counted(field, 'number', exactNumber(this.maskedNumber(field, token)));
      return this.counted(field, 'words', heldString(this.words.text(token)));
    }
    if (typeof value !== 'string') return GONE;
    const text = plainKey(value);
    if (field !== '' && NUMERIC_TEXT.test(text) && this.knowledge.isNumeric(field))
      return this.counted(field, 'number', heldString(this.maskedNumber(field, text)));
    let form: TextForm | undefined;
    const masked = this.words.text(text, (found) => {
      form = form === undefined || form === found ? found : 'words';
    });
    return form === undefined
      ? this.counted(field, 'unchanged', value)
      : this.counted(field, form, heldString(masked));
  }

  /**
   * Returns whether a number in a query for this field is masked as a number. It is not if documents contain only texts in the field,
   * because the query then compares the number with texts.
   */
  private isNumericField(field: string): boolean {
    return this.knowledge.isNumeric(field) || !this.knowledge.hasOnlyTexts(field);
  }

  private maskedNumber(field: string, token: string): string {
    return this.numbers.masked(field, token, this.knowledge.numbersOf(field));
  }

  /** Masks a number that belongs to a name, such as a parameter of a script. */
  number(name: string, value: number | string): unknown {
    if (this.isLearning) return value;
    return this.counted(
      name,
      'number',
      exactNumber(this.maskedNumber(this.knowledge.fieldOf(name), exactText(value))),
    );
  }

  note(what: string): void {
    if (!this.isLearning) this.account.note(what);
  }

  removed(what: string): typeof GONE {
    if (!this.isLearning) this.account.removedPart(what);
    return GONE;
  }

  private counted<Value>(field: string, treatment: Treatment, value: Value): Value {
    if (!this.isLearning) this.account.value(field === '' ? NO_FIELD : field, treatment);
    return value;
  }
}
