/**
 * The definition of the trials of one cell (a combination of factor levels). The levels are applied, and all defaults are filled in. This
 * definition has a separate TypeScript type, so that nobody uses the definition of the whole experiment instead by mistake.
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
  /** Index settings from the definition, and the routing path of time series. For all other settings, Elasticsearch uses its defaults. */
  settings: FlatSettings;
  /** Number of primary shards of each index: from the settings, or Elasticsearch's default. */
  shards: number;
  /** Number of replicas of each index: from the settings, or Elasticsearch's default. */
  replicas: number;
  /** Time between two refreshes, in ms; null if the index is never refreshed automatically. */
  refreshMs: number | null;
  /**
   * The body of `mappings`. It is the mapping in the definition, which may be the name of a mapping that Dyno provides. If the definition
   * contains no mapping, it is that of the first generator of documents in the definition.
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

/**
 * Returns the definition of a cell's trials. `definition`: the definition of the experiment, with the levels of the cell and all defaults
 * of the schema.
 */
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

/** Returns the mapping of the indices, before dimensions of time series are added. */
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
 * Returns the duration of the warm-up. It is 0 with cold caches, because a warm-up would fill them. Otherwise, it is the duration in the
 * definition. The default is 30 s, or 0 if the load is a number of documents: all of them are then measured.
 */
function warmupOf({ caches, warmup, documents }: Definition['measure']): string {
  if (caches === 'cold') return '0s';
  return warmup ?? (documents === undefined ? '30s' : '0s');
}
