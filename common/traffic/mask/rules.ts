/**
 * Building blocks for the grammar of requests: rules. Each rule masks one kind of value. If the grammar contains no rule for a value, the
 * value is removed.
 */
import { exactText, heldString, plainKey } from '../../json/exact';
import { GONE, isNumber, isObject, type Masking } from './masking';
import { isFormat, isLocale, isOwnAnalyzer, isOwnPreference, isStructural, isTimeZone } from './structural';

/** Position of a value in a request. */
export interface At {
  /** Name of the field with which the value is compared; '' if unknown. */
  field: string;
  /** Path of the value, as the report shows it. The path contains no names that users chose. */
  where: string;
  /** Facts about the request, if the value is its body or an option in its body. */
  request?: RequestFacts;
}

/** Facts about a request that affect how its body is masked. */
export interface RequestFacts {
  path: string;
  /** Whether the cluster responded with success. If so, the request was valid. */
  isAccepted: boolean;
  /** Decoded value of the query parameter `sort`. */
  sort: string | undefined;
}

/** Returns whether a name looks as if a program defined it, such as the name of a parameter. Other keys may be values of a user. */
export const isIdentifier = (name: string): boolean => /^[a-z_]\w{0,40}$/i.test(name);

/** Function that masks a value. It returns {@link GONE} if the value must be removed. */
export type Rule = (masking: Masking, value: unknown, at: At) => unknown;
export type Rules = Readonly<Record<string, Rule>>;

/** Returns a rule for a text. The text is copied if `isAllowed` accepts it. All other values are removed. */
const textIf =
  (isAllowed: (text: string) => boolean): Rule =>
  (masking, found, { where }) =>
    typeof found === 'string' && isAllowed(plainKey(found)) ? found : masking.removed(where);

/** Rule for a format of dates or numbers. */
export const format = textIf(isFormat);
export const timeZone = textIf(isTimeZone);
export const locale = textIf(isLocale);
/** Rule for punctuation, such as a separator. */
export const punctuation = textIf((text) => /^[^\p{L}\p{N}]{1,40}$/u.test(text));
/**
 * Rule for the name of an analyzer. The names of built-in analyzers stay, and others are removed. Without the name, Elasticsearch uses the
 * analyzer of the field.
 */
export const analyzer = textIf(isOwnAnalyzer);

/** Returns a rule that masks a text with `mask`. All values that are not texts are removed. */
const textRule =
  (mask: (masking: Masking, text: string, at: At) => string): Rule =>
  (masking, value, at) => {
    if (isNumber(value)) return heldString(mask(masking, exactText(value), at));
    return typeof value === 'string'
      ? heldString(mask(masking, plainKey(value), at))
      : masking.removed(at.where);
  };

export const listOf =
  (rule: Rule): Rule =>
  (masking, value, at) => {
    if (!Array.isArray(value)) return rule(masking, value, at);
    return value.flatMap((one: unknown) => {
      const masked = rule(masking, one, at);
      return masked === GONE ? [] : [masked];
    });
  };

/**
 * Rule for a value that belongs to the language of requests, such as an operator or a size, or for a list of such values. These values
 * stay.
 */
export const keep: Rule = listOf((masking, found, { where }) => {
  if (found === null || typeof found === 'boolean' || isNumber(found)) return found;
  return typeof found === 'string' && isStructural(plainKey(found)) ? found : masking.removed(where);
});

/**
 * Returns rules that keep the values of these keys, because they are numbers or fixed words of the query language. `keys`: the keys,
 * separated by spaces.
 */
export const keeps = (keys: string): Rules => Object.fromEntries(keys.split(' ').map((key) => [key, keep]));

/** Rule for a value, or a list of values, with which a query compares a field. */
export const value: Rule = (masking, found, { field, where }) => {
  const masked = masking.value(field, found);
  return masked === GONE ? masking.removed(where) : masked;
};
export const prefix: Rule = (masking, found, { field }) => masking.prefix(field, found);
export const wildcard: Rule = (masking, found, { field }) => masking.wildcard(field, found);
export const regexp: Rule = (masking, found, { field }) => masking.regexp(field, found);
export const place: Rule = (masking, found, { field, where }) => {
  const masked = masking.place(field, found);
  return masked === GONE ? masking.removed(where) : masked;
};
export const vector: Rule = (masking, found, { field }) => masking.vector(field, found);
export const text: Rule = textRule((masking, found) => masking.text(found));
export const label: Rule = textRule((masking, found) => masking.label(found));
export const id: Rule = textRule((masking, found) => masking.id(found));
/** Rule for a preference. A preference that Elasticsearch defines stays. A preference that a user chose is masked like a routing value. */
export const preference: Rule = (masking, found, at) =>
  typeof found === 'string' && plainKey(found).startsWith('_')
    ? textIf(isOwnPreference)(masking, found, at)
    : id(masking, found, at);
/** Rule for the name of a relation between documents, as in a query such as `has_child`. */
export const relation: Rule = textRule((masking, found) => masking.relation(found));
export const index: Rule = listOf(
  textRule((masking, found) =>
    found
      .split(',')
      .map((name) => masking.index(name))
      .join(','),
  ),
);
export const contextId: Rule = listOf(textRule((masking, found) => masking.contextId(found)));

/** Masks the name of a field with a boost, such as `title^3`. The boost stays. */
const named = (masking: Masking, name: string): string => {
  const [, field = name, boost = ''] = /^(.*?)(\^[\d.]+)?$/.exec(name) ?? [];
  return masking.fieldName(field) + boost;
};

/** Rule for the name of a field, or a list of names. */
export const fieldName: Rule = listOf(textRule(named));

/**
 * Returns a rule for an object. `rules`: rules for the values of known keys. `other`: masks an entry with another key, and returns the
 * masked entry. Without `other`, these entries are removed.
 */
export const object =
  (
    rules: Rules,
    other?: (masking: Masking, key: string, value: unknown, at: At) => [string, unknown] | typeof GONE,
  ): Rule =>
  (masking, found, at) => {
    if (!isObject(found)) return masking.removed(at.where);
    return Object.fromEntries(
      Object.entries(found).flatMap(([key, one]): [string, unknown][] => {
        const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
        if (rule !== undefined) {
          const masked = rule(masking, one, { ...at, where: `${at.where}.${key}` });
          return masked === GONE ? [] : [[key, masked]];
        }
        const entry = other?.(masking, key, one, at) ?? masking.removed(`${at.where}.${plainKey(key)}`);
        return entry === GONE || entry[1] === GONE ? [] : [entry];
      }),
    );
  };

/**
 * Returns a rule for an object whose keys are names of fields. `own`: rules for keys that are not fields, such as `boost`. If `boost` is
 * the only key of the object, it counts as the name of a field.
 */
export const byField = (rule: Rule, own: Rules = {}): Rule => {
  const field = (masking: Masking, key: string, one: unknown, at: At): [string, unknown] => [
    masking.fieldKey(key),
    rule(masking, one, { ...at, field: plainKey(key) }),
  ];
  const usual = object(own, field);
  return (masking, found, at) =>
    isObject(found) && Object.keys(found).join() === 'boost'
      ? object({}, field)(masking, found, at)
      : usual(masking, found, at);
};

/** Returns a rule for an object whose keys are names that users chose. The keys are masked as labels, and the values by `rule`. */
export const byLabel = (rule: Rule): Rule =>
  object({}, (masking, key, one, at) => [heldString(masking.label(plainKey(key))), rule(masking, one, at)]);

/** Returns a rule that uses `one` for objects and `other` for all other values. */
export const objectOr =
  (one: Rule, other: Rule): Rule =>
  (masking, found, at) =>
    isObject(found) ? one(masking, found, at) : other(masking, found, at);

/** Returns a rule that is looked up only when it is used. Rules can therefore refer to rules that are defined later. */
export const later =
  (rule: () => Rule): Rule =>
  (masking, found, at) =>
    rule()(masking, found, at);

/**
 * Returns a rule for an object that contains the name of a field, such as `{ field: 'price', missing: 0 }`. The values of the object are
 * masked as values of this field. `key`: the key with the name of the field.
 */
export const withField =
  (key: string, rule: Rule): Rule =>
  (masking, found, at) => {
    const name = isObject(found) ? found[key] : undefined;
    return rule(masking, found, typeof name === 'string' ? { ...at, field: plainKey(name) } : at);
  };
