/** Combines the rule types of common/alerting/rule-types.ts with the functions that check them. */
import { RULE_TYPE_IDS, type RuleTypeId } from '../../../common/alerting/rule-types';
import { rejections } from './rejections';
import { regressions } from './regressions';
import { kibanaRuleType, type RulePart, type RuleServices } from './adapter';

type Registration = (id: RuleTypeId, home: () => RuleServices) => object;

const by =
  <Params, Context>(part: RulePart<Params, Context>): Registration =>
  (id, home) =>
    kibanaRuleType(id, part, home);

const PARTS: Readonly<Record<RuleTypeId, Registration>> = {
  'dyno.bulkRejectionRate': by(rejections),
  'dyno.experimentRegression': by(regressions),
};

/** Returns the rule types in the form in which Kibana registers them. */
export const kibanaRuleTypes = (home: () => RuleServices): object[] =>
  RULE_TYPE_IDS.map((id) => PARTS[id](id, home));
