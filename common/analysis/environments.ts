/** What was found in the environments of a run, set against what their labels say. */
import { environmentKey, environmentLabel } from '../experiment/environment';
import type { PlaceFacts, Provenance, BlockFacts } from '../experiment/run';
import { nodeKind, PLACE_TRAITS } from './place-differences';
import { listed } from './wording';
import { plural } from '../units/format';
import { storedBlocks } from '../measurement/stored-names';

/** Blocks of each environment, in the order of time. */
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

/** The same text where Dyno can tell nothing apart: the same nodes of the same cluster, unchanged. */
const everything = ({ cluster, nodes }: PlaceFacts): string =>
  JSON.stringify([
    cluster.uuid,
    cluster.version,
    nodes.map((node) => [node.name, node.version, nodeKind(node), node.diskTotalBytes]).sort(),
  ]);

/** Sentences; none for a run of one environment in which nothing changed. */
export function environmentWarnings(provenance: Provenance | null): string[] {
  const groups = byEnvironment(provenance);
  return [...alike(groups), ...more(groups), ...changed(groups)];
}

/** What follows from clusters that Dyno started on its own machine; sentences, none where it started none. */
export function startedWarnings(provenance: Provenance | null): string[] {
  const started = storedBlocks(provenance).flatMap((block) => block.started ?? []);
  if (started.length === 0) return [];
  const several = started.some(({ nodes }) => nodes > 1)
    ? ' All nodes share the cores, memory and disk of one machine. More nodes are not more hardware here, so this run cannot show what they bring on machines of their own.'
    : '';
  return [
    `Dyno started the cluster under test for each environment, on one machine with the load generator and the embedded Elasticsearch.${several}`,
  ];
}

/** Differs because it was asked for. */
const isAskedFor = (what: string, groups: readonly BlockFacts[][]): boolean =>
  what === 'Elasticsearch' &&
  groups.every((group) => {
    const { started, cluster } = group.at(-1)!;
    return started?.version === cluster.version;
  });

/** Labels that nothing bears out. */
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
        `Dyno found the same in ${enumerated(same.map(labelOf))}: cluster ${cluster.name}, Elasticsearch ` +
        `${cluster.version}, ${plural(nodes.length, 'node')} (${names}) with the same cores, memory and disk. That ` +
        'these environments differ is known from their labels only.'
      );
    });
}

/** What changed with the environment though it is not of the cluster, or comes with another version. */
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
        `With the environment there also changed: ${found.join('; ')}. A difference between environments may come from that.`,
      ];
}

/** One label, and yet not the same place: it was interrupted there, and went on elsewhere. */
const changed = (groups: readonly BlockFacts[][]): string[] =>
  groups.flatMap((group) => {
    // One that is started again is another cluster each time.
    const isStarted = group.every(({ started }) => started !== undefined);
    const traits = PLACE_TRAITS.filter(
      ({ what, weight }) => weight === 'unfair' || (what === 'cluster' && !isStarted),
    );
    const what = traits.filter(({ read }) => !same(group, read)).map((trait) => trait.what);
    if (what.length === 0) return [];
    const label = environmentLabel(group[0]!.environment);
    const where = label === '' ? '' : ` in ${label}`;
    return [
      `When the run continued${where} after an interruption, not all was as before: ${listed(what, 4)}. Its trials ` +
        'before and after may not be of one kind.',
    ];
  });

/** What an older Dyno did not look at is not known to differ. */
const same = (group: readonly PlaceFacts[], read: (place: PlaceFacts) => string | undefined): boolean =>
  new Set(group.map(read).filter((value) => value !== undefined)).size <= 1;

/** `a, b and c` */
const enumerated = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join('; ')} and in ${words.at(-1)}`;
