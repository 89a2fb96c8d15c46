/**
 * The parts of Kibana's alerting plugin that the server uses. Source: the built 8.3.3 (`x-pack/plugins/alerting/server`) and Kibana's main
 * (`x-pack/platform/plugins/shared/alerting/server/types.ts`, `rule_type_registry.ts`).
 */
import type { ScopedClusterClient } from '../sdk';

export interface ActionGroup {
  id: string;
  name: string;
}

/** alert/alert.ts. An active alert is scheduled at every check; one that is not has recovered. */
export interface KibanaAlert<Context> {
  getId(): string;
  /** Schedules the actions of a group. Called once for each check. */
  scheduleActions(group: string, context: Context): unknown;
  setContext(context: Context): unknown;
}

/** alert/create_alert_factory.ts */
export interface AlertFactory<Context> {
  /** Creates an alert. Throws if the limit is exceeded, and after `done` was called. */
  create(id: string): KibanaAlert<Context>;
  done(): { getRecoveredAlerts(): KibanaAlert<Context>[] };
  /** Missing in 8.3. A rule that reads the value must call `setLimitReached`. */
  alertLimit?: { getValue(): number; setLimitReached(reached: boolean): void };
}

export interface RuleExecutorOptions<Params, Context> {
  /** Id of the rule, only in 8.3, where `rule` has no id. */
  alertId?: string;
  rule: { id?: string; name: string };
  params: Params;
  /** Result of the last check. 8.3 keeps all of it, 9.x only its `state`. */
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
  /** Ignored by 8.3, which knows neither this key nor `solution`. */
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
  /** Returns the path of the page that *View in app* opens, below the space. Unknown to 8.3. */
  getViewInAppRelativeUrl(options: { rule: { params: Params } }): string;
  executor(options: RuleExecutorOptions<Params, Context>): Promise<{ state: Record<string, unknown> }>;
}
