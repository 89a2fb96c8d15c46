/** Warnings about the place of the measurement: the machines, where the results went, and how the shards lay. */
import type { CellDefinition } from '../../experiment/cell-definition';
import { expandsReplicas } from '../../elasticsearch/settings';
import type { Plan } from '../../experiment/plan';
import type { Provenance } from '../../experiment/run';
import { shardsIn } from '../../measurement/server';
import type { TrialDocument } from '../../measurement/trial';
import { environmentWarnings, startedWarnings } from '../../analysis/environments';
import { nodeChangeWarnings } from '../../analysis/node-changes';
import { trialsOf } from '../../analysis/validity';
import { listed } from '../../analysis/wording';
import { plural } from '../../units/format';

export function placeWarnings(
  plan: Plan,
  provenance: Provenance | null,
  trials: readonly TrialDocument[],
): string[] {
  const warnings: string[] = [];
  if (provenance?.sharedMachine) {
    warnings.push(
      'The cluster and the load generator share one machine: they take cores, memory and disk from each other, so the absolute figures are lower than those of the cluster alone.',
    );
  }
  if (provenance?.resultsInTarget) {
    warnings.push('The results are written into the cluster under test, which carries that work too.');
  }
  if (provenance === null && trials.length > 0) {
    warnings.push(
      'What was measured, and from where, is not known: this run cannot be compared with others.',
    );
  }
  warnings.push(...startedWarnings(provenance), ...environmentWarnings(provenance));
  const versions = new Set(provenance?.nodes.map(({ version }) => version));
  if (versions.size > 1)
    warnings.push(`The nodes run different versions: ${[...versions].sort().join(', ')}.`);
  warnings.push(...nodeChangeWarnings(provenance, trials));
  const partial = trials.filter(({ server }) => server?.partial).length;
  if (partial > 0) {
    warnings.push(
      `A node came, left or restarted in ${plural(partial, 'trial')}: its server-side figures are missing there.`,
    );
  }
  const unassigned = plan.cells.filter((cell) =>
    hasUnassigned(cell.definition, trialsOf(trials, cell.index)),
  );
  if (unassigned.length > 0) {
    const which = listed(unassigned.map(({ label }) => label));
    warnings.push(
      `Not all replicas were assigned (${which}): a replica without a node of its own costs nothing, and protects nothing.`,
    );
  }
  return warnings;
}

function hasUnassigned(
  { index: { settings, replicas } }: CellDefinition,
  trials: readonly TrialDocument[],
): boolean {
  if (replicas === 0 || expandsReplicas(settings)) return false;
  return trials.some(
    ({ index }) => index !== null && shardsIn(index.shards) < shardsIn(index.primaries) * (1 + replicas),
  );
}
