/** What figures depend on of the place where they were measured, each as a text that is the same for the like. */
import type { NodeFacts, PlaceFacts } from '../experiment/run';
import { sayAllUnasked } from './unasked';
import { formatBytes } from '../units/format';

/** `unfair`: no word can be said about figures between which it differs. */
export type PlaceWeight = 'unfair' | 'aside';

export const PLACE_TRAITS: readonly {
  what: string;
  weight: PlaceWeight;
  /** Undefined where an older Dyno did not look. */
  read: (place: PlaceFacts) => string | undefined;
}[] = [
  { what: 'Elasticsearch', weight: 'unfair', read: ({ cluster }) => cluster.version },
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

/** What of a node its power depends on; its name does not. */
export const nodeKind = ({ jvm, heapBytes, cores, memoryBytes, disk, os, roles }: NodeFacts): string =>
  `JVM ${jvm}, heap ${formatBytes(heapBytes)}, ${cores} cores, ${formatBytes(memoryBytes)}, ${disk}, ${os}, ${[...roles].sort().join(' ')}`;
