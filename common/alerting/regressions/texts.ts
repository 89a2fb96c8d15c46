/** The rule type *Experiment regression*: its texts. */
import type { RuleTypeTexts } from '../rule-type';

export const EXPERIMENT_REGRESSION = {
  name: 'Experiment regression',
  description: 'Alert when a figure of an experiment has become worse from one run on, and stays so.',
  icon: 'visLine',
  actionGroups: [
    { id: 'regression', name: 'Regression' },
    { id: 'nodata', name: 'No data' },
    { id: 'change', name: 'Change for the better' },
  ],
  defaultActionGroup: 'regression',
  // A short interval would be useless, because the history changes only when a run ends.
  interval: '15m',
  message: `{{context.reason}}

- Level: {{context.levelBefore}} before, {{context.levelAfter}} now ({{context.change}}, 95% interval {{context.interval}})
- {{context.cause}}
- First run: {{context.since}} {{context.sinceLink}}
- Last run before: {{context.before}} {{context.beforeLink}}
- History: {{context.link}}`,
  recoveryMessage: `{{context.reason}}

- History: {{context.link}}`,
} as const satisfies RuleTypeTexts;
