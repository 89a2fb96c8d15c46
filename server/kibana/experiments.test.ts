import { describeExperimentStore } from '../../test/contract/experiment-store';
import { createExperimentStore } from './experiments';
import { fakeSavedObjects } from './testing/fake-saved-objects';

describe('the store of experiments in Kibana', () => {
  describeExperimentStore(() => {
    const { client } = fakeSavedObjects();
    return { store: createExperimentStore(client), another: createExperimentStore(client) };
  });
});
