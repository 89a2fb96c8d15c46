/**
 * The list of all generators of documents. The schema of definitions, the editor in the browser, the plan of a run and the load generator
 * use this list. To add a generator, see CONTRIBUTING.md.
 */
import { apacheAccessLines } from './apache-access-lines';
import { apacheLogs } from './apache-logs';
import type { GeneratorDescription, Mapping } from './generator';
import { httpEvents } from './http-events';
import { storefront } from './storefront';
import { systembase, systembaseBig } from './systembase';

/** All generators, in the order in which lists and menus show them. */
export const GENERATORS = [
  systembase,
  systembaseBig,
  apacheLogs,
  apacheAccessLines,
  httpEvents,
  storefront,
] as const;

type Listed = (typeof GENERATORS)[number];
const ALL: readonly GeneratorDescription[] = GENERATORS;

export type GeneratorName = Listed['name'];
export const GENERATOR_NAMES: readonly GeneratorName[] = GENERATORS.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, GeneratorDescription> = new Map(ALL.map((one) => [one.name, one]));

/** Returns the generator with this name. Throws if it is not in {@link GENERATORS}. */
export function generatorNamed(name: string): GeneratorDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`no generator is called ${name}`);
  return found;
}

/** Names of the generators of raw lines, which a task can parse into documents. */
export const LINE_GENERATORS: readonly string[] = ALL.filter(({ line }) => line).map(({ name }) => name);

/**
 * Names of the generators that can also generate a log of searches, in the format `query-log`. A task can replay this log. The log is
 * generated during the replay and never ends.
 */
export type LogGeneratorName = Extract<Listed, { log: object }>['name'];
export const LOG_GENERATORS = ALL.filter(({ log }) => log).map(({ name }) => name as LogGeneratorName);

/** Returns the log of one of {@link LOG_GENERATORS}. */
export const logOf = (name: LogGeneratorName): NonNullable<GeneratorDescription['log']> =>
  generatorNamed(name).log!;

type OtherMappings<One> = One extends { otherMappings: infer Others } ? keyof Others & string : never;
export type MappingName = GeneratorName | OtherMappings<Listed>;

/**
 * The mappings that a definition can refer to by name. Each generator's mapping has the name of the generator. Some generators have further
 * mappings with separate names.
 */
export const MAPPINGS_BY_NAME = Object.fromEntries([
  ...ALL.map(({ name, mapping }): [string, Mapping] => [name, mapping]),
  ...ALL.flatMap(({ otherMappings = {} }) => Object.entries(otherMappings)),
]) as Record<MappingName, Mapping>;

export const MAPPINGS = Object.keys(MAPPINGS_BY_NAME) as MappingName[];
