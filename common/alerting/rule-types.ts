/**
 * Dyno's rule types for Kibana, by their ids: pages, privileges and registration take this list. What one watches, how it judges and
 * what it says lies in a folder of its own; server/kibana/alerting/rule-types.ts names who looks, public/alerting/forms.tsx the form.
 */
import { BULK_REJECTION_RATE } from './rejections/rule-type';
import { EXPERIMENT_REGRESSION } from './regressions/rule-type';

export const RULE_TYPES = {
  'dyno.bulkRejectionRate': BULK_REJECTION_RATE,
  'dyno.experimentRegression': EXPERIMENT_REGRESSION,
} as const;

export type RuleTypeId = keyof typeof RULE_TYPES;

export const RULE_TYPE_IDS = Object.keys(RULE_TYPES) as RuleTypeId[];
