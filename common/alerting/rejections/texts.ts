/** Texts of the rule type *Bulk rejection rate*. */
import type { RuleTypeTexts } from '../rule-type';

export const BULK_REJECTION_RATE = {
  name: 'Bulk rejection rate',
  description: 'Alert when too large a share of bulk documents or write tasks is rejected because of load.',
  icon: 'visGauge',
  actionGroups: [
    { id: 'critical', name: 'Critical' },
    { id: 'warning', name: 'Warning' },
    { id: 'nodata', name: 'No data' },
  ],
  // An action runs for one level only. In a new rule, it must run at the worst level.
  defaultActionGroup: 'critical',
  interval: '1m',
  message: `{{context.reason}}

- Rate: {{context.rate}} (warning {{context.warningThreshold}}, critical {{context.criticalThreshold}}, recovery {{context.recoveryThreshold}})
- Rejected: {{context.rejected}} of {{context.attempts}}
- Cause: {{context.cause}}
- Window: {{context.from}} to {{context.to}}
- {{context.link}}`,
  recoveryMessage: `{{context.reason}}

- Rate: {{context.rate}} (recovery below {{context.recoveryThreshold}})
- Window: {{context.from}} to {{context.to}}
- {{context.link}}`,
} as const satisfies RuleTypeTexts;
