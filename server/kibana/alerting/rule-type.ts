/** A rule type of Dyno's as Kibana's alerting takes it, in every version: what all of them have in common. */
import type * as z from 'zod';
import type { ContextVariable } from '../../../common/alerting/rule-type';
import { RULE_TYPES, type RuleTypeId } from '../../../common/alerting/rule-types';
import { readPart } from '../../../common/api/problems';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { HistoryMemory } from '../../results/history-memory';
import type { WaitingSamples } from '../../results/waiting-samples';
import { FEATURE_ID } from '../features';
import type { AlertFactory, RuleExecutorOptions, RuleType } from './sdk';

/** What a look needs of Kibana. */
export interface Watchtower {
  /** The cluster that keeps the results: the one of the settings, else Kibana's, which `own` reaches. */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** The whole URL of a page of Dyno's, or its path where Kibana does not know how it is reached from outside. */
  urlOf(space: string, path: string): string;
  /** Samples of the runs that this process carries, or that wait on its disk, which the results do not have yet. */
  waitingSamples(results: ElasticsearchClient): Promise<WaitingSamples[]>;
  /** Runs that were read before, for all rules. */
  histories: HistoryMemory;
}

/** What a look says of one thing that it watches. */
export interface Told<Context> {
  /** Of the alert. */
  id: string;
  /** Its action group; null where there is no alert, or none any more. */
  group: string | null;
  context(): Context;
}

export interface Looked<Context> {
  /** The worst first: Kibana takes so many alerts and no more. */
  told: readonly Told<Context>[];
  /** Plain data, for the next look. */
  state: Record<string, unknown>;
}

/** What is a rule type's own on the server. */
export interface RulePart<Params, Context> {
  schema: z.ZodType<Params>;
  variables: readonly ContextVariable[];
  /** The page of Dyno that *View in app* opens. */
  page(params: Partial<Params>): string;
  /** Rejects as the results do: Kibana shows the message beside the rule. */
  look(tower: Watchtower, options: RuleExecutorOptions<Params, Context>): Promise<Looked<Context>>;
}

/** Alerts of one rule where the version has no limit of its own. */
const MOST_ALERTS = 1000;

/** `home`: throws while Kibana is starting; a rule that looks then looks again a little later. */
export function kibanaRuleType<Params, Context>(
  id: RuleTypeId,
  { schema, variables, page, look }: RulePart<Params, Context>,
  home: () => Watchtower,
): RuleType<Params, Context> {
  const { name, actionGroups, defaultActionGroup, interval } = RULE_TYPES[id];
  /** Throws an error whose message names every problem with its path. */
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
      const { told, state } = await look(home(), { ...options, params: readParams(options.params) });
      tell(options.services.alertFactory, told);
      return { state };
    },
  };
}

/** Every active alert at every look; whether an action runs again is what the rule's author chose. */
function tell<Context>(factory: AlertFactory<Context>, told: readonly Told<Context>[]): void {
  const alerts = told.filter(({ group }) => group !== null);
  const limit = factory.alertLimit?.getValue() ?? MOST_ALERTS;
  for (const { id, group, context } of alerts.slice(0, limit))
    factory.create(id).scheduleActions(group!, context());
  factory.alertLimit?.setLimitReached(alerts.length > limit);

  const byId = new Map(told.map((each) => [each.id, each]));
  for (const recovered of factory.done().getRecoveredAlerts()) {
    const now = byId.get(recovered.getId());
    if (now !== undefined) recovered.setContext(now.context());
  }
}
