/**
 * Properties (*traits*) of the cluster, the machines and the software of a run that affect measurements. Each trait has a text as its
 * value. Runs with equal texts can be compared.
 */
import { ENGINE_NAMES, ENGINES, engineOf } from '../elasticsearch/engine';
import type { NodeFacts, PlaceFacts } from '../experiment/run';
import { sayAllUnasked } from './unasked';
import { formatBytes } from '../units/format';

/** Effect of a difference between two runs. `unfair`: the runs cannot be compared. `aside`: the difference is only mentioned. */
export type PlaceWeight = 'unfair' | 'aside';

export const PLACE_TRAITS: readonly {
  what: string;
  weight: PlaceWeight;
  /** Returns the value as text. Undefined if an older version did not record the trait, or if the cluster does not have it. */
  read: (place: PlaceFacts) => string | undefined;
}[] = [
  // Each engine needs its own trait for the version, because histories and baselines store the names of traits.
  ...ENGINES.map((engine) => ({
    what: ENGINE_NAMES[engine],
    weight: 'unfair' as const,
    read: ({ cluster }: PlaceFacts) => (engineOf(cluster) === engine ? cluster.version : undefined),
  })),
  { what: 'engine', weight: 'unfair', read: ({ cluster }) => ENGINE_NAMES[engineOf(cluster)] },
  { what: 'nodes', weight: 'unfair', read: ({ nodes }) => nodes.map(nodeKind).sort().join('; ') },
  {
    what: 'load generator',
    weight: 'unfair',
    read: ({ generator: { host, cores, memoryBytes, workers } }) =>
      `${host}, ${cores} cores, ${formatBytes(memoryBytes)}, ${workers} workers`,
  },
  {
    what: 'generator and cluster on one machine',
    weight: 'unfair',
    read: ({ sharedMachine }) => (sharedMachine ? 'yes' : 'no'),
  },
  {
    what: 'results in the cluster under test',
    weight: 'unfair',
    read: ({ resultsInTarget }) => (resultsInTarget ? 'yes' : 'no'),
  },
  {
    what: 'additions to the index by the target',
    weight: 'unfair',
    read: ({ unasked }) => unasked && (sayAllUnasked(unasked) || 'none'),
  },
  { what: 'cluster', weight: 'aside', read: ({ cluster }) => `${cluster.name} (${cluster.uuid})` },
  { what: 'Dyno', weight: 'aside', read: ({ dyno }) => dyno },
  { what: 'Node.js of the generator', weight: 'aside', read: ({ generator }) => generator.node },
];

/**
 * Returns one text with the properties on which a node's performance depends, such as JVM, heap, cores and disk. The name of the node is
 * not part of the text.
 */
export const nodeKind = ({ jvm, heapBytes, cores, memoryBytes, disk, os, roles }: NodeFacts): string =>
  `JVM ${jvm}, heap ${formatBytes(heapBytes)}, ${cores} cores, ${formatBytes(memoryBytes)}, ${disk}, ${os}, ${[...roles].sort().join(' ')}`;
