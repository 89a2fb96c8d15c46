/** Building blocks of the grammar of requests: rules, each of which masks one kind of value. A value without a rule is removed. */
import { exactText, heldString, plainKey } from '../../json/exact';
import { GONE, isNumber, isObject, type Masking } from './masking';
import { isFormat, isLocale, isOwnAnalyzer, isOwnPreference, isStructural, isTimeZone } from './structural';

/** Where a value is. */
export interface At {
  /** Field that the value is compared with; '' if unknown. */
  field: string;
  /** Path for the report, without names that users chose. */
  where: string;
  /** The request, if the value is its body or an option of it. */
  request?: RequestFacts;
}

/** Facts about a request that decide how its body is masked. */
export interface RequestFacts {
  path: string;
  /** The cluster answered with success, so the request was valid. */
  isAccepted: boolean;
  /** The parameter `sort` of the URL, decoded. */
  sort: string | undefined;
}

/** Returns true for a name as programs have it, such as that of a parameter. Other keys of users may be values. */
export const isIdentifier = (name: string): boolean => /^[a-z_]\w{0,40}$/i.test(name);

/** Masks a value. Returns {@link GONE} if it is removed. */
export type Rule = (masking: Masking, value: unknown, at: At) => unknown;
export type Rules = Readonly<Record<string, Rule>>;

/** A text that is copied if it has a strict form. Any other value is removed. */
const textIf =
  (isAllowed: (text: string) => boolean): Rule =>
  (masking, found, { where }) =>
    typeof found === 'string' && isAllowed(plainKey(found)) ? found : masking.removed(where);

/** A format of dates or numbers. */
export const format = textIf(isFormat);
export const timeZone = textIf(isTimeZone);
export const locale = textIf(isLocale);
/** Punctuation, such as a separator. */
export const punctuation = textIf((text) => /^[^\p{L}\p{N}]{1,40}$/u.test(text));
/** The name of an analyzer. Without it, Elasticsearch uses the analyzer of the field. */
export const analyzer = textIf(isOwnAnalyzer);

/** One text, transformed. Any other value is removed. */
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

/** A value that belongs to the language of queries, such as an operator or a size, or a list of such values. */
export const keep: Rule = listOf((masking, found, { where }) => {
  if (found === null || typeof found === 'boolean' || isNumber(found)) return found;
  return typeof found === 'string' && isStructural(plainKey(found)) ? found : masking.removed(where);
});

/** Numbers and words of the language of queries, by their keys. */
export const keeps = (keys: string): Rules => Object.fromEntries(keys.split(' ').map((key) => [key, keep]));

/** A value, or a list of values, that a query compares with the field. */
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
/** A preference of Elasticsearch stays, a user's own one is masked like a routing value. */
export const preference: Rule = (masking, found, at) =>
  typeof found === 'string' && plainKey(found).startsWith('_')
    ? textIf(isOwnPreference)(masking, found, at)
    : id(masking, found, at);
/** The name of a relation between documents. */
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

/** Splits a name such as `title^3`. */
const named = (masking: Masking, name: string): string => {
  const [, field = name, boost = ''] = /^(.*?)(\^[\d.]+)?$/.exec(name) ?? [];
  return masking.fieldName(field) + boost;
};

/** The name of a field, or several. */
export const fieldName: Rule = listOf(textRule(named));

/**
 * An object with these keys. `other` handles all other keys, and returns the masked entry. Without it, they are removed.
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

/** An object with names of fields as keys. `own`: keys that are no fields. A key `boost` without another one is a field. */
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

/** An object with names as keys that users chose. */
export const byLabel = (rule: Rule): Rule =>
  object({}, (masking, key, one, at) => [heldString(masking.label(plainKey(key))), rule(masking, one, at)]);

/** `one` for objects, `other` for everything else. */
export const objectOr =
  (one: Rule, other: Rule): Rule =>
  (masking, found, at) =>
    isObject(found) ? one(masking, found, at) : other(masking, found, at);

/** A rule that is defined later. */
export const later =
  (rule: () => Rule): Rule =>
  (masking, found, at) =>
    rule()(masking, found, at);

/** A rule with the field that a sibling key names, as in `{ field: 'price', missing: 0 }`. */
export const withField =
  (key: string, rule: Rule): Rule =>
  (masking, found, at) => {
    const name = isObject(found) ? found[key] : undefined;
    return rule(masking, found, typeof name === 'string' ? { ...at, field: plainKey(name) } : at);
  };
