/**
 * Lists Dyno's rule types for Kibana by id; pages, privileges and registration use this list. Each type has a folder with its parameters,
 * judgement and texts. server/kibana/alerting/registration.ts adds the checks, public/alerting/forms.tsx the forms.
 */
import { BULK_REJECTION_RATE } from './rejections/texts';
import { EXPERIMENT_REGRESSION } from './regressions/texts';

export const RULE_TYPES = {
  'dyno.bulkRejectionRate': BULK_REJECTION_RATE,
  'dyno.experimentRegression': EXPERIMENT_REGRESSION,
} as const;

export type RuleTypeId = keyof typeof RULE_TYPES;

export const RULE_TYPE_IDS = Object.keys(RULE_TYPES) as RuleTypeId[];
