/**
 * The generators. Definition, mappings, form, plan and load use this list. For a new generator, add a file to this folder and an entry to
 * {@link GENERATORS}; see CONTRIBUTING.md.
 */
import { apacheAccessLines } from './apache-access-lines';
import { apacheLogs } from './apache-logs';
import type { GeneratorDescription, Mapping } from './generator';
import { httpEvents } from './http-events';
import { storefront } from './storefront';
import { systembase, systembaseBig } from './systembase';

/** In the order of lists and menus. */
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

/** Returns one of {@link GENERATORS}; throws for an unknown name. */
export function generatorNamed(name: string): GeneratorDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`no generator is called ${name}`);
  return found;
}

/** Generators of raw lines, which can be parsed. */
export const LINE_GENERATORS: readonly string[] = ALL.filter(({ line }) => line).map(({ name }) => name);

/** Generators of logs, which are generated while they are read: endless, with a seed, in the format `query-log`. */
export type LogGeneratorName = Extract<Listed, { log: object }>['name'];
export const LOG_GENERATORS = ALL.filter(({ log }) => log).map(({ name }) => name as LogGeneratorName);

/** Returns the log of one of {@link LOG_GENERATORS}. */
export const logOf = (name: LogGeneratorName): NonNullable<GeneratorDescription['log']> =>
  generatorNamed(name).log!;

type OtherMappings<One> = One extends { otherMappings: infer Others } ? keyof Others & string : never;
export type MappingName = GeneratorName | OtherMappings<Listed>;

/** Mappings that come with Dyno: that of each generator under its name, then variants. */
export const MAPPINGS_BY_NAME = Object.fromEntries([
  ...ALL.map(({ name, mapping }): [string, Mapping] => [name, mapping]),
  ...ALL.flatMap(({ otherMappings = {} }) => Object.entries(otherMappings)),
]) as Record<MappingName, Mapping>;

export const MAPPINGS = Object.keys(MAPPINGS_BY_NAME) as MappingName[];
