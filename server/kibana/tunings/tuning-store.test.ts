import { describeTuningStore } from '../../../test/contract/tuning-store';
import { fakeSavedObjects } from '../testing/fake-saved-objects';
import { createTuningStore } from './tuning-store';

describe('the store of tunings in Kibana', () => {
  describeTuningStore(() => {
    const { client, repository } = fakeSavedObjects();
    return { store: createTuningStore(client), another: createTuningStore(repository) };
  });
});
