/** Who looks for the rule types of common/alerting/rule-types.ts. */
import { RULE_TYPE_IDS, type RuleTypeId } from '../../../common/alerting/rule-types';
import { rejections } from './rejections';
import { regressions } from './regressions';
import { kibanaRuleType, type RulePart, type Watchtower } from './rule-type';

type Registration = (id: RuleTypeId, home: () => Watchtower) => object;

const by =
  <Params, Context>(part: RulePart<Params, Context>): Registration =>
  (id, home) =>
    kibanaRuleType(id, part, home);

const PARTS: Readonly<Record<RuleTypeId, Registration>> = {
  'dyno.bulkRejectionRate': by(rejections),
  'dyno.experimentRegression': by(regressions),
};

/** As Kibana registers them. */
export const kibanaRuleTypes = (home: () => Watchtower): object[] =>
  RULE_TYPE_IDS.map((id) => PARTS[id](id, home));
