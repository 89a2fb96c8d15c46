/** The rule type *Bulk rejection rate* as Kibana's alerting takes it, in every version. */
import { CONTEXT_VARIABLES, type AlertContext } from '../../../common/alerting/context';
import { ruleParamsSchema, type RuleParams } from '../../../common/alerting/params';
import { ACTION_GROUPS, RULE_TYPE_ID, RULE_TYPE_NAME } from '../../../common/alerting/rule-type';
import { readPart } from '../../../common/api/problems';
import { FEATURE_ID } from '../features';
import { look, type Watchtower } from './executor';
import type { RuleType } from './sdk';

/** Throws an error whose message names every problem with its path. */
const readParams = (params: unknown): RuleParams => readPart(ruleParamsSchema, params, '');

/** `home`: throws while Kibana is starting; a rule that looks then looks again a little later. */
export const bulkRejectionRate = (home: () => Watchtower): RuleType<RuleParams, AlertContext> => ({
  id: RULE_TYPE_ID,
  name: RULE_TYPE_NAME,
  category: 'management',
  solution: 'stack',
  producer: FEATURE_ID,
  actionGroups: ACTION_GROUPS.map((group) => ({ ...group })),
  defaultActionGroupId: 'warning',
  minimumLicenseRequired: 'basic',
  isExportable: true,
  doesSetRecoveryContext: true,
  validate: { params: { validate: readParams } },
  actionVariables: { context: CONTEXT_VARIABLES.map((variable) => ({ ...variable })) },
  defaultScheduleInterval: '1m',
  ruleTaskTimeout: '1m',
  getViewInAppRelativeUrl: ({ rule: { params } }) => {
    const { experiments = [] } = params as Partial<RuleParams>;
    const only = experiments.length === 1 ? `?experiment=${encodeURIComponent(experiments[0]!)}` : '';
    return `/app/dyno/runs${only}`;
  },
  executor: async (options) => look(home(), { ...options, params: readParams(options.params) }),
});
