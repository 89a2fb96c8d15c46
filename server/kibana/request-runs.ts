/** The runs as one request sees them: what it starts acts as its user. */
import { RESTING_STATES, type RunDocument } from '../../common/experiment/run';
import { describeProblem, inputError, messageOf, type Problem } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ResultsReader } from '../results/reader';
import { createLeases } from '../results/leases';
import { removeRun } from '../results/removal';
import { createResultsWriter } from '../results/writer';
import { askOthersToEnd } from '../run/queue/lease-keeper';
import { cleanUpBeforeRemoval, leavesSomething } from '../run/queue/recovery';
import { checkResumable, endWaiting } from '../run/queue/resting';
import { targetOf } from '../run/record/record';
import type { RunService } from '../run/queue/service';
import { becomeActor, grantForRun } from './actor';
import type { Carriers, RunContext } from './carriers';
import { namespaceOf, type KibanaServices } from './kibana-services';
import type { KibanaRequest } from './sdk';
import { spoolOf } from './spool';
import type { KibanaTargetStore } from './targets';

export interface RequestRunsOptions {
  kibana: KibanaServices;
  carriers: Carriers;
  request: KibanaRequest;
  targets: KibanaTargetStore;
  /** As the user. */
  results: ElasticsearchClient;
  reader: ResultsReader;
}

export function requestRuns(options: RequestRunsOptions): Omit<RunService, 'close'> {
  const { kibana, carriers, request, targets, results, reader } = options;

  async function runContext(target: string, why: string): Promise<RunContext> {
    const actor = await becomeActor(kibana, await grantForRun(kibana, request, why));
    return { actor, target, connect: (id) => targets.connect(id, actor.authorization) };
  }

  /** What a run that was cut off left in its target. Never rejects. */
  async function cleanUpAfter(run: RunDocument): Promise<void> {
    if (!leavesSomething(run.run)) return;
    try {
      const { actor, connect } = await runContext(targetOf(run), `clean up after ${run.experiment.name}`);
      try {
        const onProblem = (problem: Problem): void => kibana.log.info(describeProblem(problem));
        await cleanUpBeforeRemoval(run, connect, { ...actor, onProblem });
      } finally {
        await actor.close();
      }
    } catch (error) {
      kibana.log.warn(`what run ${run.run.id} left in its target is still there: ${messageOf(error)}`);
    }
  }

  return {
    async start(order) {
      const { target, name } = order.definition;
      return carriers.carry(await runContext(target, name), (service) =>
        service.start({ ...order, space: namespaceOf(kibana, request) }),
      );
    },

    async resume(runId, given) {
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      if (carriers.find(runId)) throw inputError('run.not-interrupted', '', 'the run is already under way');
      checkResumable(run, given?.target);
      const target = given?.target ?? targetOf(run);
      return carriers.carry(await runContext(target, run.definition.name), (service) =>
        service.resume(runId, given),
      );
    },

    async cancel(runId, reason) {
      const service = carriers.find(runId);
      if (service) return service.cancel(runId, reason);
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      const leases = createLeases(results);
      if (run.run.state !== 'waiting') return askOthersToEnd(leases, run, reason);
      const writer = createResultsWriter({
        client: results,
        spoolDir: await spoolOf(kibana, results),
        templates: 'assumed',
        onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
      });
      try {
        return await endWaiting({ leases, reader, writer }, runId, reason);
      } finally {
        await writer.close();
      }
    },

    progress: (runId) => carriers.find(runId)?.progress(runId) ?? null,

    queuedBehind: (runId) => carriers.find(runId)?.queuedBehind(runId) ?? null,

    follow: (runId, listener) => carriers.find(runId)?.follow(runId, listener) ?? (() => undefined),

    async delete(runId) {
      const run = await reader.getRun(runId);
      if (!run) throw inputError('run.not-found', '', 'there is no such run', { found: runId });
      const { state } = run.run;
      if (carriers.find(runId) || !RESTING_STATES.includes(state)) {
        throw inputError('run.unfinished', '', `the run is ${state}: cancel it first`);
      }
      await cleanUpAfter(run);
      return { deleted: await removeRun(results, runId) };
    },
  };
}
