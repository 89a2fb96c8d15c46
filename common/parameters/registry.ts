/**
 * The list of all sources of parameters (`{{name}}` in requests). The schema of definitions, the load generator and the reference use this
 * list. For a new source, add a file to this folder and an entry to {@link PARAMETER_KINDS}; see CONTRIBUTING.md.
 */
import * as z from 'zod';
import type { StructureField } from '../fields/form';
import { exactlyOne, keysAtMost } from '../fields/schema';
import type { VectorsDefinition } from '../generators/vectors';
import type { Problem } from '../problem';
import { createRandom, deriveSeed } from '../random';
import { isParameterName, PARAMETER_NAME, type Drawn } from '../requests/template';
import { answer } from './answer';
import { date } from './date';
import { file } from './file';
import type { FileColumn, Found, LookUp, ParameterKindDescription, Stream } from './kind';
import { counter, normal, range, uniform, zipf } from './numbers';
import { terms } from './terms';
import { values, weighted } from './values';
import { likeDocuments, vector, type VectorParameter } from './vector';

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
  answer,
  vector,
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

/** Schema of the key `parameters` of a task: for each `{{name}}` in its requests, the source of the values. */
export const parametersSchema = keysAtMost(source, MOST_PARAMETERS);

export const PARAMETERS_FIELD: StructureField = {
  kind: 'structure',
  key: 'parameters',
  lines: 2,
  optional: true,
  placeholder: 'tag: { values: [java, python] }',
  label: { id: 'dyno.editor.parameters.label', text: 'Parameters' },
  help: {
    id: 'dyno.editor.parameters.help',
    text: 'Sources of the names in double braces. A value is drawn again each time, from values, weighted, range, uniform, normal, zipf, counter, date, file, terms or vector.',
  },
};

/** The editor's form field for parameters, shown only for tasks with custom searches. The built-in lists of searches have no parameters. */
export const OWN_PARAMETERS: StructureField = {
  ...PARAMETERS_FIELD,
  shown: ({ requests }) => requests !== undefined,
};

export type Parameters = z.output<typeof parametersSchema>;
type Parameter = Parameters[string];

const sourceOf = (given: Parameter): { kind: ParameterKindDescription; given: unknown } => {
  const kind = ALL.find(({ name }) => given[name as ParameterKind] !== undefined)!;
  return { kind, given: given[kind.name as ParameterKind] };
};

/** Returns problems that the schema cannot find. `path`: path of the key `parameters` in the definition. */
export const parameterProblems = (parameters: Parameters, path: string): Problem[] =>
  Object.entries(parameters).flatMap(([name, written]): Problem[] => {
    if (!isParameterName(name)) {
      const message = 'cannot be the name of a parameter';
      const allowed = `${PARAMETER_NAME}, but not index, which is the indices of the trial`;
      return [{ code: 'definition.parameter-name', path: `${path}.${name}`, message, found: name, allowed }];
    }
    const { kind, given } = sourceOf(written);
    const wrong = kind.problem?.(given);
    if (wrong === undefined) return [];
    const { key, message, allowed } = wrong;
    return [{ code: 'definition.parameter', path: `${path}.${name}.${kind.name}.${key}`, message, allowed }];
  });

/**
 * Returns the files from which parameters take their values. `at`: path of the file's key in the definition, for errors. `path`: path of
 * the key `parameters` in the definition.
 */
export const columnsIn = (parameters: Parameters, path: string): { at: string; file: FileColumn }[] =>
  Object.entries(parameters).flatMap(([name, written]) => {
    const { kind, given } = sourceOf(written);
    const found = kind.column?.(given);
    return found === undefined ? [] : [{ at: `${path}.${name}.${kind.name}.${found.key}`, file: found }];
  });

/**
 * Returns all files with values or query vectors. A server uses the list to check whether it may read them. Parameter `path`: path of the
 * key `parameters` in the definition. `path` in the result: path of the key that contains the file's name, for errors.
 */
export const filesIn = (parameters: Parameters, path: string): { path: string; file: string }[] => [
  ...columnsIn(parameters, path).map(({ at, file: { path: own } }) => ({ path: at, file: own })),
  ...queriesOf(parameters).flatMap(([name, { file: own }]) =>
    own === undefined ? [] : [{ path: `${path}.${name}.vector.file`, file: own }],
  ),
];

/** A parameter whose value comes from the response to an earlier request. */
export interface AnswerParameter {
  name: string;
  /** Name of the request whose response contains the value. */
  request: string;
  /** Path of the value in this response. */
  path: readonly string[];
}

/** Returns the parameters whose values come from responses. */
export const answersIn = (parameters: Parameters): AnswerParameter[] =>
  Object.entries(parameters).flatMap(([name, written]) => {
    const { kind, given } = sourceOf(written);
    return kind.source === undefined ? [] : [{ name, ...kind.source(given) }];
  });

const lookUpOf = (written: Parameter): LookUp | undefined => {
  const { kind, given } = sourceOf(written);
  return kind.lookUp?.(given);
};

/** Returns the questions about the target's documents whose results the parameters need before the load. */
export const lookUpsIn = (parameters: Parameters): LookUp[] =>
  Object.values(parameters).flatMap((written) => lookUpOf(written) ?? []);

/**
 * Replaces sources that need data about the target's documents by sources with the found values. `foundOf`: returns the result of a
 * question.
 */
export const withFound = (parameters: Parameters, foundOf: (asked: LookUp) => Found): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, written]) => {
      const asked = lookUpOf(written);
      if (asked === undefined) return [name, written];
      const { kind, given } = sourceOf(written);
      return [name, kind.found!(given, foundOf(asked)) as Parameter];
    }),
  );

/**
 * Replaces the paths of all files. In the definition, these paths are relative to the definition; in the result, they are paths on this
 * machine. `resolveFile`: converts a path.
 */
export const withFiles = (parameters: Parameters, resolveFile: (file: string) => string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { file: own, vector: queries, ...other }]) => {
      if (queries?.file !== undefined)
        return [name, { vector: { ...queries, file: resolveFile(queries.file) } }];
      if (queries !== undefined) return [name, { vector: queries }];
      return [name, own === undefined ? other : { file: { ...own, path: resolveFile(own.path) } }];
    }),
  );

/** Returns the parameters whose values are query vectors, with their names. */
export const queriesOf = (parameters: Parameters): [string, VectorParameter][] =>
  Object.entries(parameters).flatMap(([name, { vector: own }]): [string, VectorParameter][] =>
    own === undefined ? [] : [[name, own]],
  );

/**
 * Adds missing settings of query vectors, such as the number of dimensions. They are taken from `documents`, the description of the
 * documents' vectors.
 */
export const withQueriesLike = (
  parameters: Parameters,
  documents: VectorsDefinition | undefined,
): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, own]) => [
      name,
      own.vector === undefined ? own : { vector: likeDocuments(own.vector, documents) },
    ]),
  );

/**
 * Returns the functions that draw the values of each parameter. Each parameter has a separate random stream. If a parameter is added, the
 * values of the others therefore stay the same.
 */
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
