/** What roles may be granted: to look, or to do everything. */
import type { KibanaFeature } from './sdk';
import { apiPrivilege } from './versions';
import { SAVED_OBJECT_TYPES } from './saved-objects';

export const FEATURE_ID = 'dyno';

const app = [FEATURE_ID, 'kibana'];

/** As Kibana's menu of its section *Management* has it. */
const category = { id: 'management', label: 'Management', order: 5000, euiIconType: 'managementApp' };

export const feature: KibanaFeature = {
  id: FEATURE_ID,
  name: 'Dyno',
  category,
  app,
  catalogue: [FEATURE_ID],
  privileges: {
    all: {
      app,
      catalogue: [FEATURE_ID],
      api: [apiPrivilege('read'), apiPrivilege('run'), apiPrivilege('manage')],
      savedObject: { all: [...SAVED_OBJECT_TYPES], read: [] },
      ui: ['read', 'run', 'manage'],
    },
    read: {
      app,
      catalogue: [FEATURE_ID],
      api: [apiPrivilege('read')],
      savedObject: { all: [], read: [...SAVED_OBJECT_TYPES] },
      ui: ['read'],
    },
  },
};
