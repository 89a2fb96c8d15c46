/**
 * Maps recorded names of indices to indices of the trial, or to existing indices. The map determines the indices to which recorded traffic
 * is replayed. Every index name in a replayed request comes from this map. Therefore a replay reaches no other index.
 */

/**
 * Indices to which a recorded name is mapped. `trial`: position of an index of the trial, from 1, or null for all indices of the trial.
 * `existing`: name of an existing index.
 */
export type IndexPlace = { trial: number | null } | { existing: string };

/**
 * A rule for recorded names. `pattern`: a name, or a pattern with `*`. `to`: the new indices; null if requests to these names are left out.
 */
export interface IndexRule {
  pattern: string;
  to: IndexPlace | null;
}

export interface IndexMapSetting {
  /** Rules in the order of the definition. */
  rules: readonly IndexRule[];
  /** Rules for names without wildcards that occur in the recording and match none of `rules`: each name with its new index. */
  found: readonly IndexRule[];
  /** New indices of all names that match neither `rules` nor `found`. Null if requests to them are left out. */
  rest: IndexPlace | null;
  /**
   * Returns the new index of a recorded name that matches none of `rules`. Returns null if requests to this name are left out. Default:
   * `rest` for all names.
   */
  placeOf?: ((name: string) => IndexPlace | null) | undefined;
  /** Names of the indices of the trial. */
  own: readonly string[];
  /** Whether documents in the indices of the trial may be changed. */
  mayWriteOwn: boolean;
  /** Whether documents in the existing indices of the rules may be changed. */
  mayWriteExisting: boolean;
}

/** The use of indices by a request. The uses with `one`, such as that of a get, require a single index. */
export type IndexUse = 'read' | 'read-one' | 'write' | 'write-one';

/** The reason why a request is left out. */
export interface LeftOut {
  why: string;
}

export const isLeftOut = (value: object | string): value is LeftOut =>
  typeof value === 'object' && 'why' in value;

export const NOT_MAPPED = 'its index is mapped to no index';
export const NO_PERMISSION = 'it would change an existing index, and `allow-writes` is not set';
const SEVERAL = 'it needs one index, and its index is mapped to several';
const OTHER_CLUSTER = 'it searches another cluster';

/** Maximum number of results that are cached. */
const MOST_REMEMBERED = 10_000;

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`);

/**
 * Returns a function that tests names. It returns true if `pattern` covers the name. The name may also be a pattern itself, which must be
 * covered completely.
 */
function matcher(pattern: string): (name: string) => boolean {
  if (pattern === '_all' || pattern === '*') return () => true;
  if (!pattern.includes('*')) return (name) => name === pattern;
  const expression = new RegExp(`^${escaped(pattern).replaceAll('*', '.*')}$`, 's');
  return (name) => expression.test(name);
}

/** Replaces date math in a name by a wildcard: `<logs-{now/d}>` becomes `logs-*`. Returns other names unchanged. */
const withoutDates = (name: string): string =>
  name.startsWith('<') && name.endsWith('>')
    ? name.slice(1, -1).replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '*')
    : name;

const isWildcard = (name: string): boolean => name.includes('*') || name === '_all' || name === '';

/** Returns whether an element of a list of names belongs to another cluster: `cluster:index`. */
const isRemote = (name: string): boolean => !name.startsWith('<') && name.includes(':');

export class IndexMap {
  private readonly rules: readonly { rule: IndexRule; covers: (name: string) => boolean }[];
  private readonly exact = new Map<string, IndexRule>();
  private readonly remembered = new Map<string, readonly string[] | LeftOut>();

  constructor(private readonly setting: IndexMapSetting) {
    this.rules = setting.rules
      .filter(({ pattern }) => isWildcard(pattern))
      .map((rule) => ({ rule, covers: matcher(rule.pattern) }));
    for (const rule of [...setting.found, ...setting.rules])
      if (!isWildcard(rule.pattern)) this.exact.set(rule.pattern, rule);
  }

  /**
   * Returns the names that replace a recorded list of names, or the reason why the request is left out. An empty list means all indices, as
   * in a path without an index.
   */
  resolve(recorded: readonly string[], use: IndexUse): readonly string[] | LeftOut {
    const key = `${use} ${recorded.join()}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const result = this.find(recorded.length === 0 ? ['*'] : recorded, use);
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(key, result);
    return result;
  }

  /** Returns the names of all indices to which requests may go, or the reason why there are no such indices for this use. */
  allNames(use: IndexUse): readonly string[] | LeftOut {
    return this.resolve([], use);
  }

  private find(recorded: readonly string[], use: IndexUse): readonly string[] | LeftOut {
    const excluded = recorded.flatMap((name, at) =>
      at > 0 && name.startsWith('-') ? [matcher(withoutDates(name.slice(1)))] : [],
    );
    const names = new Set<string>();
    let isRefused = false;
    for (const [at, name] of recorded.entries()) {
      if (at > 0 && name.startsWith('-')) continue;
      if (isRemote(name)) return { why: OTHER_CLUSTER };
      for (const place of this.placesOf(name, excluded)) {
        if (use.startsWith('write') && !this.mayWrite(place)) {
          isRefused = true;
          // If this index may not be changed, a wildcard still reaches the other indices.
          if (!isWildcard(name)) return { why: NO_PERMISSION };
        } else for (const own of this.namesAt(place)) names.add(own);
      }
    }
    if (names.size === 0) return { why: isRefused ? NO_PERMISSION : NOT_MAPPED };
    return names.size > 1 && use.endsWith('-one') ? { why: SEVERAL } : [...names];
  }

  private mayWrite(place: IndexPlace): boolean {
    return 'existing' in place ? this.setting.mayWriteExisting : this.setting.mayWriteOwn;
  }

  /**
   * Returns the new indices for one element of a recorded list of names. `excluded`: functions that return whether the list excludes a
   * name.
   */
  private placesOf(written: string, excluded: readonly ((name: string) => boolean)[]): IndexPlace[] {
    const name = withoutDates(written);
    const own = this.exact.get(written) ?? this.exact.get(name);
    if (own !== undefined) return own.to === null ? [] : [own.to];
    const covering = this.rules.find(({ covers }) => covers(name))?.rule;
    if (!isWildcard(name)) return placed(covering === undefined ? this.placeOf(written) : covering.to);
    // An exclusion can only be applied to names that are known.
    if (covering !== undefined && excluded.length === 0) return placed(covering.to);
    const matches = matcher(name === '' ? '*' : name);
    const known = [...this.exact.values()].filter(
      ({ pattern }) => matches(pattern) && !excluded.some((isExcluded) => isExcluded(pattern)),
    );
    const within = this.rules.filter(({ rule }) => matches(rule.pattern)).map(({ rule }) => rule);
    const found = [...known, ...within].flatMap(({ to }) => placed(to));
    if (found.length > 0) return found;
    return placed(covering === undefined ? this.setting.rest : covering.to);
  }

  private placeOf(name: string): IndexPlace | null {
    const { placeOf, rest } = this.setting;
    if (placeOf === undefined) return rest;
    const to = placeOf(name);
    this.exact.set(name, { pattern: name, to });
    return to;
  }

  private namesAt(place: IndexPlace): readonly string[] {
    if ('existing' in place) return [place.existing];
    const { own } = this.setting;
    return place.trial === null ? own : own.slice(place.trial - 1, place.trial);
  }
}

const placed = (place: IndexPlace | null): IndexPlace[] => (place === null ? [] : [place]);
