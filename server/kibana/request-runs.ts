/**
 * Creates the service with which an HTTP request starts, reads and ends runs. A run that the request starts has the rights of the request's
 * user.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { describeProblem } from '../../common/problem';
import type { ResultsReader } from '../results/reader';
import { createResultsWriter } from '../results/writer';
import { createRunService, type RunQueue, type RunService } from '../run/queue/queue';
import { atTargets, becomeActor, grantForRun } from './actor';
import { namespaceOf, type KibanaServices } from './kibana-services';
import type { KibanaRequest } from './sdk';
import type { Secrets } from './secrets';
import { spoolOf } from './spool';
import type { KibanaTargetStore } from './targets';

export interface RequestRunsOptions {
  kibana: KibanaServices;
  queue: RunQueue;
  request: KibanaRequest;
  targets: KibanaTargetStore;
  /** Secrets of the user. */
  secrets: Secrets;
  /** Folder of the files that experiments may read. */
  corpora: string;
  /** Client of the results cluster with the rights of the user. */
  results: ElasticsearchClient;
  reader: ResultsReader;
}

export function requestRuns(options: RequestRunsOptions): RunService {
  const { kibana, request, targets, secrets, corpora } = options;
  const space = namespaceOf(kibana, request);
  return runsActingBy(options, async (_target, purpose) => {
    const grant = await grantForRun(kibana, request, secrets, purpose);
    return atTargets(await becomeActor(kibana, grant, { space, corpora }), targets);
  });
}

/**
 * Returns the service. `becomeActor`: creates the identity with which a started run accesses clusters. The service itself accesses the
 * results with `results` and `reader`.
 */
export function runsActingBy(
  { kibana, queue, results, reader }: Pick<RequestRunsOptions, 'kibana' | 'queue' | 'results' | 'reader'>,
  becomeActor: Parameters<typeof createRunService>[1]['becomeActor'],
): RunService {
  return createRunService(queue, {
    reader,
    results,
    allowedHosts: kibana.config.targets.allowedHosts,
    becomeActor,
    async withWriter(work) {
      const writer = createResultsWriter({
        client: results,
        spoolDir: await spoolOf(kibana, results),
        templates: 'assumed',
        onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
      });
      try {
        return await work(writer);
      } finally {
        await writer.close();
      }
    },
    onProblem: (problem) => kibana.log.info(describeProblem(problem)),
  });
}
