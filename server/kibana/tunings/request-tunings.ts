/**
 * Creates the service with which one request starts, reads and ends tunings. A tuning that the request starts uses an API key of the
 * request's user.
 */
import { LOCAL_TARGET } from '../../../common/api/targets';
import type { Definition } from '../../../common/experiment/definition';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { describeProblem, messageOf } from '../../../common/problem';
import { createTuner, withConnection } from '../../host/tuner';
import { createLeases } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';
import type { ExperimentStore, TuningService } from '../../routes/services';
import type { RunService } from '../../run/queue/queue';
import { grantForRun } from '../actor';
import { authorizationOfKey } from '../keys';
import type { KibanaServices } from '../kibana-services';
import type { SavedObjectsClient } from '../sdk-saved-objects';
import type { KibanaTargetStore } from '../targets';
import type { CarriedTunings, TuningAsker } from './carried-tunings';
import type { SharedSamples } from './samples';
import { createTuningStore } from './tuning-store';

export interface RequestTuningsOptions extends TuningAsker {
  kibana: KibanaServices;
  carried: CarriedTunings;
  objects: SavedObjectsClient;
  experiments: ExperimentStore;
  targets: KibanaTargetStore;
  runs: RunService;
  /** Client of the results cluster with the rights of the user. */
  results: ElasticsearchClient;
  reader: ResultsReader;
  samples: SharedSamples;
  checkFiles(definition: Definition): Promise<void>;
}

export function requestTunings(options: RequestTuningsOptions): TuningService {
  const { kibana, carried, request, secrets, objects, experiments, targets, runs, results, reader } = options;
  const { samples, checkFiles } = options;
  const { service } = createTuner({
    ...{ store: createTuningStore(objects), runs, reader, samples, experiments, checkFiles },
    leases: createLeases(results),
    async connected(target, work) {
      if (target !== LOCAL_TARGET)
        return await withConnection(() => targets.connect(target, undefined), work);
      // The preparation uses an API key, as a run does, because requests to Kibana's own cluster as a target cannot use the authentication
      // of the browser.
      const purpose = { why: 'preparation of a tuning', seats: false };
      const { key, giveBack } = await grantForRun(kibana, request, secrets, purpose);
      try {
        const authorization = key ? authorizationOfKey(key) : undefined;
        return await withConnection(() => targets.connect(target, authorization), work);
      } finally {
        await giveBack();
      }
    },
    onProblem: (problem) => kibana.log.info(describeProblem(problem)),
  });
  return {
    ...service,
    start: (definition, given) => carried.start(options, definition, given),
    async list() {
      await samples
        .sweep()
        .catch((error: unknown) => kibana.log.info(`samples could not be checked: ${messageOf(error)}`));
      return await service.list();
    },
  };
}
