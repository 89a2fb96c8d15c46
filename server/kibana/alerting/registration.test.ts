import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTEXT_VARIABLES } from '../../../common/alerting/regressions/context';
import { regressionParamsSchema } from '../../../common/alerting/regressions/params';
import { RULE_TYPE_IDS } from '../../../common/alerting/rule-types';
import { featureFor } from '../features';
import { kibanaRuleTypes } from './registration';
import type { RuleType } from './sdk';
import { checkRuleType } from './testing/fake-alerting';

const types = kibanaRuleTypes(() => {
  throw new Error('Kibana is still starting');
}) as RuleType<object, unknown>[];

test('every rule type is registered in a form that Kibana accepts, and granted', () => {
  expect(types.map(({ id }) => id)).toEqual(RULE_TYPE_IDS);
  for (const type of types) expect(() => checkRuleType(type)).not.toThrow();
  const { privileges } = featureFor({ kibanaVersion: '9.5.3', alerting: true });
  expect(privileges.all.alerting!.rule.all).toEqual(
    RULE_TYPE_IDS.map((ruleTypeId) => ({ ruleTypeId, consumers: ['dyno', 'alerts'] })),
  );
  expect(featureFor({ kibanaVersion: '8.3.3', alerting: true }).alerting).toEqual(RULE_TYPE_IDS);
});

test('its default action group is for alerts, and its message contains the reason', () => {
  for (const { defaultActionGroupId, actionGroups, actionVariables } of types) {
    expect(actionGroups.map(({ id }) => id)).toContain(defaultActionGroupId);
    expect(actionVariables.context[0]!.name).toBe('reason');
  }
});

test('the documentation names every parameter and every variable of the rule on regressions', () => {
  const page = readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'alerts.md'), 'utf8');
  const section = page.slice(page.indexOf('## Experiment regression'));
  const names = [...CONTEXT_VARIABLES.map(({ name }) => name), ...Object.keys(regressionParamsSchema.shape)];
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
