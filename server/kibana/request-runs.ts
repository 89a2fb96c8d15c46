/** The runs as one request sees them: what it starts acts as its user. */
import { FINAL_STATES } from '../../common/measurement/run';
import { inputError } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ResultsReader } from '../results/reader';
import { createClaims } from '../results/claims';
import { removeRun } from '../results/removal';
import { askOthersToEnd } from '../run/claim-keeper';
import type { RunService } from '../run/run-service';
import { becomeActor, grantForRun } from './actor';
import type { Carriers, Voyage } from './carriers';
import { namespaceOf, type House } from './house';
import type { KibanaRequest } from './sdk';
import type { KibanaTargetStore } from './targets';

export interface RequestRunsOptions {
  house: House;
  carriers: Carriers;
  request: KibanaRequest;
  targets: KibanaTargetStore;
  /** As the user. */
  results: ElasticsearchClient;
  reader: ResultsReader;
}

export function requestRuns(options: RequestRunsOptions): Omit<RunService, 'close'> {
  const { house, carriers, request, targets, results, reader } = options;

  async function voyage(target: string, why: string): Promise<Voyage> {
    const actor = await becomeActor(house, await grantForRun(house, request, why));
    return { actor, target, connect: (id) => targets.connect(id, actor.authorization) };
  }

  return {
    async start(order) {
      const { target, name } = order.definition;
      return carriers.carry(await voyage(target, name), (service) =>
        service.start({ ...order, space: namespaceOf(house, request) }),
      );
    },

    async resume(runId) {
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      if (carriers.find(runId)) throw inputError('run.not-interrupted', '', 'the run goes on already');
      const { target, name } = run.definition;
      return carriers.carry(await voyage(target, name), (service) => service.resume(runId));
    },

    async cancel(runId, reason) {
      const service = carriers.find(runId);
      if (service) return service.cancel(runId, reason);
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      return askOthersToEnd(createClaims(results), run, reason);
    },

    progress: (runId) => carriers.find(runId)?.progress(runId) ?? null,

    queuedBehind: (runId) => carriers.find(runId)?.queuedBehind(runId) ?? null,

    follow: (runId, listener) => carriers.find(runId)?.follow(runId, listener) ?? (() => undefined),

    async delete(runId) {
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      const { state } = run.run;
      if (carriers.find(runId) || !FINAL_STATES.includes(state)) {
        throw inputError('run.unfinished', '', `the run is ${state}: cancel it first`);
      }
      return { deleted: await removeRun(results, runId) };
    },
  };
}
