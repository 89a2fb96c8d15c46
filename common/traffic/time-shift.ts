/**
 * Moves the dates in recorded requests by a constant time. Queries relative to `now` then find the replayed documents. Only values of known
 * date fields move: in documents, at the positions of a search where Elasticsearch expects a value of the field, and after the name of the
 * field in query strings, ES|QL, SQL and EQL. All other text stays as it was recorded.
 */
import { parsePlain } from '../json/exact';
import {
  elementsOf,
  endOfValue,
  membersOf,
  skipBlanks,
  withChanges,
  type Change,
  type Member,
} from '../json/source';
import type { TrafficKind } from './kind';
import { comparedField, definesName, maskedCode } from './mask/code';
import { anchoredDate, DATE_PATTERN, isDate, isRelativeDate } from './mask/dates';
import { replacedInQueryString } from './mask/query-syntax';

/** A field whose values are dates. */
export interface TimeField {
  /** Full name of the field, which includes the names of its objects, such as `order.created`. */
  name: string;
  /** Value of `format` in the mapping. Null for the default format: ISO 8601, or milliseconds since the epoch. */
  format: string | null;
  /** Whether the sort values of the field are nanoseconds since the epoch (type `date_nanos`), instead of milliseconds. */
  isNanos: boolean;
}

/** Counts of dates in requests. */
export interface TimeAccount {
  /** Number of values that moved. */
  moved: number;
  /** Number of dates that did not move, by reason. */
  kept: Record<string, number>;
}

export const noTimes = (): TimeAccount => ({ moved: 0, kept: {} });

/** Maximum number of different reasons that are counted separately. All others count as {@link OTHER_FIELDS}. */
const MOST_REASONS = 20;
const OTHER_FIELDS = 'in other fields';
export const IN_TEXTS = 'in calculations, scripts and other places outside fields';

/** Adds the counts in `more` to those in `into`. */
export function addTimes(into: TimeAccount, more: TimeAccount): void {
  into.moved += more.moved;
  for (const [why, count] of Object.entries(more.kept)) {
    const isKnown = why in into.kept || Object.keys(into.kept).length < MOST_REASONS;
    const reason = isKnown ? why : OTHER_FIELDS;
    into.kept[reason] = (into.kept[reason] ?? 0) + count;
  }
}

type Mapping = Readonly<Record<string, unknown>>;

const DATE_TYPES: ReadonlySet<unknown> = new Set(['date', 'date_nanos', 'date_range']);

const objectAt = (mapping: Mapping, key: string): Readonly<Record<string, Mapping>> =>
  (mapping[key] ?? {}) as Readonly<Record<string, Mapping>>;

/**
 * Returns the date fields of a mapping, with their multi-fields and aliases. Runtime fields with a script are left out, because their
 * values are not in the recording.
 */
export function timeFieldsOf(mapping: Mapping): TimeField[] {
  const found = new Map<string, TimeField>();
  const aliases: [name: string, path: string][] = [];
  const visit = (fields: Readonly<Record<string, Mapping>>, prefix: string, parent?: string): void => {
    for (const [key, own] of Object.entries(fields)) {
      const name = `${prefix}${key}`;
      if (own['type'] === 'alias') aliases.push([name, String(own['path'])]);
      if (DATE_TYPES.has(own['type']) && !('script' in own)) {
        const format = typeof own['format'] === 'string' ? own['format'] : null;
        const field = { name, format, isNanos: own['type'] === 'date_nanos' };
        found.set(name, field);
        // A multi-field has the values of its parent, so these must move too.
        if (parent !== undefined && !found.has(parent)) found.set(parent, { ...field, name: parent });
      }
      visit(objectAt(own, 'properties'), `${name}.`);
      visit(objectAt(own, 'fields'), `${name}.`, name);
    }
  };
  visit(objectAt(mapping, 'properties'), '');
  visit(objectAt(mapping, 'runtime'), '');
  for (const [name, path] of aliases) {
    const field = found.get(path);
    if (field !== undefined) found.set(name, { ...field, name });
  }
  return [...found.values()];
}

const UNITS = { s: 1n, ms: 1000n, ns: 1_000_000_000n };

/**
 * Returns the unit of the whole numbers that a date format accepts. Returns null if the format accepts no whole numbers, or if these could
 * be calendar dates.
 */
function unitOf(format: string | null): keyof typeof UNITS | null {
  if (format === null) return 'ms';
  if (/basic|[yu]M/.test(format)) return null;
  const [, unit] = /epoch_(millis|second)/.exec(format) ?? [];
  return unit === undefined ? null : unit === 'millis' ? 'ms' : 's';
}

/** Matches whole numbers with at least five digits. Shorter numbers may be years. */
const DIGITS = /^-?\d{5,}$/;
const WHOLE = /^-?\d+$/;
/** Matches formats that write the day before the month. */
const DAY_FIRST = /[yu][-/.]?d/;

const DATE =
  /^(\d{4})([-/.])(\d{2})\2(\d{2})(?:([T ])(\d{2})(?:(:?)(\d{2})(?:\7(\d{2})((?:[.,]\d{1,9})?))?)?( ?[+-]\d{2}(?::?\d{2})?|Z)?)?$/;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const digits = (number: number, length: number): string => String(number).padStart(length, '0');

/**
 * Returns a date moved by `seconds`. The date is in ISO 8601, or in this form with `/` or `.` as the separator. It keeps its form: a date
 * without a time moves by whole days, and a time without seconds by whole minutes. Returns null for other texts, and for results outside
 * the years 100 to 9999.
 */
export function movedDate(text: string, seconds: number): string | null {
  const found = DATE.exec(text);
  if (found === null) return null;
  const [, year, separator = '', month, day, between = '', hour, colon = '', minute, second, fraction = ''] =
    found;
  const zone = found[11] ?? '';
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (midnight.getUTCFullYear() !== Number(year) || midnight.getUTCDate() !== Number(day)) return null;
  const unit = hour === undefined ? DAY : minute === undefined ? HOUR : second === undefined ? MINUTE : 1;
  const ofDay = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0);
  const to = new Date(midnight.getTime() + (ofDay + Math.round(seconds / unit) * unit) * 1000);
  if (!(to.getUTCFullYear() >= 100 && to.getUTCFullYear() <= 9999)) return null;
  const date = [
    digits(to.getUTCFullYear(), 4),
    digits(to.getUTCMonth() + 1, 2),
    digits(to.getUTCDate(), 2),
  ].join(separator);
  if (hour === undefined) return date;
  const clock = [to.getUTCHours(), to.getUTCMinutes(), to.getUTCSeconds()]
    .slice(0, unit === HOUR ? 1 : unit === MINUTE ? 2 : 3)
    .map((part) => digits(part, 2))
    .join(colon);
  return date + between + clock + fraction + zone;
}

/**
 * Queries and functions that contain names of fields as keys, as in `{ term: { created: '2026-11-20' } }`. The value of such a key is
 * compared with the field. It may be a list, or an object with {@link VALUE_KEYS}.
 */
const OF_FIELDS: ReadonlySet<string> = new Set([
  ...['range', 'term', 'terms', 'match', 'match_phrase', 'terms_set', 'span_term'],
  ...['gauss', 'linear', 'exp'],
]);
/**
 * Keys of values that are compared with a date field. They occur in the object of a field (`{ range: { created: { gte: ... } } }`), or in
 * the same object as the key `field` (`{ field: 'created', missing: ... }`).
 */
const VALUE_KEYS: ReadonlySet<string> = new Set([
  ...['gte', 'gt', 'lte', 'lt', 'from', 'to', 'value', 'query', 'origin', 'missing', 'min', 'max'],
  ...['ranges', 'extended_bounds', 'hard_bounds'],
]);
/** Keys of documents within queries. */
const DOCUMENTS: ReadonlySet<string> = new Set(['doc', 'document', 'documents']);
/** Keys of a value of a `date_range` field. */
const RANGE_KEYS: ReadonlySet<string> = new Set(['gte', 'gt', 'lte', 'lt']);

type Language = 'esql' | 'sql' | 'eql';
/** Returns whether the requests of a kind contain a query in a language in which dates can move. */
const isLanguage = (kind: string): kind is Language => kind === 'esql' || kind === 'sql' || kind === 'eql';

/**
 * Matches queries whose names may not be those of fields: the commands of ES|QL may define columns whose names Dyno does not see, and PPL
 * begins with another word than SQL. In the SQL of OpenSearch, double quotes may contain a date.
 */
const UNCLEAR: Readonly<Record<Language, RegExp>> = {
  esql: /\b(?:grok|dissect|enrich|join)\b/i,
  sql: /^(?!\s*select\b)|"\d{4}-\d{2}-\d{2}/i,
  eql: /^$/,
};

/** Whether a text may contain a date. To find the field of a literal takes longer. */
const hasYear = (text: string): boolean => /\d{4}/.test(text);

/** Keys of queries, below which a key `query_string` is a query and not the name of a field. */
const OF_QUERIES: ReadonlySet<string> = new Set([
  ...['query', 'filter', 'must', 'should', 'must_not', 'queries', 'positive', 'negative'],
  ...['post_filter', 'rescore_query'],
]);

/**
 * Matches the parts of a query string in which a slash does not begin a regular expression: escaped characters, phrases and ranges.
 * Elasticsearch begins a regular expression at every other slash, also within a word. So the text between the slashes of `a/b time:x c/d`
 * contains no field.
 */
const WITHOUT_REGEXP = /\\[^]|"(?:[^"\\]|\\[^])*"|[[{][^\]}]*[\]}]/g;

const ANY_DATE = new RegExp(DATE_PATTERN, 'gu');

/** Returns the value of a string or a number in JSON. Undefined for other values. */
function scalarAt(text: string, from: number): string | number | undefined {
  const first = text.charAt(from);
  if (first !== '"' && !/[-\d]/.test(first)) return undefined;
  try {
    return parsePlain(text.slice(from, endOfValue(text, from))) as string | number;
  } catch {
    return undefined;
  }
}

/** Decodes a parameter of a URL. Returns undefined if its encoding is malformed. */
function decoded(parameter: string): string | undefined {
  try {
    return decodeURIComponent(parameter.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const textMember = (text: string, members: readonly Member[], key: string): string | undefined => {
  const member = members.findLast((own) => own.key === key);
  const value = member === undefined ? undefined : scalarAt(text, member.valueStart);
  return typeof value === 'string' ? value : undefined;
};

export class TimeShift {
  private readonly fields: ReadonlyMap<string, TimeField>;
  /** Names of objects that contain fields. */
  private readonly objects = new Set<string>();
  /** Last segments of the names of all fields. If a body contains none of them, none of its dates move. */
  private readonly leaves: readonly string[];
  private seconds = 0;
  private changes: Change[] = [];

  /** `account`: counts the dates. Without it, parts of bodies without movable dates are not read, which takes less time. */
  constructor(
    fields: readonly TimeField[],
    private readonly account: TimeAccount | null = null,
  ) {
    this.fields = new Map(fields.map((field) => [field.name, field]));
    for (const { name } of fields)
      for (let at = name.indexOf('.'); at > 0; at = name.indexOf('.', at + 1))
        this.objects.add(name.slice(0, at));
    this.leaves = [...new Set(fields.map(({ name }) => `${name.slice(name.lastIndexOf('.') + 1)}"`))];
  }

  /** Returns the body of a request with its dates moved by `seconds`. A body that is not JSON stays as it is. */
  moved(kind: TrafficKind, body: string, seconds: number): string {
    const isPossible =
      isLanguage(kind.name) ||
      body.includes('\\u') ||
      body.includes('"query_string"') ||
      this.leaves.some((leaf) => body.includes(leaf));
    if (!isPossible && this.account === null) return body;
    this.seconds = seconds;
    switch (kind.name) {
      case 'bulk':
        return this.bulk(body);
      case 'msearch':
      case 'msearch-template':
        return this.lines(body, (line) => {
          this.search(line, skipBlanks(line, 0), '');
        });
      default:
        return this.changed(body, () => {
          const from = skipBlanks(body, 0);
          if (kind.name === 'index') this.document(body, from, '', undefined);
          else if (kind.name === 'update') this.update(body, from);
          else if (isLanguage(kind.name)) this.language(body, from, kind.name);
          else this.search(body, from, '');
        });
    }
  }

  /** Returns the parameters of a URL with the dates in the parameter `q` moved by `seconds`. Counts the dates in all other parameters. */
  movedParameters(parameters: string, seconds: number): string {
    if (parameters === '' || (this.account === null && !/(?:^|&)q=/.test(parameters))) return parameters;
    this.seconds = seconds;
    return parameters
      .split('&')
      .map((parameter) => {
        const text = decoded(parameter);
        if (text === undefined || !parameter.startsWith('q=')) {
          this.keepAll(text ?? parameter);
          return parameter;
        }
        const query = text.slice(2);
        const moved = this.queryString(query);
        return moved === query ? parameter : `q=${encodeURIComponent(moved)}`;
      })
      .join('&');
  }

  private bulk(body: string): string {
    let action: string | null = null;
    return this.lines(body, (line) => {
      const from = skipBlanks(line, 0);
      if (action === null) {
        action = membersOf(line)[0]?.key ?? null;
        if (action === 'delete') action = null;
        return;
      }
      if (action === 'update') this.update(line, from);
      else this.document(line, from, '', undefined);
      action = null;
    });
  }

  private lines(body: string, read: (line: string) => void): string {
    return body
      .split('\n')
      .map((line) =>
        line.trim() === ''
          ? line
          : this.changed(line, () => {
              read(line);
            }),
      )
      .join('\n');
  }

  private changed(text: string, read: () => void): string {
    this.changes = [];
    read();
    return this.changes.length === 0 ? text : withChanges(text, this.changes);
  }

  private update(text: string, from: number): void {
    for (const { key, valueStart } of membersOf(text, from))
      if (key === 'doc' || key === 'upsert') this.document(text, valueStart, '', undefined);
      else this.search(text, valueStart, key);
  }

  /**
   * Moves dates in a document, or in a part of it. `name`: path of the part, such as `order.created`; '' for the whole document. `field`:
   * set if this part is the value of a date field, or the `gte` or `lte` of such a value.
   */
  private document(text: string, from: number, name: string, field: TimeField | undefined): void {
    const first = text.charAt(from);
    if (first === '[') {
      for (const at of elementsOf(text, from)) this.document(text, at, name, field);
    } else if (first === '{') {
      for (const { key, valueStart } of membersOf(text, from)) {
        const own = name === '' ? key : `${name}.${key}`;
        const isRange = field !== undefined && RANGE_KEYS.has(key);
        const ofOwn = isRange ? field : this.fields.get(own);
        if (ofOwn !== undefined || this.objects.has(own) || this.account !== null)
          this.document(text, valueStart, own, ofOwn);
      }
    } else if (field !== undefined) {
      this.value(text, from, field, field.format);
    } else if (this.account !== null && first === '"') {
      if (isDate(String(scalarAt(text, from)))) this.keep(`in ${name}`);
    }
  }

  /** Moves dates in the body of a search. `parent`: the key of the part of the body that begins at `from`; '' for the whole body. */
  private search(text: string, from: number, parent: string): void {
    const first = text.charAt(from);
    if (first === '[') {
      for (const at of elementsOf(text, from)) this.search(text, at, parent);
      return;
    }
    if (first === '"' && this.account !== null) this.keepAll(String(scalarAt(text, from)));
    if (first !== '{') return;
    const members = membersOf(text, from);
    const beside = this.fields.get(textMember(text, members, 'field') ?? '');
    const format = textMember(text, members, 'format');
    for (const { key, valueStart } of members) {
      const named = OF_FIELDS.has(parent) ? this.fields.get(key) : undefined;
      if (named !== undefined) this.values(text, valueStart, named, named.format);
      else if (beside !== undefined && VALUE_KEYS.has(key))
        this.values(text, valueStart, beside, format ?? beside.format);
      else if (key === 'query_string' && OF_QUERIES.has(parent)) this.queryStringOf(text, valueStart);
      else if (DOCUMENTS.has(key)) this.document(text, valueStart, '', undefined);
      else if (key === 'search_after') this.searchAfter(text, valueStart, members);
      else if (key === 'after' && parent === 'composite') this.compositeAfter(text, valueStart, members);
      else this.search(text, valueStart, key);
    }
  }

  /** Moves dates in the body of a request with a query in ES|QL, SQL or EQL. */
  private language(text: string, from: number, language: Language): void {
    for (const { key, valueStart } of membersOf(text, from))
      if (key === 'query') this.query(text, valueStart, (query) => this.code(query, language));
      else this.search(text, valueStart, key);
  }

  /** Moves dates in the query `query_string` that begins at `from`. */
  private queryStringOf(text: string, from: number): void {
    for (const { key, valueStart } of membersOf(text, from))
      if (key === 'query') this.query(text, valueStart, (query) => this.queryString(query));
  }

  /** Replaces the query that begins at `from`, if it is a string, by the result of `move`. */
  private query(text: string, from: number, move: (query: string) => string): void {
    const query = scalarAt(text, from);
    if (typeof query !== 'string') return;
    const moved = move(query);
    if (moved !== query)
      this.changes.push({ from, until: endOfValue(text, from), text: JSON.stringify(moved) });
  }

  /**
   * Returns a query in ES|QL, SQL or EQL in which those literals have moved that are compared with a date field. Nothing moves if Dyno does
   * not understand the query, if the query contains comments, if it may define a column with the name of a date field, or if it contains a
   * date whose field is unknown, for example in a function.
   */
  private code(query: string, language: Language): string {
    let isClear = !UNCLEAR[language].test(query);
    const understood = maskedCode(query, language, {
      string: (literal) => {
        // If only a part of the dates moved, the length of a time range could change.
        isClear &&= !(hasYear(literal.text) && isDate(literal.text) && comparedField(literal) === '');
        return literal.text;
      },
      number: ({ text }) => text,
      name: (literal) => {
        isClear &&= !(this.fields.has(literal.text) && definesName(literal, language));
        return literal.text;
      },
    });
    if (understood !== query || !isClear) return this.stays(query);
    return maskedCode(query, language, {
      string: (literal) => {
        const field = hasYear(literal.text) ? this.fields.get(comparedField(literal)) : undefined;
        return field === undefined
          ? this.stays(literal.text)
          : (this.movedText(literal.text, field, null, null) ?? literal.text);
      },
      number: ({ text }) => text,
    })!;
  }

  /** Returns a text in the syntax of `query_string` with the values of date fields moved. */
  private queryString(query: string): string {
    if (query.replaceAll(WITHOUT_REGEXP, '').includes('/')) return this.stays(query);
    return replacedInQueryString(query, {
      fieldName: (name) => name,
      value: (name, text) => {
        const field = this.fields.get(name);
        if (field === undefined) return this.stays(text);
        const written = text.replaceAll(/\\([^])/g, '$1');
        const moved = this.movedText(written, field, field.format, unitOf(field.format));
        if (moved === null) return text;
        return written === text ? moved : moved.replaceAll(/[-+:/|]/g, String.raw`\$&`);
      },
      wildcard: (_, text) => this.stays(text),
      regexp: (_, text) => this.stays(text),
    });
  }

  /** Counts the dates in a text that stays, and returns the text. */
  private stays(text: string): string {
    this.keepAll(text);
    return text;
  }

  /** Moves a value of a date field, all values of a list, or the values in an object with {@link VALUE_KEYS}. */
  private values(text: string, from: number, field: TimeField, format: string | null): void {
    const first = text.charAt(from);
    if (first === '[') for (const at of elementsOf(text, from)) this.values(text, at, field, format);
    else if (first === '{') {
      const members = membersOf(text, from);
      const own = textMember(text, members, 'format') ?? format;
      for (const { key, valueStart } of members)
        if (VALUE_KEYS.has(key)) this.values(text, valueStart, field, own);
    } else this.value(text, from, field, format);
  }

  /** Moves the values of date fields in `search_after`. Its values are in the order of the fields in `sort`. */
  private searchAfter(text: string, from: number, members: readonly Member[]): void {
    const sort = members.findLast(({ key }) => key === 'sort')?.valueStart;
    if (sort === undefined || text.charAt(from) !== '[') return;
    const keys = text.charAt(sort) === '[' ? elementsOf(text, sort) : [sort];
    for (const [place, at] of elementsOf(text, from).entries()) {
      const key = keys[place];
      if (key === undefined) return;
      const [own] = membersOf(text, key);
      const field = this.fields.get(own?.key ?? String(scalarAt(text, key)));
      if (field === undefined) continue;
      const options = own === undefined ? [] : membersOf(text, own.valueStart);
      const format = textMember(text, options, 'format') ?? null;
      const type = textMember(text, options, 'numeric_type');
      const isNanos = type === undefined ? field.isNanos : type === 'date_nanos';
      this.value(text, at, field, format, isNanos && format === null ? 'ns' : unitOf(format));
    }
  }

  /** Moves the values of date fields in `after` of a composite aggregation. */
  private compositeAfter(text: string, from: number, members: readonly Member[]): void {
    const sources = members.findLast(({ key }) => key === 'sources')?.valueStart;
    const after = membersOf(text, from);
    for (const at of sources === undefined ? [] : elementsOf(text, sources)) {
      const [source] = membersOf(text, at);
      const [kind] = source === undefined ? [] : membersOf(text, source.valueStart);
      const options = kind === undefined ? [] : membersOf(text, kind.valueStart);
      const field = this.fields.get(textMember(text, options, 'field') ?? '');
      const value = after.find(({ key }) => key === source?.key);
      if (field === undefined || value === undefined) continue;
      this.value(text, value.valueStart, field, textMember(text, options, 'format') ?? null);
    }
    this.changes.sort((one, other) => one.from - other.from);
  }

  private value(
    text: string,
    from: number,
    field: TimeField,
    format: string | null,
    unit = unitOf(format),
  ): void {
    const value = scalarAt(text, from);
    if (value === undefined) return;
    const until = endOfValue(text, from);
    const isNumber = typeof value === 'number';
    const written = isNumber ? text.slice(from, until) : value;
    const moved = this.movedText(written, field, format, unit, isNumber);
    if (moved !== null) this.changes.push({ from, until, text: isNumber ? moved : JSON.stringify(moved) });
  }

  /** Returns a moved value of a date field, and counts it. Null if it stays. `unit`: unit of whole numbers. */
  private movedText(
    written: string,
    field: TimeField,
    format: string | null,
    unit: keyof typeof UNITS | null,
    isNumber = false,
  ): string | null {
    if (isRelativeDate(written)) return null;
    const moved = isNumber || DIGITS.test(written) ? this.number(written, unit) : this.date(written, format);
    if (moved === null) this.keep(`in ${field.name}, in another notation`);
    else if (this.account !== null) this.account.moved += 1;
    return moved;
  }

  private number(written: string, unit: keyof typeof UNITS | null): string | null {
    if (unit === null || !WHOLE.test(written)) return null;
    return String(BigInt(written) + BigInt(this.seconds) * UNITS[unit]);
  }

  private date(written: string, format: string | null): string | null {
    if (format !== null && DAY_FIRST.test(format)) return null;
    const { date, math } = anchoredDate(written) ?? { date: written, math: '' };
    const moved = movedDate(date, this.seconds);
    return moved === null ? null : moved + math;
  }

  private keep(why: string, count = 1): void {
    if (this.account !== null) addTimes(this.account, { moved: 0, kept: { [why]: count } });
  }

  private keepAll(text: string): void {
    if (this.account === null) return;
    const count = text.match(ANY_DATE)?.length ?? 0;
    if (count > 0) this.keep(IN_TEXTS, count);
  }
}
