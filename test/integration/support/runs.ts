/** Executes runs in this process, as the standalone server does. All users of the server have the same privileges. */
import path from 'node:path';
import type { Problem } from '../../../common/problem';
import type { ResultsReader } from '../../../server/results/reader';
import type { ResultsWriter } from '../../../server/results/writer';
import { createRunService, RunQueue, type Actor, type RunService } from '../../../server/run/queue/queue';
import { discoverCluster } from '../../../server/target-cluster/cluster';
import type { Connection } from '../../../server/target-cluster/connection';

const WORKER = path.resolve(__dirname, '../../../build/worker.js');

export interface OwnRuns extends RunService {
  close(reason: string): Promise<void>;
}

export interface OwnRunsOptions extends Pick<Actor, 'connect' | 'clusters' | 'folder'> {
  reader: ResultsReader;
  writer: ResultsWriter;
  results: Connection;
  onProblem: (problem: Problem) => void;
}

export async function ownRuns({ onProblem, ...given }: OwnRunsOptions): Promise<OwnRuns> {
  const { reader, results, writer } = given;
  const { uuid } = await discoverCluster(results);
  const queue = new RunQueue({ workerFile: WORKER, version: 'test', onProblem });
  const actor: Actor = { ...given, resultsUuid: uuid, close: () => Promise.resolve() };
  return {
    ...createRunService(queue, {
      reader,
      results,
      allowedHosts: undefined,
      becomeActor: () => Promise.resolve(actor),
      withWriter: (work) => work(writer),
      onProblem,
    }),
    close: (reason) => queue.close(reason),
  };
}
