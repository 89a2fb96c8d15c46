/** Adapts Dyno's rule types to the alerting plugin of every supported version of Kibana. */
import type * as z from 'zod';
import type { ContextVariable } from '../../../common/alerting/rule-type';
import { RULE_TYPES, type RuleTypeId } from '../../../common/alerting/rule-types';
import { readPart } from '../../../common/api/problems';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { HistoryMemory } from '../../results/history-memory';
import type { WaitingSamples } from '../../results/waiting-samples';
import { FEATURE_ID } from '../features';
import type { AlertFactory, RuleExecutorOptions, RuleType } from './sdk';

/** Services of Dyno that the checks of rules use. */
export interface RuleServices {
  /**
   * Returns the client of the results cluster. `own`: client of Kibana's own cluster, which is returned if the settings name no results
   * cluster.
   */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** Returns the complete URL of a page of Dyno, or its path if Kibana does not know its public URL. */
  urlOf(space: string, path: string): string;
  /**
   * Returns the samples that are not in the results cluster yet: those of runs that this Kibana process executes, and those that wait on
   * the disk of this Kibana.
   */
  waitingSamples(results: ElasticsearchClient): Promise<WaitingSamples[]>;
  /** Cache that the checks of all rules share. It contains histories, which are all completed runs of an experiment. */
  histories: HistoryMemory;
}

/**
 * Result of a check for one alert. The alert stands for one watched group, such as an experiment, or for one metric in one combination of
 * factor levels.
 */
export interface AlertReport<Context> {
  /** Id of the alert. */
  id: string;
  /** Id of the action group, which is the level of the alert. Kibana runs its actions. Null if the alert is not active. */
  group: string | null;
  context(): Context;
}

export interface CheckResult<Context> {
  /** Reports of all alerts, the worst first. If there are more alerts than Kibana allows, only the first ones are reported. */
  reports: readonly AlertReport<Context>[];
  /** State that Kibana passes to the next check, as plain data. */
  state: Record<string, unknown>;
}

/** The part of a rule type that only the server needs. */
export interface RulePart<Params, Context> {
  schema: z.ZodType<Params>;
  variables: readonly ContextVariable[];
  /** Returns the path of the page of Dyno that the link *View in app* opens. */
  page(params: Partial<Params>): string;
  /** Checks the rule. Rejects with the errors of the results reader; Kibana shows their messages next to the rule. */
  check(services: RuleServices, options: RuleExecutorOptions<Params, Context>): Promise<CheckResult<Context>>;
}

/** Maximum number of alerts of one rule. It applies only in versions of Kibana that have no such limit. */
const MOST_ALERTS = 1000;

/**
 * Returns a rule type in the form in which Kibana registers it. `home`: returns the services of Dyno. It throws while Kibana is starting;
 * Kibana then executes the rule again later.
 */
export function kibanaRuleType<Params, Context>(
  id: RuleTypeId,
  { schema, variables, page, check }: RulePart<Params, Context>,
  home: () => RuleServices,
): RuleType<Params, Context> {
  const { name, actionGroups, defaultActionGroup, interval } = RULE_TYPES[id];
  /** Parses the parameters of a rule. Throws an error whose message lists every problem with its path. */
  const readParams = (params: unknown): Params => readPart(schema, params, '');
  return {
    id,
    name,
    category: 'management',
    solution: 'stack',
    producer: FEATURE_ID,
    actionGroups: actionGroups.map((group) => ({ ...group })),
    defaultActionGroupId: defaultActionGroup,
    minimumLicenseRequired: 'basic',
    isExportable: true,
    doesSetRecoveryContext: true,
    validate: { params: { validate: readParams } },
    actionVariables: { context: variables.map((variable) => ({ ...variable })) },
    defaultScheduleInterval: interval,
    ruleTaskTimeout: '1m',
    getViewInAppRelativeUrl: ({ rule: { params } }) => `/app/dyno${page(params)}`,
    async executor(options) {
      const { reports, state } = await check(home(), { ...options, params: readParams(options.params) });
      report(options.services.alertFactory, reports);
      return { state };
    },
  };
}

/** Reports all active alerts to Kibana, at every check. The settings of the rule decide at which checks Kibana executes actions. */
function report<Context>(factory: AlertFactory<Context>, reports: readonly AlertReport<Context>[]): void {
  const alerts = reports.filter(({ group }) => group !== null);
  const limit = factory.alertLimit?.getValue() ?? MOST_ALERTS;
  for (const { id, group, context } of alerts.slice(0, limit))
    factory.create(id).scheduleActions(group!, context());
  factory.alertLimit?.setLimitReached(alerts.length > limit);

  const byId = new Map(reports.map((each) => [each.id, each]));
  for (const recovered of factory.done().getRecoveredAlerts()) {
    const now = byId.get(recovered.getId());
    if (now !== undefined) recovered.setContext(now.context());
  }
}
