/**
 * The definition of one cell's trials: levels applied, and every default filled in. It has its own type. The definition of the whole
 * experiment is not valid for any single cell, so it must not be used by mistake.
 */
import {
  flattenSettings,
  refreshMsOf,
  replicasOf,
  shardsOf,
  type FlatSettings,
} from '../elasticsearch/settings';
import type { Definition } from './definition';
import { MAPPINGS_BY_NAME } from '../generators/registry';
import { withDimensions } from './data-stream';
import { vectorsMapping } from '../generators/vectors';
import { generatorOf } from '../tasks/source';
import { documentSources } from './preload';

type Index = Definition['index'];

export interface CellIndex extends Omit<Index, 'allocation' | 'settings' | 'mapping'> {
  allocation: NonNullable<Index['allocation']>;
  /** Index settings as the definition contains them. Elasticsearch uses its defaults for all others. */
  settings: FlatSettings;
  /** Numbers of shards and replicas of each index that are in effect: from the settings, or Elasticsearch's defaults. */
  shards: number;
  replicas: number;
  /** Time between two refreshes, in ms; null without refreshes. */
  refreshMs: number | null;
  /**
   * The body of `mappings`: the mapping in the definition, a built-in mapping that the definition names, or the mapping of the definition's
   * first generator.
   */
  mapping: Readonly<Record<string, unknown>>;
}

export interface CellDefinition extends Omit<
  Definition,
  'factors' | 'baseline' | 'index' | 'cluster' | 'measure'
> {
  index: CellIndex;
  cluster: { settings: FlatSettings };
  measure: Definition['measure'] & { warmup: string };
}

/** `definition` has the levels of a cell applied and the defaults of the schema. */
export function cellDefinition(definition: Definition): CellDefinition {
  const { index, cluster, measure } = definition;
  const { dimensions } = index;
  const written = flattenSettings(index.settings);
  const settings =
    dimensions === undefined || 'routing_path' in written
      ? written
      : { ...written, routing_path: [...dimensions] };
  const mapping = mappingOf(definition);
  return {
    ...definition,
    index: {
      ...index,
      allocation: index.allocation ?? 'none',
      settings,
      shards: shardsOf(settings),
      replicas: replicasOf(settings),
      refreshMs: refreshMsOf(settings),
      mapping: dimensions === undefined ? mapping : withDimensions(mapping, dimensions),
    },
    cluster: { settings: flattenSettings(cluster.settings) },
    measure: { ...measure, warmup: warmupOf(measure) },
  };
}

/** Returns the mapping that is sent, without the dimensions of time series. */
export function mappingOf(definition: Definition): CellIndex['mapping'] {
  const { mapping } = definition.index;
  if (typeof mapping === 'object') return mapping;
  if (mapping !== undefined) return MAPPINGS_BY_NAME[mapping];
  const made = documentSources(definition).find((source) => generatorOf(source) ?? source.vectors);
  if (made?.vectors !== undefined) return vectorsMapping(made.vectors);
  const generator = made && generatorOf(made);
  return generator === undefined ? {} : MAPPINGS_BY_NAME[generator];
}

/**
 * Returns the duration of the warm-up. It is 0 with cold caches, because a warm-up would fill them. By default, it is also 0 for a load
 * with a number of documents, which is measured from the first document on.
 */
function warmupOf({ caches, warmup, documents }: Definition['measure']): string {
  if (caches === 'cold') return '0s';
  return warmup ?? (documents === undefined ? '30s' : '0s');
}
