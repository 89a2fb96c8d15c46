/** Carries out one run whose turn has come, on a target that was left clean. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { messageOf, type Problem } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import type { Connection } from '../../target-cluster/connection';
import { dropIndex, findMarkedIndices } from '../../target-cluster/index-lifecycle';
import type { CarriedRun } from './carried-run';
import { cleanUpTarget } from './recovery';
import type { ClusterStarter } from '../preflight/clusters';
import { startRun } from '../run';

export interface RunServiceDependencies {
  reader: ResultsReader;
  writer: ResultsWriter;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  /** To the target of that id; the service closes it. Rejects with a DynoError, such as `target.not-found`. */
  connect(targetId: string): Promise<Connection>;
  /** Starts clusters for runs on the target of that id; undefined where their environments are labels. */
  clusters?(targetId: string): ClusterStarter | undefined;
  workerFile: string;
  workers?: number;
  version: string;
  /** Patterns of hosts that may be loaded; undefined allows all. */
  allowedHosts?: readonly string[];
  /** Folder that the source files of an experiment's definition are relative to. */
  folderOf(experimentId: string): string;
  /** Told of what is not as it should be and nobody asked about. */
  onProblem(problem: Problem): void;
}

/** Resolves when it has ended, however. Rejects only for a bug. */
export async function carryOut(
  run: CarriedRun,
  connection: Connection,
  dependencies: RunServiceDependencies,
): Promise<void> {
  const { reader, folderOf, workerFile, workers, version, allowedHosts, resultsClient, resultsUuid } =
    dependencies;
  await cleanUp(run, connection, dependencies);
  if (run.ending) return await run.end(run.ending.state, run.ending.reason);
  run.execution = startRun({
    definition: run.document.definition,
    folder: folderOf(run.document.experiment.id),
    connection,
    clusters: dependencies.clusters?.(run.target),
    results: run.results,
    reader,
    resultsClient,
    resultsUuid,
    workerFile,
    workers,
    version,
    allowedHosts,
    listener: run.listener,
    resume: { run: run.document, trials: run.trials },
    refused: run.refused,
  });
  await run.execution.done;
}

/** What earlier runs left on a target; one that cannot be cleaned can be loaded all the same. */
async function cleanUp(
  run: CarriedRun,
  connection: Connection,
  dependencies: RunServiceDependencies,
): Promise<void> {
  try {
    await cleanUpTarget(connection, dependencies, run.id);
    // Its own, where whoever carried it died, would stand in the way of the same trial.
    for (const { index, mark } of await findMarkedIndices(connection))
      if (mark.run === run.id) await dropIndex(connection, index);
  } catch (error) {
    dependencies.onProblem({ code: 'run.leftovers', path: '', message: messageOf(error) });
  }
}
