/**
 * The sources of parameters: definition, load and reference know of them through this list. A new one is a file beside this
 * one and a line in {@link PARAMETER_KINDS}; see CONTRIBUTING.md.
 */
import { z } from 'zod';
import { exactlyOne, keysAtMost } from '../fields/schema';
import type { Problem } from '../problem';
import { createRandom, deriveSeed } from '../random';
import { isParameterName, PARAMETER_NAME, type Drawn } from '../requests/template';
import { date } from './date';
import { file } from './file';
import type { FileColumn, ParameterKindDescription, Stream } from './kind';
import { counter, normal, range, uniform, zipf } from './numbers';
import { terms, type FoundTerm } from './terms';
import { values, weighted } from './values';

export const PARAMETER_KINDS = [
  values,
  weighted,
  range,
  uniform,
  normal,
  zipf,
  counter,
  date,
  file,
  terms,
] as const;

type Listed = (typeof PARAMETER_KINDS)[number];
type ParameterKind = Listed['name'];
type Named<Name extends ParameterKind> = Extract<Listed, { name: Name }>;

const ALL = PARAMETER_KINDS as unknown as readonly ParameterKindDescription[];

const shape = Object.fromEntries(ALL.map(({ name, schema }) => [name, schema.optional()])) as unknown as {
  [Name in ParameterKind]: z.ZodOptional<Named<Name>['schema']>;
};

const source = z.strictObject(shape).superRefine(exactlyOne(...ALL.map(({ name }) => name)));

const MOST_PARAMETERS = 50;

/** What `{{name}}` stands for in the requests of a task. */
export const parametersSchema = keysAtMost(source, MOST_PARAMETERS);

export type Parameters = z.output<typeof parametersSchema>;
type Parameter = Parameters[string];

const sourceOf = (given: Parameter): { kind: ParameterKindDescription; given: unknown } => {
  const kind = ALL.find(({ name }) => given[name as ParameterKind] !== undefined)!;
  return { kind, given: given[kind.name as ParameterKind] };
};

/** What is wrong though the schema takes it. `path` is that of the parameters. */
export const parameterProblems = (parameters: Parameters, path: string): Problem[] =>
  Object.entries(parameters).flatMap(([name, written]): Problem[] => {
    if (!isParameterName(name)) {
      const message = 'is no name of a parameter';
      const allowed = `${PARAMETER_NAME}; index stands for the indices of the trial`;
      return [{ code: 'definition.parameter-name', path: `${path}.${name}`, message, found: name, allowed }];
    }
    const { kind, given } = sourceOf(written);
    const wrong = kind.problem?.(given);
    if (wrong === undefined) return [];
    const { key, message, allowed } = wrong;
    return [{ code: 'definition.parameter', path: `${path}.${name}.${kind.name}.${key}`, message, allowed }];
  });

/** The files that values come from, and where they are written; `path` is that of the parameters. */
export const columnsIn = (parameters: Parameters, path: string): { at: string; file: FileColumn }[] =>
  Object.entries(parameters).flatMap(([name, written]) => {
    const { kind, given } = sourceOf(written);
    const found = kind.column?.(given);
    return found === undefined ? [] : [{ at: `${path}.${name}.${kind.name}.${found.key}`, file: found }];
  });

/** The fields of the target whose terms are drawn. */
export const termsIn = (parameters: Parameters): { field: string; size: number }[] =>
  Object.values(parameters).flatMap(({ terms: own }) => own ?? []);

/** With the terms that were found in place of their fields. */
export const withTerms = (
  parameters: Parameters,
  termsOf: (field: string, size: number) => readonly FoundTerm[],
): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { terms: own, ...other }]) => {
      if (own === undefined) return [name, other];
      const found = termsOf(own.field, own.size);
      return [
        name,
        own.by === 'even'
          ? { values: found.map(({ value }) => value) }
          : { weighted: found.map(({ value, documents }) => ({ value, weight: documents })) },
      ];
    }),
  );

/** With the files as this machine finds them. */
export const withFiles = (parameters: Parameters, resolveFile: (file: string) => string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { file: own, ...other }]) => [
      name,
      own === undefined ? other : { file: { ...own, path: resolveFile(own.path) } },
    ]),
  );

/** Draws the values of each parameter from a stream of its own, so that another parameter changes none of them. */
export const parameterDrawers = (
  parameters: Parameters,
  { seed, ...rest }: Omit<Stream, 'random'> & { seed: number },
): ReadonlyMap<string, () => Drawn> =>
  new Map(
    Object.entries(parameters).map(([name, written]) => {
      const { kind, given } = sourceOf(written);
      const random = createRandom(deriveSeed(seed, 'parameter', name));
      return [name, kind.drawer(given, { random, ...rest })];
    }),
  );
