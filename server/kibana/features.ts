/** Defines Dyno's feature in Kibana, with the privileges that roles can grant: read or all. */
import { RULE_TYPE_IDS } from '../../common/alerting/rule-types';
import type { KibanaFeature } from './sdk';
import { alertingGrants, apiPrivilege } from './versions';
import { SAVED_OBJECT_TYPES } from './saved-objects';

export const FEATURE_ID = 'dyno';

const app = [FEATURE_ID, 'kibana'];

/** Section *Management* in Kibana's list of features. */
const category = { id: 'management', label: 'Management', order: 5000, euiIconType: 'managementApp' };

/**
 * Consumers of rules, as Kibana calls the applications to which rules belong. Rules that users create on Kibana's own pages have the
 * consumer `alerts`.
 */
const CONSUMERS = [FEATURE_ID, 'alerts'];
const management = { insightsAndAlerting: ['triggersActions'] };

export interface FeatureOptions {
  kibanaVersion: string;
  /** Whether Kibana has the alerting plugin. Without this plugin, the feature must not grant the plugin's privileges. */
  alerting: boolean;
}

export function featureFor({ kibanaVersion, alerting }: FeatureOptions): KibanaFeature {
  const rules = alertingGrants(kibanaVersion, RULE_TYPE_IDS, CONSUMERS);
  const granted = (level: 'all' | 'read'): Partial<KibanaFeature['privileges']['all']> =>
    alerting ? { management, alerting: { rule: { [level]: rules }, alert: { [level]: rules } } } : {};
  return {
    id: FEATURE_ID,
    name: 'Dyno',
    category,
    app,
    catalogue: [FEATURE_ID],
    ...(alerting ? { management, alerting: rules } : {}),
    privileges: {
      all: {
        app,
        catalogue: [FEATURE_ID],
        api: [apiPrivilege('read'), apiPrivilege('run'), apiPrivilege('manage')],
        savedObject: { all: [...SAVED_OBJECT_TYPES], read: [] },
        ui: ['read', 'run', 'manage'],
        ...granted('all'),
      },
      read: {
        app,
        catalogue: [FEATURE_ID],
        api: [apiPrivilege('read')],
        savedObject: { all: [], read: [...SAVED_OBJECT_TYPES] },
        ui: ['read'],
        ...granted('read'),
      },
    },
  };
}
