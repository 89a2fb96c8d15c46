/** Converts the issues that the schema reports to problems: with the path, the value that was found, and the allowed values. */
import type * as z from 'zod';
import { exactText } from '../json/exact';
import { nearest } from '../near';
import { boundedProblems, MOST_PROBLEMS, showValue, type Problem } from '../problem';
import { formatPath } from './path';

type Issue = z.core.$ZodIssue;
type UnknownKeys = Issue & { code: 'unrecognized_keys' };

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Returns the keys that the object at `path` may have, with their schemas. If the schema allows several variants of the object, the result
 * has one element for each variant. Empty if the object may have any keys.
 */
function shapesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Shape[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return shapesAt(def.innerType, path);
    case 'lazy':
      return shapesAt(def.getter(), path);
    case 'pipe':
      return shapesAt(def.in, path);
    case 'union':
      return def.options.flatMap((option) => shapesAt(option, path));
    case 'object': {
      const [segment, ...rest] = path;
      if (segment === undefined) return [def.shape];
      const inner = def.shape[String(segment)];
      return inner === undefined ? [] : shapesAt(inner, rest);
    }
    case 'array':
      return path.length === 0 ? [] : shapesAt(def.element, path.slice(1));
    case 'record':
      return path.length === 0 ? [] : shapesAt(def.valueType, path.slice(1));
    default:
      return [];
  }
}

/** Returns the allowed keys of the object at `path`. Returns undefined if all keys are allowed. */
export function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  const shapes = shapesAt(schema, path);
  return shapes.length === 0 ? undefined : [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
}

/**
 * Returns the allowed key that the user probably meant when writing the unknown `key`. Undefined if no allowed key is similar, or if the
 * object already contains the similar key.
 */
export function keyMeant(schema: z.core.$ZodType, issue: UnknownKeys, key: string): string | undefined {
  const meant = nearest(key, keysAt(schema, issue.path) ?? []);
  const written = (issue.input ?? {}) as object;
  return meant === undefined || Object.hasOwn(written, meant) ? undefined : meant;
}

/**
 * Removes issues that are probably consequences of a misspelt key. An example is an issue about a missing key in the same object: the
 * misspelt key is probably the missing one.
 */
export function withoutConsequences(issues: readonly Issue[], schema: z.core.$ZodType): readonly Issue[] {
  const misspelt = new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' &&
      issue.keys.slice(0, MOST_PROBLEMS).some((key) => keyMeant(schema, issue, key) !== undefined)
        ? [formatPath(issue.path)]
        : [],
    ),
  );
  return issues.filter((issue) => {
    const parent = issue.path.slice(0, -1);
    const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
    if (isMissing && issue.path.length > 0 && misspelt.has(formatPath(parent))) return false;
    return issue.code !== 'custom' || !misspelt.has(formatPath(issue.path));
  });
}

/**
 * Returns the allowed text that the user probably meant when writing a text that is not allowed. Returns an empty object if no allowed text
 * is similar.
 */
const valueMeant = (
  { values }: Issue & { code: 'invalid_value' },
  input: unknown,
): Pick<Problem, 'meant'> => {
  const texts = values.filter((value) => typeof value === 'string');
  const text = typeof input === 'string' ? nearest(exactText(input), texts) : undefined;
  return text === undefined ? {} : { meant: { text } };
};

/** Returns the same as {@link valueMeant}, for a value with several allowed texts or types. */
const meantInUnion = (issue: Issue & { code: 'invalid_union' }): Pick<Problem, 'meant'> =>
  issue.errors
    .flat()
    .filter((own) => own.code === 'invalid_value' && own.path.length === 0)
    .map((own) => valueMeant(own as Issue & { code: 'invalid_value' }, issue.input))
    .find(({ meant }) => meant !== undefined) ?? {};

const bound = (issue: {
  minimum?: unknown;
  maximum?: unknown;
  inclusive?: boolean;
  origin: string;
}): string => {
  const lower = issue.minimum !== undefined;
  const limit = String(lower ? issue.minimum : issue.maximum);
  if (issue.origin === 'string') return `${lower ? 'at least' : 'at most'} ${limit} characters`;
  if (issue.origin === 'array') return `${lower ? 'at least' : 'at most'} ${limit} in the list`;
  if (issue.inclusive === false) return `${lower ? 'more' : 'less'} than ${limit}`;
  return `${lower ? 'at least' : 'at most'} ${limit}`;
};

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  record: 'an object',
  object: 'an object',
  array: 'a list',
};

/** Zod's message for a field that has no message in the schema. */
const NO_SENTENCE = 'Invalid input';

/**
 * Returns the problems of a value for which the schema allows several types. If the value has one of these types, returns the problems for
 * this type. Otherwise, returns one problem that lists what is allowed.
 */
function problemsOfUnion(issue: Issue & { code: 'invalid_union' }, schema: z.core.$ZodType): Problem[] {
  const forms = issue.errors.map((own) => {
    const isMeant = own.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');
    return {
      isMeant,
      problems: own.flatMap((one) => problemsOf({ ...one, path: [...issue.path, ...one.path] }, schema)),
    };
  });
  const meant = forms.find(({ isMeant }) => isMeant);
  if (meant !== undefined) return meant.problems;
  const allowed = forms.flatMap(({ problems }) =>
    problems.map((problem) => problem.allowed ?? problem.message),
  );
  return [
    {
      code: 'definition.wrong-value',
      path: formatPath(issue.path) || 'the definition',
      message: issue.input === undefined ? 'is missing' : 'not an allowed value',
      found: showValue(issue.input),
      // Some fields have a key that distinguishes the variants. For these, Zod does not report the problems of each variant.
      allowed: [...new Set(allowed)].join(', or ') || undefined,
      ...meantInUnion(issue),
    },
  ];
}

/** Converts one issue of the schema to problems. An issue about unknown keys becomes several problems, at most {@link MOST_PROBLEMS}. */
function problemsOf(issue: Issue, schema: z.core.$ZodType): Problem[] {
  const path = formatPath(issue.path) || 'the definition';
  const found = showValue(issue.input);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = keysAt(schema, issue.path)?.join(', ');
      return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
        const meant = keyMeant(schema, issue, key);
        return {
          code: 'definition.unknown-key',
          path: formatPath([...issue.path, key]),
          message: 'unknown key',
          found: showValue((issue.input as Record<string, unknown> | undefined)?.[key]),
          allowed,
          ...(meant === undefined ? {} : { meant: { key: meant } }),
        };
      });
    }
    case 'invalid_type':
      return [
        issue.input === undefined
          ? { code: 'definition.missing', path, message: 'is missing', allowed: typeWords(issue) }
          : { code: 'definition.wrong-type', path, message: 'wrong type', found, allowed: typeWords(issue) },
      ];
    case 'invalid_value':
      return [
        {
          code: 'definition.wrong-value',
          path,
          message: issue.input === undefined ? 'is missing' : 'not an allowed value',
          found,
          allowed: issue.values.map(String).join(', '),
          ...valueMeant(issue, issue.input),
        },
      ];
    case 'too_small':
    case 'too_big':
      return [
        {
          code: 'definition.out-of-range',
          path,
          message: 'out of range',
          found,
          // If the schema contains a message for this field, this message is used.
          allowed: issue.message.startsWith('Too ') ? bound(issue as never) : issue.message,
        },
      ];
    default: {
      if (issue.code === 'invalid_union' && issue.message === NO_SENTENCE)
        return problemsOfUnion(issue, schema);
      const params = 'params' in issue ? (issue.params as { allowed?: string } | undefined) : undefined;
      return params?.allowed === undefined
        ? [
            {
              code: 'definition.wrong-value',
              path,
              message: 'not an allowed value',
              found,
              allowed: issue.message,
              ...(issue.code === 'invalid_union' ? meantInUnion(issue) : {}),
            },
          ]
        : [{ code: 'definition.wrong-value', path, message: issue.message, found, allowed: params.allowed }];
    }
  }
}

/** Returns the message that the schema contains for the field. Without a message, returns the name of the expected type. */
const typeWords = (issue: Issue & { code: 'invalid_type' }): string =>
  issue.message.startsWith(NO_SENTENCE) ? (TYPE_WORDS[issue.expected] ?? issue.expected) : issue.message;

export const countOf = (issue: Issue): number => (issue.code === 'unrecognized_keys' ? issue.keys.length : 1);

/**
 * Converts issues of the schema to problems, sorted by path. There is only one problem for each path and code. If there are too many
 * problems, the last one states how many are not shown.
 */
export function problemsFrom(issues: readonly Issue[], schema: z.core.$ZodType): readonly Problem[] {
  const problems = new Map<string, Problem>();
  let more = 0;
  for (const issue of issues) {
    if (problems.size >= MOST_PROBLEMS) {
      more += countOf(issue);
      continue;
    }
    const own = problemsOf(issue, schema);
    more += countOf(issue) > own.length ? countOf(issue) - own.length : 0;
    for (const problem of own) {
      const key = `${problem.path} ${problem.code} ${problem.allowed}`;
      if (!problems.has(key)) problems.set(key, problem);
    }
  }
  return boundedProblems([...problems.values()], more);
}
