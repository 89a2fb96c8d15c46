import { RULE_TYPE_IDS } from '../../../common/alerting/rule-types';
import { featureFor } from '../features';
import { kibanaRuleTypes } from './rule-types';
import type { RuleType } from './sdk';
import { checkRuleType } from './testing/fake-alerting';

const types = kibanaRuleTypes(() => {
  throw new Error('Kibana is still starting');
}) as RuleType<object, unknown>[];

test('every rule type is registered, as Kibana takes it, and granted', () => {
  expect(types.map(({ id }) => id)).toEqual(RULE_TYPE_IDS);
  for (const type of types) expect(() => checkRuleType(type)).not.toThrow();
  const { privileges } = featureFor({ kibanaVersion: '9.5.3', alerting: true });
  expect(privileges.all.alerting!.rule.all).toEqual(
    RULE_TYPE_IDS.map((ruleTypeId) => ({ ruleTypeId, consumers: ['dyno', 'alerts'] })),
  );
  expect(featureFor({ kibanaVersion: '8.3.3', alerting: true }).alerting).toEqual(RULE_TYPE_IDS);
});

test('its default action group is one that alerts, and its message names the reason', () => {
  for (const { defaultActionGroupId, actionGroups, actionVariables } of types) {
    expect(actionGroups.map(({ id }) => id)).toContain(defaultActionGroupId);
    expect(actionVariables.context[0]!.name).toBe('reason');
  }
});
