/**
 * Calculates for which share of the measured phases dynobeat, the process that reads the nodes, sent metrics. The calculation covers the
 * trials of one cell (combination of factor levels).
 */
import type { TrialFigures } from '../../analysis/limiting-factor-figures';
import type { CollectedNode } from '../../measurement/collected';
import { COVERED_FROM, coverage } from '../../measurement/coverage';
import type { TrialDocument } from '../../measurement/trial';
import type { CollectedCoverage } from './report';

interface Seen {
  document: TrialDocument;
  nodes: readonly CollectedNode[];
}

/**
 * Returns how completely dynobeat's metrics cover the measured phases of `trials`. Returns null if dynobeat sent no metrics for any of
 * these trials. `figures`: the metrics of `trials`, in the same order.
 */
export function collectedCoverage(
  trials: readonly TrialDocument[],
  figures: readonly TrialFigures[],
): CollectedCoverage | null {
  const seen = trials.flatMap((document): Seen[] =>
    document.collected ? [{ document, nodes: document.collected.nodes }] : [],
  );
  if (seen.length === 0) return null;
  return {
    trials: seen.length,
    covered: Math.min(...seen.map(leastCovered)),
    everyMachine: figures.every((trial) =>
      trial.nodes.every(({ machineCovered }) => (machineCovered ?? 0) >= COVERED_FROM),
    ),
    someMachine: seen.every(({ nodes }) => nodes.some(({ host }) => host?.busyShare != null)),
  };
}

const leastCovered = ({ document, nodes }: Seen): number =>
  Math.min(
    ...nodes
      .flatMap(({ coveredMs, host }) => [coveredMs, ...(host ? [host.coveredMs] : [])])
      .map((ms) => coverage(ms, document)),
  );
