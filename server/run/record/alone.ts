/** One run at a time measures on a cluster. */
import type { RunDocument } from '../../../common/measurement/run';
import { runError } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import { isCarried } from './identity';

/** Uuids of the clusters that it measures, or beside which it starts its own. */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/** Whether a run loads the cluster of this uuid, or its machine. */
export const measuresAt = (run: Pick<RunDocument, 'run' | 'provenance'>, uuid: string): boolean =>
  clustersOf(run).includes(uuid);

/**
 * Rejects with a DynoError when another run, begun before this one, is at work on the same cluster: both would measure
 * each other. Asked once this run is stored itself, so that of two that begin together one is the earlier for both.
 * `since`: when this one began, or goes on after an interruption, ISO 8601.
 */
export async function checkAlone(
  reader: Pick<ResultsReader, 'findUnfinishedRuns'>,
  document: RunDocument,
  since: string,
): Promise<void> {
  const { run } = document;
  const clusters = clustersOf(document);
  const others = await reader.findUnfinishedRuns();
  const earlier = others.find(
    (other) =>
      other.run.id !== run.id &&
      other.run.state === 'running' &&
      clusters.some((uuid) => measuresAt(other, uuid)) &&
      `${other.run.started} ${other.run.id}` < `${since} ${run.id}` &&
      isCarried(other, Date.now()),
  );
  if (!earlier) return;
  const who = `run ${earlier.run.id} (${earlier.experiment.name}, process ${earlier.run.carrier.pid} on ${earlier.run.carrier.host})`;
  throw runError(
    'target.busy',
    '',
    `${who} is at work on this cluster: both would measure each other; wait for its end`,
  );
}
