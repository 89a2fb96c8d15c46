/** Who the rule is: ids, names and texts that the server registers and the browser shows. */

export const RULE_TYPE_ID = 'dyno.bulkRejectionRate';
export const RULE_TYPE_NAME = 'Bulk rejection rate';
export const RULE_TYPE_DESCRIPTION =
  'Alert when too large a share of bulk documents or write tasks is rejected for load.';

/** `recovered` is Kibana's own. */
export const ACTION_GROUPS = [
  { id: 'warning', name: 'Warning' },
  { id: 'critical', name: 'Critical' },
  { id: 'nodata', name: 'No data' },
] as const;

/** Mustache, as the host fills it. */
export const DEFAULT_MESSAGE = `{{context.reason}}

- Rate: {{context.rate}} (warning {{context.warningThreshold}}, critical {{context.criticalThreshold}}, recovery {{context.recoveryThreshold}})
- Rejected: {{context.rejected}} of {{context.attempts}}
- Cause: {{context.cause}}
- Window: {{context.from}} to {{context.to}}
- {{context.link}}`;
export const DEFAULT_RECOVERY_MESSAGE = `{{context.reason}}

- Rate: {{context.rate}} (recovery below {{context.recoveryThreshold}})
- Window: {{context.from}} to {{context.to}}
- {{context.link}}`;
