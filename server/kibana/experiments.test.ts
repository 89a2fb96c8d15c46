import { describeExperimentStore } from '../../test/contract/experiment-store';
import { createExperimentStore } from './experiments';
import { testSavedObjects } from './test-saved-objects';

describe('the store of experiments in Kibana', () => {
  describeExperimentStore(() => {
    const { client } = testSavedObjects();
    return { store: createExperimentStore(client), another: createExperimentStore(client) };
  });
});
