/**
 * The generators: definition, mappings, form, plan and load know of them through this list. A new one is a file beside this
 * one and a line in {@link GENERATORS}; see CONTRIBUTING.md.
 */
import { apacheAccessLines } from './apache-access-lines';
import { apacheLogs } from './apache-logs';
import type { GeneratorDescription, Mapping } from './generator';
import { httpEvents } from './http-events';
import { storefront } from './storefront';
import { systembase, systembaseBig } from './systembase';

/** In the order in which they are offered and listed. */
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

/** One of {@link GENERATORS}; throws where there is none. */
export function generatorNamed(name: string): GeneratorDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`there is no generator ${name}`);
  return found;
}

/** Generators that make raw lines: what they give can be parsed. */
export const LINE_GENERATORS: readonly string[] = ALL.filter(({ line }) => line).map(({ name }) => name);

/** Generators that make logs while they are read: endless, seeded, lines of `query-log`. */
export type LogGeneratorName = Extract<Listed, { log: object }>['name'];
export const LOG_GENERATORS = ALL.filter(({ log }) => log).map(({ name }) => name as LogGeneratorName);

/** The log of one of {@link LOG_GENERATORS}. */
export const logOf = (name: LogGeneratorName): NonNullable<GeneratorDescription['log']> =>
  generatorNamed(name).log!;

type OtherMappings<One> = One extends { otherMappings: infer Others } ? keyof Others & string : never;
export type MappingName = GeneratorName | OtherMappings<Listed>;

/** Mappings that come with Dyno: that of each generator by its name, then variants of them. */
export const MAPPINGS_BY_NAME = Object.fromEntries([
  ...ALL.map(({ name, mapping }): [string, Mapping] => [name, mapping]),
  ...ALL.flatMap(({ otherMappings = {} }) => Object.entries(otherMappings)),
]) as Record<MappingName, Mapping>;

export const MAPPINGS = Object.keys(MAPPINGS_BY_NAME) as MappingName[];
