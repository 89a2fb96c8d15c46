/** Turns what the schema finds into problems that name the path, what was found and what is allowed. */
import type * as z from 'zod';
import { boundedProblems, MOST_PROBLEMS, showValue, type Problem } from '../problem';
import { formatPath } from './path';

type Issue = z.core.$ZodIssue;

/** The keys that may stand at `path`, by walking the schema; undefined where any may. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  let current = schema as z.core.$ZodTypes;
  const unwrap = (): void => {
    while (['optional', 'default', 'prefault', 'nullable'].includes(current._zod.def.type)) {
      current = (current._zod.def as unknown as { innerType: z.core.$ZodTypes }).innerType;
    }
    if (current._zod.def.type !== 'union') return;
    const { options } = current._zod.def as unknown as { options: z.core.$ZodTypes[] };
    const objects = options.filter((option) => option._zod.def.type === 'object');
    if (objects.length === 1) current = objects[0]!;
  };
  unwrap();
  for (const segment of path) {
    if (current._zod.def.type === 'object') {
      const next = (current._zod.def as unknown as { shape: Record<string, z.core.$ZodTypes> }).shape[
        String(segment)
      ];
      if (!next) return undefined;
      current = next;
    } else if (current._zod.def.type === 'array') {
      current = (current._zod.def as unknown as { element: z.core.$ZodTypes }).element;
    } else return undefined;
    unwrap();
  }
  return current._zod.def.type === 'object'
    ? Object.keys((current._zod.def as unknown as { shape: Record<string, unknown> }).shape)
    : undefined;
}

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

/** What Zod says where a field has no sentence of its own. */
const NO_SENTENCE = 'Invalid input';

/** Of the form that was meant, the one whose kind of value fits; where none does, one problem that allows what each of them does. */
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
      // A union that is told apart by a key lists no forms.
      allowed: [...new Set(allowed)].join(', or ') || undefined,
    },
  ];
}

/** The problems of one issue, as many as are told at all: an issue of unknown keys names several. */
function problemsOf(issue: Issue, schema: z.core.$ZodType): Problem[] {
  const path = formatPath(issue.path) || 'the definition';
  const found = showValue(issue.input);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = keysAt(schema, issue.path)?.join(', ');
      return issue.keys.slice(0, MOST_PROBLEMS).map((key) => ({
        code: 'definition.unknown-key',
        path: formatPath([...issue.path, key]),
        message: 'unknown key',
        found: showValue((issue.input as Record<string, unknown> | undefined)?.[key]),
        allowed,
      }));
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
          // Our own sentence of the field where it has one.
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
            },
          ]
        : [{ code: 'definition.wrong-value', path, message: issue.message, found, allowed: params.allowed }];
    }
  }
}

/** Our own sentence of the field where it has one, else the type's name. */
const typeWords = (issue: Issue & { code: 'invalid_type' }): string =>
  issue.message.startsWith(NO_SENTENCE) ? (TYPE_WORDS[issue.expected] ?? issue.expected) : issue.message;

const countOf = (issue: Issue): number => (issue.code === 'unrecognized_keys' ? issue.keys.length : 1);

/**
 * Issues as problems, in the order of their paths, one problem a path and code: as many as one error tells, and how many more
 * there are.
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
