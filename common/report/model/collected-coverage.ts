/**
 * Calculates how completely the collector (the Metricbeat-based process that reads the nodes) covered the measured time of a cell's trials.
 * The result is a share of the time.
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
 * Returns how completely the collector covered the measured phases with metrics of the nodes. Null if it sent no metrics for any trial.
 * `figures`: the metrics of `trials`.
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
