/** One run at a time measures on a cluster. */
import type { RunDocument } from '../../common/measurement/run';
import { runError } from '../../common/problem';
import type { ResultsReader } from '../results/reader';
import { isCarried } from './identity';

/**
 * Rejects with a DynoError when another run, begun before this one, is at work on the same cluster: both would measure
 * each other. Asked once this run is stored itself, so that of two that begin together one is the earlier for both.
 * `since`: when this one began, or goes on after an interruption, ISO 8601.
 */
export async function checkAlone(
  reader: ResultsReader,
  { run, provenance }: RunDocument,
  since: string,
): Promise<void> {
  const others = await reader.findUnfinishedRuns();
  const earlier = others.find(
    (other) =>
      other.run.id !== run.id &&
      other.run.state === 'running' &&
      other.provenance?.cluster.uuid === provenance?.cluster.uuid &&
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
