/** Warnings about the place of the measurement: the machines, where the results went, and how the shards lay. */
import type { CellDefinition } from '../../experiment/cell-definition';
import { expandsReplicas } from '../../elasticsearch/settings';
import { definitionOf, type Plan } from '../../experiment/plan';
import { placeAt, type Provenance } from '../../experiment/run';
import { shardsIn } from '../../measurement/server';
import type { TrialDocument } from '../../measurement/trial';
import { environmentWarnings, startedWarnings } from '../../analysis/environments';
import { nodeChangeWarnings } from '../../analysis/node-changes';
import { OTHERS_FROM } from '../../analysis/limiting-factor-rules';
import { trialFigures } from '../../analysis/limiting-factor-trial';
import { counts, trialsOf } from '../../analysis/validity';
import { listed } from '../../analysis/wording';
import { formatPercent, plural } from '../../units/format';

export function placeWarnings(
  plan: Plan,
  provenance: Provenance | null,
  trials: readonly TrialDocument[],
): string[] {
  const warnings: string[] = [];
  if (provenance?.sharedMachine) {
    warnings.push(
      'The cluster and the load generator share the cores, memory and disk of one machine, so absolute figures are lower than those of the cluster alone.',
    );
  }
  if (provenance?.resultsInTarget) {
    warnings.push('The results are stored in the cluster under test, which adds load to it.');
  }
  if (provenance === null && trials.length > 0) {
    warnings.push('The provenance of this run is unknown, so it cannot be compared with others.');
  }
  warnings.push(...othersWarnings(plan, provenance, trials));
  warnings.push(...startedWarnings(provenance), ...environmentWarnings(provenance));
  const versions = new Set(provenance?.nodes.map(({ version }) => version));
  if (versions.size > 1)
    warnings.push(`The nodes run different versions: ${[...versions].sort().join(', ')}.`);
  warnings.push(...nodeChangeWarnings(provenance, trials));
  // A cluster that tells nothing about its nodes tells nothing of their restarts.
  const partial = provenance?.nodes.length === 0 ? 0 : trials.filter(({ server }) => server?.partial).length;
  if (partial > 0) {
    warnings.push(
      `A node, or a copy of a shard, came, left or restarted in ${plural(partial, 'trial')}: its server-side figures are missing there.`,
    );
  }
  const unassigned = plan.cells.filter((cell) =>
    hasUnassigned(cell.definition, trialsOf(trials, cell.index)),
  );
  if (unassigned.length > 0) {
    const which = listed(unassigned.map(({ label }) => label));
    warnings.push(
      `Not all replicas were assigned (${which}): a replica without its own node neither costs nor protects anything.`,
    );
  }
  return warnings;
}

/** What a collector saw other processes take of the machines of the nodes. */
function othersWarnings(
  plan: Plan,
  provenance: Provenance | null,
  trials: readonly TrialDocument[],
): string[] {
  const counted = trials.filter(counts);
  const shares = counted.map((document) => {
    const place = placeAt(provenance, document.times.started);
    const { nodes } = trialFigures(definitionOf(plan, document), place, document);
    return Math.max(0, ...nodes.map(({ othersCpuShare }) => othersCpuShare ?? 0));
  });
  const disturbed = shares.filter((share) => share >= OTHERS_FROM);
  if (disturbed.length === 0) return [];
  return [
    `Other processes took up to ${formatPercent(Math.max(...disturbed))} of the CPU of a node’s machine in ${disturbed.length} of ${plural(counted.length, 'trial')}: what the cluster could do without them is not in these figures.`,
  ];
}

function hasUnassigned(
  { index: { settings, replicas, existing } }: CellDefinition,
  trials: readonly TrialDocument[],
): boolean {
  // Of an index that was there before, the definition does not know them.
  if (existing !== undefined) return false;
  if (replicas === 0 || expandsReplicas(settings)) return false;
  return trials.some(
    ({ index }) => index !== null && shardsIn(index.shards) < shardsIn(index.primaries) * (1 + replicas),
  );
}
