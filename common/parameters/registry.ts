/**
 * The sources of parameters: definition, load and reference know of them through this list. A new one is a file beside this
 * one and a line in {@link PARAMETER_KINDS}; see CONTRIBUTING.md.
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

/** What `{{name}}` stands for in the requests of a task. */
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
    text: 'What a name in double braces stands for, drawn again each time: from values, weighted, range, uniform, normal, zipf, counter, date, file, terms or vector.',
  },
};

/** Only for searches of one's own: the lists that come with Dyno have none. */
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

/** Every file that something is drawn from, and where it is written: what a server lets read is asked of these. */
export const filesIn = (parameters: Parameters, path: string): { path: string; file: string }[] => [
  ...columnsIn(parameters, path).map(({ at, file: { path: own } }) => ({ path: at, file: own })),
  ...queriesOf(parameters).flatMap(([name, { file: own }]) =>
    own === undefined ? [] : [{ path: `${path}.${name}.vector.file`, file: own }],
  ),
];

/** A parameter whose value stands in an answer. */
export interface AnswerParameter {
  name: string;
  /** To this request, at these keys. */
  request: string;
  path: readonly string[];
}

/** The parameters whose values stand in answers. */
export const answersIn = (parameters: Parameters): AnswerParameter[] =>
  Object.entries(parameters).flatMap(([name, written]) => {
    const { kind, given } = sourceOf(written);
    return kind.source === undefined ? [] : [{ name, ...kind.source(given) }];
  });

const lookUpOf = (written: Parameter): LookUp | undefined => {
  const { kind, given } = sourceOf(written);
  return kind.lookUp?.(given);
};

/** What has to be looked up in the target. */
export const lookUpsIn = (parameters: Parameters): LookUp[] =>
  Object.values(parameters).flatMap((written) => lookUpOf(written) ?? []);

/** With what was found in place of where it is. */
export const withFound = (parameters: Parameters, foundOf: (asked: LookUp) => Found): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, written]) => {
      const asked = lookUpOf(written);
      if (asked === undefined) return [name, written];
      const { kind, given } = sourceOf(written);
      return [name, kind.found!(given, foundOf(asked)) as Parameter];
    }),
  );

/** With the files as this machine finds them. */
export const withFiles = (parameters: Parameters, resolveFile: (file: string) => string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { file: own, vector: queries, ...other }]) => {
      if (queries?.file !== undefined)
        return [name, { vector: { ...queries, file: resolveFile(queries.file) } }];
      if (queries !== undefined) return [name, { vector: queries }];
      return [name, own === undefined ? other : { file: { ...own, path: resolveFile(own.path) } }];
    }),
  );

/** The sets of queries among them, by name. */
export const queriesOf = (parameters: Parameters): [string, VectorParameter][] =>
  Object.entries(parameters).flatMap(([name, { vector: own }]): [string, VectorParameter][] =>
    own === undefined ? [] : [[name, own]],
  );

/** With what queries leave out as the documents have it. */
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
