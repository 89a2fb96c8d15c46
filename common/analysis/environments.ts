/** Compares the environments that Dyno found during a run with the labels that the user gave them. */
import { environmentKey, environmentLabel } from '../experiment/environment';
import { ENGINE_NAMES, engineWithVersion } from '../elasticsearch/engine';
import type { PlaceFacts, Provenance, BlockFacts } from '../experiment/run';
import { nodeKind, PLACE_TRAITS } from './place-differences';
import { listed } from './wording';
import { plural } from '../units/format';
import { storedBlocks } from '../measurement/stored-names';

/** Returns for each environment its blocks in chronological order. A block is a part of the run between two changes of the environment. */
export function byEnvironment(provenance: Provenance | null): BlockFacts[][] {
  const groups = new Map<string, BlockFacts[]>();
  for (const block of storedBlocks(provenance)) {
    const key = environmentKey(block.environment);
    groups.set(key, [...(groups.get(key) ?? []), block]);
  }
  return [...groups.values()];
}

export const labelOf = ({ environment }: Pick<BlockFacts, 'environment'>): string =>
  environmentLabel(environment) || 'without labels';

/**
 * Returns a text with the cluster's id and version and the names, versions and disks of its nodes. Two environments with equal texts
 * probably have the same, unchanged cluster.
 */
const everything = ({ cluster, nodes }: PlaceFacts): string =>
  JSON.stringify([
    cluster.uuid,
    engineWithVersion(cluster),
    nodes.map((node) => [node.name, node.version, nodeKind(node), node.diskTotalBytes]).sort(),
  ]);

/** Returns the warnings about the environments of a run. Empty if the run has one environment in which nothing changed. */
export function environmentWarnings(provenance: Provenance | null): string[] {
  const groups = byEnvironment(provenance);
  return [...alike(groups), ...more(groups), ...changed(groups)];
}

/** Returns the warnings about clusters that Dyno started on its own machine. Empty if it started none. */
export function startedWarnings(provenance: Provenance | null): string[] {
  const started = storedBlocks(provenance).flatMap((block) => block.started ?? []);
  if (started.length === 0) return [];
  const several = started.some(({ nodes }) => nodes > 1)
    ? ' All nodes share the cores, memory and disk of one machine. More nodes are not more hardware here, so this run cannot show what they gain on separate machines.'
    : '';
  return [
    `Dyno started the cluster under test for each environment, on one machine with the load generator and the embedded Elasticsearch.${several}`,
  ];
}

/** Properties of a cluster that environments can request if Dyno starts the cluster. */
const ENGINE_TRAITS: readonly string[] = ['engine', ...Object.values(ENGINE_NAMES)];

/**
 * Returns whether the definition itself causes any difference of a trait of the cluster (`what`) between the environments. This is possible
 * only for the engine and its version, and only if Dyno started the clusters of all environments. `groups`: blocks of each environment.
 */
const isAskedFor = (what: string, groups: readonly BlockFacts[][]): boolean =>
  ENGINE_TRAITS.includes(what) &&
  groups.every((group) => {
    const { started, cluster } = group.at(-1)!;
    return started?.version === cluster.version;
  });

/** Returns one warning for each set of environments that have different labels but the same cluster and nodes. */
function alike(groups: readonly BlockFacts[][]): string[] {
  const found = new Map<string, BlockFacts[]>();
  for (const group of groups) {
    const last = group.at(-1)!;
    found.set(everything(last), [...(found.get(everything(last)) ?? []), last]);
  }
  return [...found.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const [{ cluster, nodes }] = same as [BlockFacts];
      const names = listed(
        nodes.map(({ name }) => name),
        3,
      );
      return (
        `Dyno found the same in ${enumerated(same.map(labelOf))}: cluster ${cluster.name}, ` +
        `${engineWithVersion(cluster)}, ${plural(nodes.length, 'node')} (${names}) with the same cores, memory and disk. That ` +
        'these environments differ is known from their labels only.'
      );
    });
}

/**
 * Returns a warning that lists the traits of the cluster, such as the version of Elasticsearch, that differ between the environments. These
 * traits may be the real reason for a difference in the results. Traits of nodes and requested differences are left out.
 */
function more(groups: readonly BlockFacts[][]): string[] {
  const found = PLACE_TRAITS.filter(
    ({ what, weight }) => weight === 'unfair' && what !== 'nodes' && !isAskedFor(what, groups),
  )
    .map(({ what, read }) => ({ what, values: groups.map((group) => read(group.at(-1)!)) }))
    .filter(({ values }) => !values.includes(undefined) && new Set(values).size > 1)
    .map(({ what, values }) => `${what} (${values.join(', then ')})`);
  return found.length === 0
    ? []
    : [
        `Together with the environment this also changed: ${found.join('; ')}. A difference between environments may come from that.`,
      ];
}

/** Returns a warning for each environment that was interrupted, and was then continued on other machines or with other settings. */
const changed = (groups: readonly BlockFacts[][]): string[] =>
  groups.flatMap((group) => {
    // Each cluster that Dyno starts is new, so it always has another identity.
    const isStarted = group.every(({ started }) => started !== undefined);
    const traits = PLACE_TRAITS.filter(
      ({ what, weight }) => weight === 'unfair' || (what === 'cluster' && !isStarted),
    );
    const what = traits.filter(({ read }) => !same(group, read)).map((trait) => trait.what);
    if (what.length === 0) return [];
    const label = environmentLabel(group[0]!.environment);
    const where = label === '' ? '' : ` in ${label}`;
    return [
      `When the run continued${where} after an interruption, this had changed: ${listed(what, 4)}. Its trials before and ` +
        'after the interruption may not be comparable.',
    ];
  });

/**
 * Returns whether a trait (property of the cluster or its machines) is the same in all blocks. Ignores blocks without the trait, which an
 * older version of Dyno stored.
 */
const same = (group: readonly PlaceFacts[], read: (place: PlaceFacts) => string | undefined): boolean =>
  new Set(group.map(read).filter((value) => value !== undefined)).size <= 1;

/** Joins phrases to a list, for a sentence that has `in` before the list. The last phrase therefore gets its own `in`: `a; b and in c`. */
const enumerated = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join('; ')} and in ${words.at(-1)}`;
