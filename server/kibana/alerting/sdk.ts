/**
 * The types of Kibana's alerting plugin that the server uses. They are copied from the built 8.3.3 (`x-pack/plugins/alerting/server`) and
 * from Kibana's main (`x-pack/platform/plugins/shared/alerting/server/types.ts`, `rule_type_registry.ts`).
 */
import type { ScopedClusterClient } from '../sdk';

export interface ActionGroup {
  id: string;
  name: string;
}

/**
 * An alert, copied from alert/alert.ts. It is active while every check schedules its actions. If a check does not schedule them, Kibana
 * considers the alert recovered.
 */
export interface KibanaAlert<Context> {
  getId(): string;
  /** Schedules the actions of a group. May be called once in each check. */
  scheduleActions(group: string, context: Context): unknown;
  setContext(context: Context): unknown;
}

/** Creates the alerts of a rule, and finds those that have recovered. Copied from alert/create_alert_factory.ts. */
export interface AlertFactory<Context> {
  /** Creates an alert. Throws if there are too many alerts, or if `done` was called before. */
  create(id: string): KibanaAlert<Context>;
  done(): { getRecoveredAlerts(): KibanaAlert<Context>[] };
  /** Maximum number of alerts; absent in 8.3. A rule that reads this limit must call `setLimitReached`. */
  alertLimit?: { getValue(): number; setLimitReached(reached: boolean): void };
}

export interface RuleExecutorOptions<Params, Context> {
  /** Id of the rule. Only present in 8.3, where `rule` contains no id. */
  alertId?: string;
  rule: { id?: string; name: string };
  params: Params;
  /** Result of the last check. Kibana 8.3 passes the whole result, 9.x only its property `state`. */
  state: unknown;
  startedAt: Date;
  spaceId: string;
  services: {
    alertFactory: AlertFactory<Context>;
    /** Client with the rights of the user who saved the rule last. */
    scopedClusterClient: ScopedClusterClient;
  };
}

export interface RuleType<Params, Context> {
  id: string;
  name: string;
  /** Menu category of the rule type. Kibana 8.3 ignores `category` and `solution`. */
  category: 'management';
  solution: 'stack';
  producer: string;
  actionGroups: ActionGroup[];
  defaultActionGroupId: string;
  minimumLicenseRequired: 'basic';
  isExportable: boolean;
  doesSetRecoveryContext: boolean;
  /** Validates parameters. Throws if they are invalid. Kibana stores the returned value. */
  validate: { params: { validate(params: unknown): Params } };
  actionVariables: { context: { name: string; description: string }[] };
  defaultScheduleInterval: string;
  ruleTaskTimeout: string;
  /** Returns the path of the page that the link *View in app* opens, without the space. Kibana 8.3 does not call this function. */
  getViewInAppRelativeUrl(options: { rule: { params: Params } }): string;
  executor(options: RuleExecutorOptions<Params, Context>): Promise<{ state: Record<string, unknown> }>;
}
